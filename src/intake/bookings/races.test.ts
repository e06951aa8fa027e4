import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { nextMonday, openBookingWorld } from '../../../test/bookings.ts';
import { type Chancery, sharedChancery, type TestTeam } from '../../../test/harness.ts';
import { Problem } from '../../platform/problems.ts';
import { book } from './book.ts';
import { cancelBooking, rescheduleBooking } from './change.ts';

let chancery: Chancery;
let team: TestTeam;
let world: Awaited<ReturnType<typeof openBookingWorld>>;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  world = await openBookingWorld(chancery, team.id);
  // Without open connections, the concurrent requests would run one after another.
  await many(16, () => world.calendar());
});
after(async () => {
  await world.close();
});

const day = nextMonday();
const at = (time: string) => `${day}T${time}:00.000Z`;
const many = <T>(n: number, work: (index: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: n }, (_, index) => work(index)));

/** Counts the results by code. An unexpected error fails the test with its message. */
function counted(outcomes: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const code = outcome.status === 'fulfilled' ? 'done' : outcome.reason instanceof Problem ? outcome.reason.code : String(outcome.reason);
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

const move = (id: string, time: string) =>
  world.act((scope) => rescheduleBooking(world.bookings, scope, { id, by: 'visitor', from: Date.parse(at(time)) }));
const cancel = (id: string) => world.act((scope) => cancelBooking(scope, { id, by: 'visitor' }));

/** Counts database rollbacks since a moment. Retries and deadlocks would appear here. */
const activeBookings = (calendar: string) =>
  chancery.pool
    .query(
      "SELECT starts_at, count(*)::int AS n FROM booking WHERE calendar_id = $1 AND status IN ('held', 'pending', 'confirmed') GROUP BY 1 ORDER BY 1",
      [calendar],
    )
    .then(({ rows }) => rows.map((row) => [row.starts_at.toISOString().slice(11, 16), row.n]));

test('of 50 concurrent bookings of one slot, one succeeds and 49 get slot_taken', async () => {
  const calendar = await world.calendar();
  const outcomes = await many(50, () => world.book({ calendar, start: at('10:00') }));
  assert.deepEqual(counted(outcomes), { done: 1, slot_taken: 49 });
  assert.deepEqual(await activeBookings(calendar), [['10:00', 1]]);
  assert.ok(!(await world.free(calendar, day)).includes('10:00'));
});

test('the same with 25 reschedules among them; a booking that cannot move keeps its time', async () => {
  const calendar = await world.calendar({ maxDaysAhead: 90, slotIntervalMin: 15, durationMin: 15 });
  const ids: string[] = [];
  for (let n = 0; n < 25; n += 1) {
    const time = `${String(9 + Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`;
    ids.push((await world.book({ calendar, start: at(time) })).bookingId);
  }
  const outcomes = await many<unknown>(50, (n): Promise<unknown> =>
    n % 2 === 0 ? world.book({ calendar, start: at('16:00') }) : move(ids[(n - 1) / 2] ?? '', '16:00'),
  );
  assert.deepEqual(counted(outcomes), { done: 1, slot_taken: 49 });
  const active = await activeBookings(calendar);
  assert.deepEqual(active.at(-1), ['16:00', 1]);
  assert.ok(active.every(([, n]) => n === 1));
  const moved = outcomes.some(({ status }, n) => status === 'fulfilled' && n % 2 === 1);
  assert.equal(active.length, moved ? 25 : 26);
});

test('of 60 concurrent bookings of a slot with capacity 3, three succeed', async () => {
  const calendar = await world.calendar({ capacity: 3 });
  const outcomes = await many(60, () => world.book({ calendar, start: at('11:00') }));
  assert.deepEqual(counted(outcomes), { done: 3, slot_taken: 57 });
  assert.deepEqual(await activeBookings(calendar), [['11:00', 3]]);
});

test('of many concurrent cancellations of a booking, one succeeds and the others get already_cancelled', async () => {
  const calendar = await world.calendar();
  const { bookingId } = await world.book({ calendar, start: at('12:00') });
  assert.deepEqual(counted(await many(20, () => cancel(bookingId))), { done: 1, already_cancelled: 19 });
  assert.deepEqual(await activeBookings(calendar), []);
});

test('concurrent moves of a booking to its own time change nothing', async () => {
  const calendar = await world.calendar({ bufferBeforeMin: 30, bufferAfterMin: 30 });
  const { bookingId } = await world.book({ calendar, start: at('12:00') });
  const outcomes = await many(20, () => move(bookingId, '12:00'));
  assert.deepEqual(counted(outcomes), { done: 20 });
  const { rows } = await chancery.pool.query('SELECT moved, version FROM booking WHERE id = $1', [bookingId]);
  assert.deepEqual(rows, [{ moved: 0, version: 1 }]);
  await move(bookingId, '12:30');
  assert.deepEqual(await activeBookings(calendar), [['12:30', 1]], 'the booking does not block itself');
});

test('two bookings that swap times concurrently both stay, without a deadlock', async () => {
  const calendar = await world.calendar();
  const a = await world.book({ calendar, start: at('13:00') });
  const b = await world.book({ calendar, start: at('13:30') });
  const outcomes = await Promise.allSettled([move(a.bookingId, '13:30'), move(b.bookingId, '13:00')]);
  assert.deepEqual(counted(outcomes), { slot_taken: 2 });
});

test('the database rejects overlapping bookings of one seat, regardless of the writer', async () => {
  const calendar = await world.calendar();
  const { bookingId } = await world.book({ calendar, start: at('14:00') });
  const copy = (from: string) =>
    chancery.pool.query(
      `INSERT INTO booking (team_id, id, calendar_id, status, starts_at, ends_at, blocks_from, blocks_until, seat, token_hash, token_sealed, locale, created_at, updated_at)
       SELECT team_id, gen_random_uuid(), calendar_id, 'confirmed', $2, $2::timestamptz + interval '30 minutes', $2, $2::timestamptz + interval '30 minutes',
         seat, sha256($2::text::bytea), token_sealed, locale, now(), now() FROM booking WHERE id = $1`,
      [bookingId, from],
    );
  await assert.rejects(copy(at('14:15')), /booking_no_two_in_a_seat/);
  await copy(at('14:30'));
});

test('if slots overlap, seats are reassigned so that a free slot stays bookable', async () => {
  const calendar = await world.calendar({ capacity: 2, durationMin: 60, slotIntervalMin: 30 });
  await world.book({ calendar, start: at('09:00') });
  await world.book({ calendar, start: at('10:30') });
  await world.book({ calendar, start: at('09:30') });
  assert.ok((await world.free(calendar, day)).includes('10:00'));
  await world.book({ calendar, start: at('10:00') });
  assert.deepEqual(await activeBookings(calendar), [
    ['09:00', 1],
    ['09:30', 1],
    ['10:00', 1],
    ['10:30', 1],
  ]);
  assert.ok(!(await world.free(calendar, day)).some((time) => ['09:00', '09:30', '10:00'].includes(time)));
});

test('seats are reassigned next to an appointment that ended but is not completed yet', async () => {
  const calendar = await world.calendar({ capacity: 2, durationMin: 60, slotIntervalMin: 30 });
  for (const time of ['09:00', '09:30', '10:30', '12:00', '11:00']) await world.book({ calendar, start: at(time) });
  const wish = { calendar, start: at('11:30'), visitor: { locale: 'en' } };
  const late = await world.act((scope) => book(world.bookings, scope, wish), new Date(at('10:05')));
  assert.equal(late.status, 'confirmed');
});
