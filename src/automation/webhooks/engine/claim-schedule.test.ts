import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Agenda } from './claim-schedule.ts';

const teams = Array.from({ length: 40 }, (_, n) => `team${n}`);

/** Looks until nothing waits, and says where; nothing is left anywhere. */
function looks(agenda: Agenda): string[][] {
  const seen: string[][] = [];
  for (let look = agenda.next(); look; look = agenda.next()) {
    seen.push('teams' in look ? look.teams : ['all']);
    agenda.done(look, { scanned: 0, last: undefined, left: false });
    assert.ok(seen.length < 1_000, 'it comes to an end');
  }
  return seen;
}

test('whatever is said in whatever order is looked at, each team once, and then nothing waits', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...teams, 'all')), (said) => {
      const agenda = new Agenda();
      for (const one of said) {
        if (one === 'all') agenda.addAll();
        else agenda.add(one);
      }
      assert.equal(agenda.waits(), said.length > 0);
      assert.deepEqual(looks(agenda).flat().toSorted(), [...new Set(said)].toSorted());
      assert.equal(agenda.waits(), false);
    }),
  );
});

test('teams and the walk take turns, so that neither waits for the other for long', () => {
  const agenda = new Agenda();
  const seen: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    agenda.add('busy');
    agenda.addAll();
    const look = agenda.next();
    assert.ok(look);
    seen.push('teams' in look ? 'teams' : 'all');
    agenda.done(look, { scanned: 0, last: undefined, left: false });
  }
  assert.deepEqual(seen, ['teams', 'all', 'teams', 'all', 'teams', 'all']);
});

test('a walk goes on where it was, and once more from the start when something was left on the way', () => {
  const agenda = new Agenda();
  const places: string[] = [];
  const walk = (scanned: number, left: boolean, to: string) => {
    const look = agenda.next();
    assert.ok(look && 'scan' in look);
    places.push(look.afterEndpoint);
    agenda.done(look, { scanned: scanned * look.scan, last: { team: 't', endpoint: to }, left });
  };
  const start = '00000000-0000-0000-0000-000000000000';
  agenda.addAll();
  walk(1, true, 'a');
  walk(1, false, 'b');
  walk(0.5, false, 'c');
  walk(1, false, 'd');
  walk(0, false, 'e');
  assert.deepEqual(places, [start, 'a', 'b', start, 'd']);
  assert.equal(agenda.waits(), false, 'the second lap left nothing');
});

test('a walk in steps is short, goes no further by itself where it is said to be enough, and then on from where it was', () => {
  const agenda = new Agenda();
  const places: string[] = [];
  const step = (to: string, enough: boolean) => {
    const look = agenda.next(true);
    assert.ok(look && 'scan' in look && look.scan <= 50);
    places.push(look.afterEndpoint);
    agenda.done(look, { scanned: look.scan, last: { team: 't', endpoint: to }, left: false, enough });
  };
  agenda.addAll();
  step('a', false);
  step('b', true);
  assert.equal(agenda.waits(), false);
  agenda.add('quick');
  assert.deepEqual(agenda.next(true), { teams: ['quick'] }, 'others are looked at in between');
  agenda.addAll();
  step('c', true);
  assert.deepEqual(places.slice(1), ['a', 'b']);
  agenda.addAll();
  const whole = agenda.next();
  assert.ok(whole && 'scan' in whole && whole.scan > 200 && whole.afterEndpoint === 'c');
});

test('teams that something was left of are looked at again', () => {
  const agenda = new Agenda();
  agenda.add('deep');
  const look = agenda.next();
  assert.ok(look);
  agenda.done(look, { scanned: 1, last: undefined, left: true });
  assert.deepEqual(looks(agenda), [['deep']]);
});
