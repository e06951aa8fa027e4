import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayIn } from '../dates/calculate.ts';
import { type Action, type Base, dueBy, dispositionOf, isNoShorter, type Rule } from './retention-schedule.ts';

const rule = (folder: string, action: Action, after: string, from: Base = 'created'): Rule => ({
  folder,
  action,
  after,
  from,
  effectiveFrom: new Date(0),
  endsAt: null,
});
const document = (members: object = {}) => ({
  createdAt: new Date('2026-01-31T22:30:00Z'),
  updatedAt: new Date('2026-06-01T10:00:00Z'),
  expiresAt: null,
  renewsItself: false,
  ...members,
});
const disposition = (rules: Rule[], members: object = {}, zone = 'UTC') => {
  const found = dispositionOf(rules, document(members), zone);
  return found && `${found.rule.folder} ${found.rule.action} ${found.on?.toString() ?? 'never'}`;
};

test('the longest rule decides, by days of the zone, and among equal ends the milder one', () => {
  assert.equal(disposition([rule('a', 'delete', 'P1M')]), 'a delete 2026-02-28');
  assert.equal(disposition([rule('a', 'delete', 'P1M')], {}, 'Europe/Berlin'), 'a delete 2026-02-28');
  assert.equal(disposition([rule('a', 'delete', 'P1D')], {}, 'Pacific/Auckland'), 'a delete 2026-02-02');
  assert.equal(disposition([rule('a', 'delete', 'P1Y'), rule('b', 'keep', 'P6M')]), 'a delete 2027-01-31');
  assert.equal(disposition([rule('a', 'delete', 'P6M'), rule('b', 'review', 'P1Y')]), 'b review 2027-01-31');
  assert.equal(disposition([rule('a', 'delete', 'P12M'), rule('b', 'keep', 'P1Y'), rule('c', 'review', 'P1Y')]), 'b keep 2027-01-31');
  const byEnd = [rule('a', 'delete', 'P1Y', 'expires')];
  assert.equal(disposition(byEnd), undefined, 'it covers what has an end');
  assert.equal(disposition(byEnd, { expiresAt: '2027-02-28' }), 'a delete 2028-02-28');
  assert.equal(disposition([...byEnd, rule('b', 'delete', 'P1D')], { expiresAt: '2027-02-28', renewsItself: true }), 'a delete never');
});

test('the limits for the database match the calendar', () => {
  const span = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('D', 'W', 'M', 'Y')).map(([many, unit]) => `P${many}${unit}`);
  const time = fc.date({ min: new Date('1995-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns', 'Africa/Cairo');
  fc.assert(
    fc.property(span, time, time, zone, (after, createdAt, now, timeZone) => {
      const one = rule('a', 'delete', after);
      const on = dispositionOf([one], document({ createdAt }), timeZone)?.on;
      assert.ok(on);
      const { before, day } = dueBy(one, now, timeZone);
      const isDue = Temporal.PlainDate.compare(on, dayIn(timeZone, now)) <= 0;
      assert.equal(createdAt < before, isDue);
      assert.equal(Temporal.PlainDate.compare(dayIn(timeZone, createdAt), day) <= 0, isDue);
    }),
    { numRuns: 300 },
  );
});

test('a rule is no shorter if it counts from the same time and deletes later or never', () => {
  const today = Temporal.PlainDate.from('2026-11-24');
  const is = (now: Rule, before: Rule) => isNoShorter(now, before, today);
  assert.ok(is(rule('a', 'delete', 'P2Y'), rule('a', 'delete', 'P18M')));
  assert.ok(is(rule('a', 'keep', 'P2Y'), rule('a', 'delete', 'P2Y')));
  for (const [now, before] of [
    [rule('a', 'delete', 'P1Y'), rule('a', 'delete', 'P18M')],
    [rule('a', 'delete', 'P2Y'), rule('a', 'keep', 'P1Y')],
    [rule('a', 'delete', 'P2Y'), rule('a', 'review', 'P1Y')],
    [rule('a', 'keep', 'P1Y'), rule('a', 'keep', 'P2Y')],
    [rule('a', 'delete', 'P2Y', 'updated'), rule('a', 'delete', 'P1Y')],
  ] as const)
    assert.ok(!is(now, before));
});
