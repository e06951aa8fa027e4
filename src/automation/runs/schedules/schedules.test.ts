import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeOf } from '../../../../test/cpu-time.ts';
import { Problem } from '../../../platform/problems.ts';
import { lateAfterMs, nextTime, nextTimes, readSchedule, type Schedule, type ScheduleInput, staggerOf, dueRunOf } from './index.ts';

const start = new Date('2027-01-01T00:00:00Z');
const read = (input: ScheduleInput, now = start): Schedule => {
  const schedule = readSchedule(input, { now, zone: 'Europe/Berlin' });
  assert.ok(schedule);
  return schedule;
};
const cron = (expr: string, tz = 'UTC', now = start) => read({ schedule: { kind: 'cron', expr, tz } }, now);
const times = (schedule: Schedule, from: string, count: number) =>
  nextTimes(schedule, new Date(from), count).map((time) => time.toISOString());

/** Description, expression, zone, start, and the next times. */
const golden: [why: string, expr: string, tz: string, from: string, due: string[]][] = [
  [
    'a time that the clocks skip occurs once, after the change',
    '30 2 * * *',
    'America/New_York',
    '2027-03-13T12:00:00Z',
    ['2027-03-14T07:00:00.000Z', '2027-03-15T06:30:00.000Z'],
  ],
  [
    'a time that the clocks show twice occurs once, the first time',
    '30 1 * * *',
    'America/New_York',
    '2027-11-07T04:00:00Z',
    ['2027-11-07T05:30:00.000Z', '2027-11-08T06:30:00.000Z'],
  ],
  [
    'the same applies to a list of hours',
    '30 1,5 * * *',
    'America/New_York',
    '2027-11-07T04:00:00Z',
    ['2027-11-07T05:30:00.000Z', '2027-11-07T10:30:00.000Z'],
  ],
  [
    'each hour occurs, also the repeated one',
    '0 * * * *',
    'America/New_York',
    '2027-11-07T04:30:00Z',
    ['2027-11-07T05:00:00.000Z', '2027-11-07T06:00:00.000Z', '2027-11-07T07:00:00.000Z'],
  ],
  [
    'a change of half an hour that skips times',
    '15 2 * * *',
    'Australia/Lord_Howe',
    '2027-10-02T12:00:00Z',
    ['2027-10-02T15:30:00.000Z', '2027-10-03T15:15:00.000Z'],
  ],
  [
    'a change of half an hour that repeats times',
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2027-04-03T14:20:00Z',
    ['2027-04-03T14:30:00.000Z', '2027-04-03T14:45:00.000Z', '2027-04-03T15:00:00.000Z', '2027-04-03T15:15:00.000Z'],
  ],
  ['the last day of each month', '0 0 L * *', 'UTC', '2027-01-01T00:00:00Z', ['2027-01-31T00:00:00.000Z', '2027-02-28T00:00:00.000Z']],
  [
    'the working day nearest to a day',
    '0 0 16W 1,5 *',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-01-15T00:00:00.000Z', '2027-05-17T00:00:00.000Z'],
  ],
  ['the first Monday', '0 9 * * 1#1', 'UTC', '2027-01-01T00:00:00Z', ['2027-01-04T09:00:00.000Z', '2027-02-01T09:00:00.000Z']],
  ['the last Monday', '0 9 * * 1#L', 'UTC', '2027-01-01T00:00:00Z', ['2027-01-25T09:00:00.000Z', '2027-02-22T09:00:00.000Z']],
  [
    'a day of the month or of the week',
    '0 0 13 * FRI',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-01-08T00:00:00.000Z', '2027-01-13T00:00:00.000Z'],
  ],
  [
    'a day of the month that is a day of the week',
    '0 0 13 * +FRI',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-08-13T00:00:00.000Z', '2028-10-13T00:00:00.000Z'],
  ],
  ['a leap day, years ahead', '0 0 29 2 *', 'UTC', '2097-01-01T00:00:00Z', ['2104-02-29T00:00:00.000Z']],
  [
    'names, ranges and steps',
    '*/20 9-17/8 * MAR-apr 1-5',
    'UTC',
    '2027-01-01T00:00:00Z',
    ['2027-03-01T09:00:00.000Z', '2027-03-01T09:20:00.000Z', '2027-03-01T09:40:00.000Z', '2027-03-01T17:00:00.000Z'],
  ],
];

test('due times follow the clocks of their zone', () => {
  for (const [why, expr, tz, from, due] of golden) assert.deepEqual(times(cron(expr, tz), from, due.length), due, why);
});

const refusals: [ScheduleInput, pointer: string, rule: string][] = [
  ...[
    '',
    '* * * *',
    '* * * * * *',
    '0 0 9 * * * 2027',
    '@daily',
    '2027-03-03T00:00:00',
    '60 * * * *',
    '* 24 * * *',
    '0 0 0 * *',
    '0 9 * * 1#6',
    'a b c d e',
    '* * * * 1;2',
    '*/0 * * * *',
  ].map((expr): [ScheduleInput, string, string] => [{ cron: expr }, '/cron', 'cron']),
  [{ cron: '0 0 30 2 *' }, '/cron', 'never'],
  [{ cron: '0 0 31 4,6,9,11 *' }, '/cron', 'never'],
  [{ cron: '0 0 29 2 +1#1' }, '/cron', 'never'],
  [{ schedule: `${'1,'.repeat(150)}2 * * * *` }, '/schedule', 'length'],
  ...['+05:00', 'PST', 'UTC+1', 'Europe/Nowhere', '', '2027-01-01T00:00:00Z', '[UTC]'].map((timezone): [ScheduleInput, string, string] => [
    { cron: '0 9 * * *', timezone },
    '/timezone',
    'time-zone',
  ]),
  [{ schedule: { kind: 'cron', expr: '0 9 * * *', tz: '+01:00' } }, '/schedule/tz', 'time-zone'],
  [{ schedule: { kind: 'cron', expr: '0 9 * * *', staggerMs: 3_600_001 } }, '/schedule/staggerMs', 'range'],
  [{ schedule: { kind: 'every', everyMs: 59_999 } }, '/schedule/everyMs', 'range'],
  [{ schedule: { kind: 'every', everyMs: 367 * 86_400_000 } }, '/schedule/everyMs', 'range'],
  [{ schedule: { kind: 'every', everyMs: 60_000, anchor: '2027-01-01T09:00' } }, '/schedule/anchor', 'date-time'],
  [{ schedule: { kind: 'at', at: '2026-12-31T23:59:59Z' } }, '/schedule/at', 'past'],
  [{ schedule: { kind: 'at', at: '2027-01-01T00:00:00Z' } }, '/schedule/at', 'past'],
  [{ schedule: { kind: 'at', at: 'tomorrow' } }, '/schedule/at', 'date-time'],
  [{ schedule: { kind: 'at', at: '2027-02-30T09:00:00Z' } }, '/schedule/at', 'date-time'],
  [{ schedule: { kind: 'at', at: '2027-03-28T02:30:00', tz: 'Europe/Berlin' } }, '/schedule/at', 'date-time'],
  [{ schedule: { kind: 'at', at: '2027-03-28T09:00:00Z', tz: 'Europe/Berlin' } }, '/schedule/tz', 'one-form'],
  [{ schedule: { kind: 'at', at: '+012027-03-28T09:00:00Z' } }, '/schedule/at', 'date-time'],
  [{ schedule: '0 9 * * *', cron: '0 9 * * *' }, '/schedule', 'one-form'],
  [{ schedule: '0 9 * * *', timezone: 'UTC' }, '/schedule', 'one-form'],
  [{ timezone: 'UTC' }, '/timezone', 'one-form'],
];

test('an invalid schedule is rejected with the member and the reason', () => {
  for (const [input, pointer, rule] of refusals) {
    assert.throws(
      () => readSchedule(input, { now: start, zone: 'UTC' }),
      (error) => {
        assert.ok(error instanceof Problem, String(error));
        const [first] = error.errors ?? [];
        assert.deepEqual([error.code, first?.pointer, first?.rule], ['schedule_invalid', pointer, rule], JSON.stringify(input));
        return true;
      },
      JSON.stringify(input),
    );
  }
});

test('every text as an expression, a zone or a time gives a due schedule or a rejection', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9*/,LW#?+ -]{5,40}$/), fc.constantFrom('* * * * *', '0 0 1 1 *'));
  fc.assert(
    fc.property(text, fc.oneof(fc.string(), fc.constantFrom('UTC', 'Asia/Kolkata')), (expr, tz) => {
      for (const input of [
        { cron: expr, timezone: tz },
        { schedule: { kind: 'at', at: expr, tz } },
        { schedule: { kind: 'every', everyMs: 60_000, anchor: expr } },
      ] as ScheduleInput[]) {
        try {
          assert.ok(nextTime(read(input), start));
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('both forms of a schedule are equal; the defaults are the zone of the team and the current time', () => {
  const long = read({ schedule: { kind: 'cron', expr: ' 0  9 * * 1-5 ' } });
  assert.deepEqual(long, { kind: 'cron', expr: '0 9 * * 1-5', tz: 'Europe/Berlin', staggerMs: 0 });
  assert.deepEqual(read({ cron: '0 9 * * 1-5' }), long);
  assert.deepEqual(read({ schedule: '0 9 * * 1-5' }), long);
  assert.deepEqual(read({ cron: '0 9 * * 1-5', timezone: 'Asia/Kolkata' }), { ...long, tz: 'Asia/Kolkata' });
  assert.deepEqual(read({ schedule: { kind: 'every', everyMs: 60_000 } }), { kind: 'every', everyMs: 60_000, anchor: start.toISOString() });
  assert.equal(readSchedule({}, { now: start, zone: 'UTC' }), undefined);
});

test('a time has an offset or is a wall-clock time; for a repeated time the earlier one counts', () => {
  const at = (given: string, tz?: string) =>
    times(read({ schedule: { kind: 'at', at: given, ...(tz === undefined ? {} : { tz }) } }), start.toISOString(), 3);
  assert.deepEqual(at('2027-03-01T09:00:00+05:30'), ['2027-03-01T03:30:00.000Z']);
  assert.deepEqual(at('2027-03-01T09:00', 'America/New_York'), ['2027-03-01T14:00:00.000Z']);
  assert.deepEqual(at('2027-03-01T09:00'), ['2027-03-01T08:00:00.000Z'], 'in the zone of the team');
  assert.deepEqual(at('2027-11-07T01:30:00', 'America/New_York'), ['2027-11-07T05:30:00.000Z']);
});

const zones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia'];
const field = (low: number, high: number) => {
  const number = fc.integer({ min: low, max: high });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    number.map(String),
    range,
    fc.integer({ min: 2, max: Math.min(20, high - low) }).map((n) => `*/${n}`),
    fc.array(number, { minLength: 2, maxLength: 4 }).map((all) => all.join(',')),
  );
};
const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6)).map((all) => all.join(' '));
const moment = fc.integer({ min: Date.parse('2027-01-01T00:00:00Z'), max: Date.parse('2029-12-31T00:00:00Z') }).map((ms) => new Date(ms));

/** Whether a field of these simple expressions contains a number: the reference implementation without the library. */
function has(text: string, value: number, low: number): boolean {
  return text.split(',').some((part) => {
    const [span = '', step = '1'] = part.split('/');
    const [from = 0, to = from] = span === '*' ? [low, 99] : span.split('-').map(Number);
    return value >= from && value <= to && (value - from) % Number(step) === 0;
  });
}
function isDue(expr: string, time: Date): boolean {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expr.split(' ');
  const days = has(day, time.getUTCDate(), 1);
  const weekdays = has(weekday, time.getUTCDay(), 0);
  const either = day === '*' || weekday === '*' ? days && weekdays : days || weekdays;
  return has(minute, time.getUTCMinutes(), 0) && has(hour, time.getUTCHours(), 0) && either && has(month, time.getUTCMonth() + 1, 1);
}

test('in UTC the next time is the first minute that matches the fields', () => {
  fc.assert(
    fc.property(expression, moment, (expr, from) => {
      fc.pre(!/\*\//.test(expr.split(' ').slice(2).join(' ')));
      const next = nextTime(cron(expr), from);
      const minute = new Date(Math.floor(from.getTime() / 60_000) * 60_000);
      const until = Math.min(next?.getTime() ?? Number.POSITIVE_INFINITY, from.getTime() + 86_400_000);
      for (let time = minute.getTime() + 60_000; time < until; time += 60_000)
        assert.ok(!isDue(expr, new Date(time)), `${expr} at ${new Date(time).toISOString()}`);
      if (next) assert.ok(isDue(expr, next), `${expr} not at ${next.toISOString()}`);
    }),
    { numRuns: 150 },
  );
});

const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.tuple(expression, fc.constantFrom(...zones)).map(([expr, tz]): Schedule => ({ kind: 'cron', expr, tz, staggerMs: 0 })),
  fc
    .tuple(fc.integer({ min: 60_000, max: 86_400_000 }), moment)
    .map(([everyMs, anchor]): Schedule => ({ kind: 'every', everyMs, anchor: anchor.toISOString() })),
  moment.map((at): Schedule => ({ kind: 'at', at: at.toISOString() })),
);

test('times come after the given time, and the next time from just before a time is that time', () => {
  fc.assert(
    fc.property(anySchedule, moment, (schedule, from) => {
      const next = nextTime(schedule, from);
      if (next === undefined) return assert.equal(schedule.kind, 'at');
      assert.ok(next > from);
      assert.deepEqual(nextTime(schedule, new Date(next.getTime() - 1)), next);
      const later = nextTime(schedule, next);
      assert.ok(later === undefined || later > next);
    }),
    { numRuns: 300 },
  );
});

test('each past time is run, replaced or recorded as missed, and none twice', () => {
  const misfire = fc.record({
    policy: fc.constantFrom('run_once' as const, 'skip' as const),
    graceSeconds: fc.integer({ min: 0, max: 200_000 }),
  });
  fc.assert(
    fc.property(anySchedule, moment, misfire, fc.integer({ min: 0, max: 86_400_000 }), (schedule, from, rule, passed) => {
      const due = nextTime(schedule, from);
      if (due === undefined) return;
      const now = new Date(due.getTime() + passed);
      const all: Date[] = [];
      for (let time: Date | undefined = due; time !== undefined && time <= now; time = nextTime(schedule, time)) all.push(time);
      const last = all.at(-1) ?? due;
      const { run, skipped, next } = dueRunOf(schedule, due, now, rule);
      assert.deepEqual(next, nextTime(schedule, now));
      const late = now.getTime() - last.getTime();
      const missed = late > lateAfterMs ? all : all.slice(0, -1);
      const said = run?.missed ?? skipped?.missed;
      assert.equal(said?.count ?? 0, Math.min(1_000, missed.length));
      if (missed.length > 0) assert.deepEqual([said?.first, said?.last], [due.toISOString(), missed.at(-1)?.toISOString()]);
      assert.equal(said?.isLowerBound ?? false, missed.length > 1_000);
      const runs = late <= lateAfterMs || (rule.policy === 'run_once' && late <= rule.graceSeconds * 1_000);
      assert.deepEqual(run?.due, runs ? last : undefined);
      assert.equal(run?.trigger, runs ? (late <= lateAfterMs ? 'schedule' : 'misfire') : undefined);
      assert.equal(skipped !== undefined, missed.length > 0 && (!runs || rule.policy === 'skip'));
      if (skipped && run) assert.ok(skipped.due < run.due);
    }),
    { numRuns: 80 },
  );
});

test('a year of missed minutes is counted up to a thousand, in little CPU time', async () => {
  let due: ReturnType<typeof dueRunOf> | undefined;
  const used = await cpuTimeOf(() => {
    due = dueRunOf(cron('* * * * *', 'America/New_York'), start, new Date('2028-01-01T00:00:30Z'), {
      policy: 'run_once',
      graceSeconds: 3_600,
    });
  });
  assert.ok(used < 10_000, `${used} ms`);
  const { run, skipped } = due ?? {};
  assert.deepEqual(
    [run?.due.toISOString(), run?.trigger, run?.missed?.count, run?.missed?.isLowerBound, skipped],
    ['2028-01-01T00:00:00.000Z', 'schedule', 1_000, true, undefined],
  );
});

test('a stagger is constant for a job, and spread over jobs', () => {
  const schedule: Schedule = { kind: 'cron', expr: '0 * * * *', tz: 'UTC', staggerMs: 60_000 };
  const all = Array.from({ length: 200 }, (_, n) => staggerOf(schedule, `job ${n}`));
  assert.deepEqual(
    all,
    Array.from({ length: 200 }, (_, n) => staggerOf(schedule, `job ${n}`)),
  );
  assert.ok(all.every((ms) => ms >= 0 && ms < 60_000));
  assert.ok(all.filter((ms) => ms < 30_000).length > 60 && all.filter((ms) => ms >= 30_000).length > 60);
  assert.equal(staggerOf({ kind: 'at', at: start.toISOString() }, 'job'), 0);
});

test('a schedule that is due once in decades has a next time, and further times of the next 50 years', () => {
  const leapMondays = nextTimes(cron('0 0 29 2 +1'), start, 100).map((time) => time.toISOString().slice(0, 10));
  assert.deepEqual(leapMondays, ['2044-02-29', '2072-02-29']);
  assert.equal(nextTimes(cron('0 0 * * *'), start, 100).length, 100);
});
