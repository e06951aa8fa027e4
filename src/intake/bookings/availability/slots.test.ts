import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import fc from 'fast-check';
import { slowSlots } from '../../../../test/slot-reference.ts';
import { type Hours, type Span, weekdays } from './opening-hours.ts';
import { presentSlots } from './present.ts';
import { rangeOf } from './range.ts';
import { maxSlotsIn, type Occupied, type SlotRules, slotsIn } from './slots.ts';
import { dayOf, minuteMs } from './zone.ts';
import { runs } from '../../../../test/tier.ts';

const base: SlotRules = {
  timeZone: 'Europe/Berlin',
  durationMin: 30,
  slotIntervalMin: 30,
  weekly: {},
  overrides: new Map(),
  closed: new Set(),
  bufferBeforeMin: 0,
  bufferAfterMin: 0,
  minNoticeMin: 0,
  maxDaysAhead: 400,
  capacity: 1,
};
const nothing: Occupied = { booked: [], busy: [] };
const day = (date: string) => dayOf(date) ?? assert.fail(date);
const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const span = (from: string, until: string): Span => ({ from: at(from), until: at(until) });
const on = (...days: [string, Hours][]) => new Map(days.map(([date, hours]) => [day(date), hours]));

/** Returns the slots of some days in local time, with the remaining number as a suffix such as `×1`. */
function local(rules: Partial<SlotRules>, from: string, to = from, occupied = nothing, now = at('2026-01-01T00:00Z')): string[] {
  const slots = presentSlots(slotsIn({ ...base, ...rules }, rangeOf({ from, to }), now, occupied));
  return slots.filter(({ remaining }) => remaining > 0).map(({ localStart }) => localStart);
}
const hours = (times: readonly string[]) => times.map((time) => time.slice(11, 16));
const around = (...of: [string, string][]): Hours => of;
const night = { weekly: { sat: around(['00:00', '24:00']), sun: around(['00:00', '05:00']) }, durationMin: 30, slotIntervalMin: 30 };

test('an hour that the clocks skip has no slot, and an hour that they repeat has its slots twice', () => {
  const berlin = { ...night, durationMin: 60, slotIntervalMin: 60 };
  assert.deepEqual(local(berlin, '2026-03-29'), [
    '2026-03-29T00:00:00+01:00',
    '2026-03-29T01:00:00+01:00',
    '2026-03-29T03:00:00+02:00',
    '2026-03-29T04:00:00+02:00',
  ]);
  assert.deepEqual(local(berlin, '2026-10-25'), [
    '2026-10-25T00:00:00+02:00',
    '2026-10-25T01:00:00+02:00',
    '2026-10-25T02:00:00+02:00',
    '2026-10-25T02:00:00+01:00',
    '2026-10-25T03:00:00+01:00',
    '2026-10-25T04:00:00+01:00',
  ]);
  const york = { ...berlin, timeZone: 'America/New_York' };
  assert.deepEqual(hours(local(york, '2026-03-08')), ['00:00', '01:00', '03:00', '04:00']);
  assert.deepEqual(hours(local(york, '2026-11-01')), ['00:00', '01:00', '01:00', '02:00', '03:00', '04:00']);
});

test('hours that begin or end during a clock change are open exactly while the local time is within them', () => {
  const early = { weekly: { sun: around(['02:30', '04:00']) } };
  assert.deepEqual(hours(local(early, '2026-03-29')), ['03:00', '03:30'], 'opens when the clocks jump forward');
  assert.deepEqual(local(early, '2026-10-25').slice(0, 3), [
    '2026-10-25T02:30:00+02:00',
    '2026-10-25T02:30:00+01:00',
    '2026-10-25T03:00:00+01:00',
  ]);
  assert.deepEqual(local({ weekly: { sun: around(['02:00', '02:45']) } }, '2026-03-29'), [], 'the whole opening is skipped');
});

test('slots are correct for a half-hour clock change (Lord Howe), an offset of 45 minutes (Kathmandu) and a skipped day (Apia)', () => {
  const howe = { ...night, timeZone: 'Australia/Lord_Howe' };
  assert.deepEqual(hours(local(howe, '2026-10-04')).slice(2, 6), ['01:00', '01:30', '02:30', '03:00']);
  assert.deepEqual(local(howe, '2026-04-05').slice(2, 6), [
    '2026-04-05T01:00:00+11:00',
    '2026-04-05T01:30:00+11:00',
    '2026-04-05T01:30:00+10:30',
    '2026-04-05T02:00:00+10:30',
  ]);
  assert.deepEqual(local({ timeZone: 'Asia/Kathmandu', weekly: { wed: around(['09:00', '10:00']) } }, '2026-07-01'), [
    '2026-07-01T09:00:00+05:45',
    '2026-07-01T09:30:00+05:45',
  ]);
  const apia = { timeZone: 'Pacific/Apia', weekly: Object.fromEntries(weekdays.map((name) => [name, around(['22:00', '01:00'])])) };
  const dates = local(apia, '2011-12-29', '2011-12-31', nothing, at('2011-12-01T00:00Z')).map((time) => time.slice(0, 13));
  assert.deepEqual(
    [...new Set(dates)],
    ['2011-12-29T00', '2011-12-29T22', '2011-12-29T23', '2011-12-31T00', '2011-12-31T22', '2011-12-31T23'],
  );
});

test('opening hours can cross midnight, weeks, 29 February and the end of the year', () => {
  const late = { weekly: { fri: around(['23:00', '01:00']) } };
  assert.deepEqual(local(late, '2026-07-03', '2026-07-04'), [
    '2026-07-03T23:00:00+02:00',
    '2026-07-03T23:30:00+02:00',
    '2026-07-04T00:00:00+02:00',
    '2026-07-04T00:30:00+02:00',
  ]);
  assert.deepEqual(hours(local(late, '2026-07-04')), ['00:00', '00:30'], 'from the opening of the previous day');
  const leap = { overrides: on(['2028-02-29', around(['10:00', '11:00'])]), maxDaysAhead: 800 };
  assert.deepEqual(hours(local(leap, '2028-02-28', '2028-03-01')), ['10:00', '10:30']);
  const [eve, newYear] = ['2026-12-31', '2027-01-01'];
  const turn = { overrides: on([eve, around(['23:30', '24:00'])], [newYear, around(['00:00', '00:30'])]) };
  assert.deepEqual(local(turn, eve, newYear), ['2026-12-31T23:30:00+01:00', '2027-01-01T00:00:00+01:00']);
  const long = { ...turn, durationMin: 60 };
  assert.deepEqual(hours(local(long, eve, newYear)), ['23:30'], 'a slot that reaches into the next opening is open throughout');
});

test('an override takes precedence over a holiday, and a holiday over the week', () => {
  const rules = {
    weekly: { thu: around(['09:00', '10:00']), fri: around(['09:00', '10:00']) },
    closed: new Set([day('2026-12-24'), day('2026-12-25')]),
    overrides: on(['2026-12-24', around(['12:00', '12:30'])], ['2026-12-31', []]),
  };
  assert.deepEqual(local(rules, '2026-12-21', '2027-01-01'), [
    '2026-12-24T12:00:00+01:00',
    '2027-01-01T09:00:00+01:00',
    '2027-01-01T09:30:00+01:00',
  ]);
});

test('minimum notice counts exact time, and days ahead count local days of the zone', () => {
  const rules = { weekly: { mon: around(['09:00', '11:00']) }, minNoticeMin: 120 };
  const now = at('2026-07-06T05:30:00Z');
  assert.deepEqual(hours(local(rules, '2026-07-06', '2026-07-06', nothing, now)), ['09:30', '10:00', '10:30']);
  assert.deepEqual(hours(local(rules, '2026-07-06', '2026-07-06', nothing, now + 1)), ['10:00', '10:30']);
  // At this instant it is still Sunday evening in Berlin, and already Monday in Auckland.
  const late = at('2026-07-05T21:30:00Z');
  const day1 = { ...rules, minNoticeMin: 0, maxDaysAhead: 7 };
  assert.equal(local(day1, '2026-07-12', '2026-07-20', nothing, late).length, 0);
  assert.equal(local({ ...day1, timeZone: 'Pacific/Auckland' }, '2026-07-12', '2026-07-20', nothing, late).length, 4);
});

test('the buffers of a slot conflict with the buffers of bookings, including bookings outside of the range', () => {
  const rules = { weekly: { mon: around(['09:00', '12:00']) }, bufferBeforeMin: 15, bufferAfterMin: 15 };
  const occupied = { booked: [span('2026-07-06T07:45:00Z', '2026-07-06T08:45:00Z')], busy: [] };
  assert.deepEqual(hours(local(rules, '2026-07-06', '2026-07-06', occupied)), ['09:00', '11:00', '11:30']);
  assert.deepEqual(
    hours(
      local(rules, '2026-07-06T08:30:00Z', '2026-07-06T09:30:00Z', { booked: [span('2026-07-06T07:00Z', '2026-07-06T08:16Z')], busy: [] }),
    ),
    ['11:00'],
  );
});

test('the remaining capacity is that of the fullest moment, and a busy time leaves none', () => {
  const rules = { weekly: { mon: around(['09:00', '11:00']) }, durationMin: 60, slotIntervalMin: 30, capacity: 3 };
  const booked = [
    span('2026-07-06T07:00Z', '2026-07-06T07:30Z'),
    span('2026-07-06T07:30Z', '2026-07-06T08:00Z'),
    span('2026-07-06T07:30Z', '2026-07-06T09:00Z'),
  ];
  const slots = slotsIn({ ...base, ...rules }, rangeOf({ from: '2026-07-06', to: '2026-07-06' }), at('2026-07-01T00:00Z'), {
    booked,
    busy: [span('2026-07-06T08:45Z', '2026-07-06T08:46Z')],
  });
  assert.deepEqual(
    slots.map(({ remaining }) => remaining),
    [1, 1, 0],
  );
});

test('a range is two dates, two times or one of each, at most 62 days apart', () => {
  const rules = { weekly: Object.fromEntries(weekdays.map((name) => [name, around(['09:00', '10:00'])])) };
  assert.equal(local(rules, '2026-03-01', '2026-05-02').length, 63 * 2, 'across a clock change');
  assert.deepEqual(hours(local(rules, '2026-07-06T07:30:00Z', '2026-07-07T07:30:00.000+00:00')), ['09:30', '09:00']);
  assert.deepEqual(hours(local(rules, '2026-07-06', '2026-07-06T07:30:00Z')), ['09:00']);
  assert.deepEqual(hours(local(rules, '2026-07-06T09:30:00+02:00', '2026-07-06')), ['09:30']);
  assert.deepEqual(local(rules, '2026-07-06T07:30:00Z', '2026-07-06T07:30:00Z'), []);
  const refusals: [string, string, string, string][] = [
    ['2026-07-02', '2026-07-01', 'to', 'order'],
    ['2026-07-02T10:00:00Z', '2026-07-02T11:30:00+02:00', 'to', 'order'],
    ['2026-03-01', '2026-05-03', 'to', 'range'],
    ['2026-01-01', '2036-01-01', 'to', 'range'],
    ['2026-02-29', '2026-03-01', 'from', 'date-time'],
    ['2026-07-06T07:30:00', '2026-07-07', 'from', 'date-time'],
    ['2026-07-06', '06.07.2026', 'to', 'date-time'],
    ['2026-07-06', '2026-07-06T25:00:00Z', 'to', 'date-time'],
    ['', '2026-07-06', 'from', 'date-time'],
  ];
  for (const [from, to, name, rule] of refusals)
    assert.throws(
      () => rangeOf({ from, to }),
      (error: any) => error.code === 'validation_failed' && error.errors[0].name === name && error.errors[0].rule === rule,
      `${from} ${to}`,
    );
});

/** Zones, each with the time of a clock change if it has one. */
const places: [string, string][] = [
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['America/St_Johns', '2010-11-07T02:31Z'],
  ['Africa/Casablanca', '2026-02-15T02:00Z'],
  ['Asia/Kolkata', '2028-02-29T00:00Z'],
  ['Europe/Kyiv', '2026-12-31T22:00Z'],
  ['US/Pacific', '2027-03-14T10:00Z'],
];

const time = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const opening = fc.tuple(fc.nat(287), fc.integer({ min: 1, max: 287 })).map(([from, length]): [string, string] => {
  const end = (from + length) * 5;
  return [time(from * 5), end === 1_440 ? '24:00' : time(end % 1_440)];
});
const someHours = fc.array(opening, { maxLength: 2 });
const anyCalendar = fc.record({
  place: fc.constantFrom(...places),
  weekly: fc.record(Object.fromEntries(weekdays.map((name) => [name, someHours])), { requiredKeys: [] }),
  overrides: fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), someHours), { maxLength: 2 }),
  closed: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 2 }),
  durationMin: fc.oneof(fc.constantFrom(15, 30, 60), fc.integer({ min: 5, max: 300 })),
  slotIntervalMin: fc.oneof(fc.constantFrom(15, 30, 60), fc.integer({ min: 5, max: 240 })),
  bufferBeforeMin: fc.constantFrom(0, 0, 5, 37),
  bufferAfterMin: fc.constantFrom(0, 0, 10, 61),
  minNoticeMin: fc.constantFrom(0, 0, 90, 1_500),
  maxDaysAhead: fc.constantFrom(0, 1, 2, 60),
  capacity: fc.integer({ min: 1, max: 3 }),
  now: fc.integer({ min: -3_000, max: 1_500 }),
  from: fc.integer({ min: -1_500, max: 1_500 }),
  length: fc.integer({ min: 0, max: 2_000 }),
  byDate: fc.boolean(),
  booked: fc.array(fc.tuple(fc.integer({ min: -2_500, max: 3_000 }), fc.integer({ min: 1, max: 400 })), { maxLength: 8 }),
  busy: fc.array(fc.tuple(fc.integer({ min: -2_500, max: 3_000 }), fc.integer({ min: 1, max: 400 })), { maxLength: 2 }),
});

// Set SLOT_CALENDARS=10000 to test 10,000 calendars.
const calendars = Number(process.env.SLOT_CALENDARS ?? runs(300));

test(`slots agree with a brute-force check of each minute, for ${calendars} random calendars`, () => {
  fc.assert(
    fc.property(anyCalendar, (given) => {
      const [timeZone, change] = given.place;
      const [changes, minute] = [at(change), (minutes: number) => at(change) + minutes * minuteMs];
      const date = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
      const there = day(date(changes).toString());
      const rules: SlotRules = {
        ...given,
        timeZone,
        weekly: given.weekly,
        overrides: new Map(given.overrides.map(([away, of]) => [there + away, of])),
        closed: new Set(given.closed.map((away) => there + away)),
      };
      const occupied = {
        booked: given.booked.map(([from, length]) => ({ from: minute(from), until: minute(from + length) })),
        busy: given.busy.map(([from, length]) => ({ from: minute(from), until: minute(from + length) })),
      };
      const [from, until, now] = [minute(given.from), minute(given.from + given.length), minute(given.now)];
      // If the clocks go back over midnight, the later instant can have the earlier date.
      const [firstDate = '', lastDate = ''] = [date(from).toString(), date(until).toString()].toSorted();
      const dates = { firstDate, lastDate };
      const range = given.byDate
        ? rangeOf({ from: dates.firstDate, to: dates.lastDate })
        : rangeOf({ from: new Date(from).toISOString(), to: new Date(until).toISOString() });
      const found = presentSlots(slotsIn(rules, range, now, occupied)).map(({ start, remaining, localStart }) => ({
        start,
        remaining,
        localStart,
      }));
      assert.deepEqual(found, slowSlots(rules, given.byDate ? dates : { from, until }, now, occupied));
    }),
    { numRuns: calendars },
  );
});

test('a range has a maximum number of slots, and the estimate is never too low', () => {
  const all = Object.fromEntries(weekdays.map((name) => [name, around(['00:00', '24:00'])]));
  const dense = { ...base, durationMin: 5, slotIntervalMin: 5, weekly: all };
  const range = rangeOf({ from: '2026-03-01', to: '2026-05-01' });
  const now = at('2026-01-01T00:00Z');
  const slots = slotsIn(dense, range, now, nothing);
  assert.equal(slots.length, 62 * 288 - 12, 'one of the days has 23 hours');
  assert.ok(maxSlotsIn(dense, range) >= slots.length);
  // Twelve simultaneous openings, each with a separate grid.
  const grids = Array.from({ length: 12 }, (_, n): [string, string] => [`00:${String(n).padStart(2, '0')}`, '24:00']);
  const many = { ...dense, weekly: Object.fromEntries(weekdays.map((name) => [name, around(...grids)])) };
  assert.throws(() => slotsIn(many, range, now, nothing), { code: 'validation_failed' });
  const short = rangeOf({ from: '2026-03-01', to: '2026-03-03' });
  const some = slotsIn(many, short, now, nothing);
  assert.ok(some.length > 3_000 && some.length <= maxSlotsIn(many, short), String(some.length));
});
