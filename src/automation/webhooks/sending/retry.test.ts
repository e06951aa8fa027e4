import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defaultSchedule, nextAttemptDelay, parseSchedule } from './retry.ts';
import { retryAfter } from './sender.ts';

const failure = { responseStatus: 500 };
const least = () => 0;

test('the default waits grow fourfold from 5 seconds to a day, 54 hours in all', () => {
  const waits = defaultSchedule.map((_, index) => nextAttemptDelay({ attempt: index + 1, failure, random: least }) / 1_000);
  assert.deepEqual(waits, [5, 20, 80, 320, 1_280, 5_120, 20_480, 81_920, 86_400]);
  assert.equal(Math.round(waits.reduce((sum, wait) => sum + wait) / 3_600), 54);
});

test('an overloaded receiver gets at least a minute, unless a schedule is set', () => {
  for (const overload of [{ responseStatus: 429 }, { responseStatus: 502 }, { responseStatus: 504 }, { error: 'timeout' }]) {
    assert.equal(nextAttemptDelay({ attempt: 1, failure: overload, random: least }), 60_000);
    assert.equal(nextAttemptDelay({ attempt: 1, failure: overload, random: least, schedule: [20] }), 20);
  }
});

test('a wait is never shorter than the schedule or a Retry-After of up to a day, and at most 20 % longer', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, retryAfterSeconds, luck) => {
        const wait = nextAttemptDelay({ attempt, retryAfterSeconds, failure, random: () => luck });
        const requestedMs = Math.min(86_400_000, Math.max(0, retryAfterSeconds * 1_000));
        const base = Math.max(defaultSchedule[Math.min(attempt, 9) - 1] ?? 0, requestedMs);
        assert.ok(wait >= base && wait <= base * 1.2 + 1);
      },
    ),
  );
});

test('schedules accept every unit, and an invalid one throws a clear error', () => {
  assert.deepEqual(parseSchedule('20ms, 50ms'), [20, 50]);
  assert.deepEqual(parseSchedule('5,5m,1.5h,1d'), [5_000, 300_000, 5_400_000, 86_400_000]);
  for (const text of ['', '5x', '-5s', '0s', '31d', '5s,,5s', '1e3s', Array(51).fill('1s').join()]) {
    assert.throws(() => parseSchedule(text), /^Error: must be 1 to/, text);
  }
});

test('Retry-After is read as seconds or a date; anything else is nothing', () => {
  const now = Date.parse('2026-11-21T00:00:00Z');
  assert.equal(retryAfter('120', now), 120);
  assert.equal(retryAfter('1.5', now), 1.5);
  assert.equal(retryAfter('Sat, 21 Nov 2026 00:01:00 GMT', now), 60);
  assert.equal(retryAfter('Fri, 20 Nov 2026 00:01:00 GMT', now), 0);
  for (const garbage of ['-5', 'soon', '', '1e9', '2026-11-21', undefined, ['1', '2']]) assert.equal(retryAfter(garbage, now), undefined);
});
