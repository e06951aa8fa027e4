import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayIn, daysOf, endOfDay, type KeyDates, reminderOf, termOn } from './calculate.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const agreed = (members: Partial<KeyDates>): KeyDates => ({
  effectiveAt: null,
  expiresAt: null,
  noticePeriod: null,
  renewal: 'none',
  renewalPeriod: null,
  ...members,
});
const term = (dates: KeyDates, today: string) => {
  const found = termOn(dates, day(today));
  return [found?.endsAt.toString(), found?.noticeAt?.toString()];
};

test('notice is counted back by the calendar, and clamped to the end of a shorter month', () => {
  const until = (expiresAt: string, noticePeriod: string) => term(agreed({ expiresAt, noticePeriod }), '2026-01-01')[1];
  assert.equal(until('2027-05-31', 'P3M'), '2027-02-28');
  assert.equal(until('2028-05-31', 'P3M'), '2028-02-29');
  assert.equal(until('2027-12-31', 'P6W'), '2027-11-19');
  assert.equal(until('2028-02-29', 'P1Y'), '2027-02-28');
  assert.equal(until('2027-03-01', 'P1M1D'), '2027-01-31');
  // A past date stays unchanged without automatic renewal.
  assert.deepEqual(term(agreed({ expiresAt: '2020-05-31', noticePeriod: 'P1M', renewal: 'by_agreement' }), '2026-01-01'), [
    '2020-05-31',
    '2020-04-30',
  ]);
  assert.deepEqual(daysOf(agreed({}), day('2026-01-01')), {});
});

test('a renewal continues with the next term once notice is too late, and ends of months do not drift', () => {
  const yearly = agreed({ expiresAt: '2026-12-31', noticePeriod: 'P3M', renewal: 'tacit', renewalPeriod: 'P1Y' });
  assert.deepEqual(term(yearly, '2026-09-30'), ['2026-12-31', '2026-09-30']);
  assert.deepEqual(term(yearly, '2026-10-01'), ['2027-12-31', '2027-09-30']);
  assert.deepEqual(Object.keys(daysOf(yearly, day('2026-10-01'))), ['notice'], 'it does not expire without notice');
  const monthly = agreed({ expiresAt: '2026-01-31', renewal: 'tacit', renewalPeriod: 'P1M' });
  assert.deepEqual(
    ['2026-02-15', '2026-03-01', '2026-04-30', '2026-05-01'].map((today) => term(monthly, today)[0]),
    ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
  );
});

test('the term is the first that can still be ended by notice, as when counted one by one', () => {
  const span = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('D', 'W', 'M')).map(([many, unit]) => `P${many}${unit}`);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4_000 }),
      fc.integer({ min: 0, max: 8_000 }),
      span,
      fc.option(span),
      (end, now, renewalPeriod, noticePeriod) => {
        const from = day('2020-01-31');
        const first = from.add({ days: end });
        const today = from.add({ days: now });
        const found = termOn(agreed({ expiresAt: first.toString(), noticePeriod, renewal: 'tacit', renewalPeriod }), today);
        for (let renewals = 0; ; renewals += 1) {
          const { weeks, months, days } = Temporal.Duration.from(renewalPeriod);
          const endsAt = first.add({ months: months * renewals, days: (weeks * 7 + days) * renewals });
          const noticeAt = noticePeriod === null ? undefined : endsAt.subtract(noticePeriod);
          if (Temporal.PlainDate.compare(noticeAt ?? endsAt, today) < 0) continue;
          assert.deepEqual([found?.endsAt.toString(), found?.noticeAt?.toString()], [endsAt.toString(), noticeAt?.toString()]);
          return;
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('days begin and are announced by the clocks of the zone, also when these change', () => {
  const said = (date: string, before: string, zone: string) => reminderOf(day(date), before, zone).toISOString();
  assert.equal(said('2026-04-28', 'P30D', 'Europe/Berlin'), '2026-03-29T05:00:00.000Z', 'the clocks went forward that night');
  assert.equal(said('2026-03-28', 'P0D', 'Europe/Berlin'), '2026-03-28T06:00:00.000Z');
  assert.equal(said('2026-06-02', 'P1D', 'Pacific/Auckland'), '2026-05-31T19:00:00.000Z');
  // In Cairo that day has no midnight.
  assert.equal(endOfDay(day('2026-04-23'), 'Africa/Cairo').toISOString(), '2026-04-23T22:00:00.000Z');
  assert.equal(dayIn('Pacific/Auckland', new Date('2026-06-01T13:00:00Z')).toString(), '2026-06-02');
});
