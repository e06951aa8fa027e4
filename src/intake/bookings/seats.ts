import type { Span } from './availability/index.ts';
import { clearSeats, giveSeats, activeBookingsAhead, type OccupiedSeat } from './calendar-queries.ts';
import type { Scope } from '../../platform/scope.ts';

/** The first seat that is free for the whole of a block. */
export function freeSeat(taken: readonly OccupiedSeat[], block: Span, capacity: number): number | undefined {
  const seats = new Set(taken.filter(([from, until]) => from < block.until && block.from < until).map(([, , seat]) => seat));
  for (let seat = 1; seat <= capacity; seat += 1) if (!seats.has(seat)) return seat;
  return undefined;
}

/** Seats for spans so that none overlap in one: as few as the most that overlap at any moment. */
export function seated<T extends Span>(spans: readonly T[]): Map<T, number> {
  const given = new Map<T, number>();
  const free: number[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from || a.until - b.until)) {
    const found = free.findIndex((until) => until <= span.from);
    const seat = found === -1 ? free.length : found;
    free[seat] = span.until;
    given.set(span, seat + 1);
  }
  return given;
}

const most = 20_000;

/**
 * Gives the bookings that stand other seats, so that one is free for a block: where appointments begin at shorter distances than they
 * last, there may be room at every moment of it, but in no one seat throughout. The caller holds the lock of the calendar.
 *
 * @param without a booking that is about to be moved there, and asks for no other time
 */
export async function makeSeat(scope: Scope, calendar: string, block: Span, without: string | undefined): Promise<number> {
  const { team, db } = scope;
  // Those too that have ended and are not written down as that: they have their seats still.
  const bookings = await db.all(activeBookingsAhead, { team, id: calendar, now: new Date(0), limit: most });
  const others = bookings
    .filter(({ id }) => id !== without)
    .map((row) => ({ ...row, from: Date.parse(row.blocks_from), until: Date.parse(row.blocks_until) }));
  const added = { id: '', seat: 0, from: block.from, until: block.until };
  const seats = seated<Span & { id: string; seat: number }>([...others, added]);
  const changed = [...seats].filter(([booking, seat]) => booking !== added && booking.seat !== seat);
  const ids = changed.map(([{ id }]) => id);
  db.send(clearSeats, { team, ids: without === undefined ? ids : [...ids, without] });
  db.send(giveSeats, { team, ids, seats: changed.map(([, seat]) => seat) });
  return seats.get(added) ?? 1;
}
