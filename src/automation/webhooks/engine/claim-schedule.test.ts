import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClaimScheduler } from './claim-schedule.ts';

const teams = Array.from({ length: 40 }, (_, n) => `team${n}`);

/** Claims until nothing waits, and returns the scopes; no claim leaves anything due. */
function looks(claimScheduler: ClaimScheduler): string[][] {
  const seen: string[][] = [];
  for (let look = claimScheduler.next(); look; look = claimScheduler.next()) {
    seen.push('teams' in look ? look.teams : ['all']);
    claimScheduler.done(look, { scanned: 0, last: undefined, left: false });
    assert.ok(seen.length < 1_000, 'the claims come to an end');
  }
  return seen;
}

test('every addition in any order leads to a claim, one for each team, and then nothing waits', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...teams, 'all')), (said) => {
      const claimScheduler = new ClaimScheduler();
      for (const one of said) {
        if (one === 'all') claimScheduler.addAll();
        else claimScheduler.add(one);
      }
      assert.equal(claimScheduler.waits(), said.length > 0);
      assert.deepEqual(looks(claimScheduler).flat().toSorted(), [...new Set(said)].toSorted());
      assert.equal(claimScheduler.waits(), false);
    }),
  );
});

test('team claims and the walk alternate, so that neither waits long', () => {
  const claimScheduler = new ClaimScheduler();
  const seen: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    claimScheduler.add('busy');
    claimScheduler.addAll();
    const look = claimScheduler.next();
    assert.ok(look);
    seen.push('teams' in look ? 'teams' : 'all');
    claimScheduler.done(look, { scanned: 0, last: undefined, left: false });
  }
  assert.deepEqual(seen, ['teams', 'all', 'teams', 'all', 'teams', 'all']);
});

test('a walk continues at its position, and starts again if something remained on the way', () => {
  const claimScheduler = new ClaimScheduler();
  const places: string[] = [];
  const walk = (scanned: number, left: boolean, to: string) => {
    const look = claimScheduler.next();
    assert.ok(look && 'scan' in look);
    places.push(look.afterEndpoint);
    claimScheduler.done(look, { scanned: scanned * look.scan, last: { team: 't', endpoint: to }, left });
  };
  const start = '00000000-0000-0000-0000-000000000000';
  claimScheduler.addAll();
  walk(1, true, 'a');
  walk(1, false, 'b');
  walk(0.5, false, 'c');
  walk(1, false, 'd');
  walk(0, false, 'e');
  assert.deepEqual(places, [start, 'a', 'b', start, 'd']);
  assert.equal(claimScheduler.waits(), false, 'the second lap left nothing');
});

test('a walk in steps is short, stops when `enough` is reported, and later continues at its position', () => {
  const claimScheduler = new ClaimScheduler();
  const places: string[] = [];
  const step = (to: string, enough: boolean) => {
    const look = claimScheduler.next(true);
    assert.ok(look && 'scan' in look && look.scan <= 50);
    places.push(look.afterEndpoint);
    claimScheduler.done(look, { scanned: look.scan, last: { team: 't', endpoint: to }, left: false, enough });
  };
  claimScheduler.addAll();
  step('a', false);
  step('b', true);
  assert.equal(claimScheduler.waits(), false);
  claimScheduler.add('quick');
  assert.deepEqual(claimScheduler.next(true), { teams: ['quick'] }, 'teams are claimed for in between');
  claimScheduler.addAll();
  step('c', true);
  assert.deepEqual(places.slice(1), ['a', 'b']);
  claimScheduler.addAll();
  const whole = claimScheduler.next();
  assert.ok(whole && 'scan' in whole && whole.scan > 200 && whole.afterEndpoint === 'c');
});

test('teams with remaining deliveries are claimed for again', () => {
  const claimScheduler = new ClaimScheduler();
  claimScheduler.add('deep');
  const look = claimScheduler.next();
  assert.ok(look);
  claimScheduler.done(look, { scanned: 1, last: undefined, left: true });
  assert.deepEqual(looks(claimScheduler), [['deep']]);
});
