import type { Span } from './availability/index.ts';
import { clearSeats, setSeats, activeBookingsAhead, type OccupiedSeat } from './calendar-queries.ts';
import type { Scope } from '../../platform/scope.ts';

/** Returns the first seat that is free during a whole block. */
export function freeSeat(taken: readonly OccupiedSeat[], block: Span, capacity: number): number | undefined {
  const seats = new Set(taken.filter(([from, until]) => from < block.until && block.from < until).map(([, , seat]) => seat));
  for (let seat = 1; seat <= capacity; seat += 1) if (!seats.has(seat)) return seat;
  return undefined;
}

/** Assigns seats to spans so that no two spans in a seat overlap. Uses as few seats as possible. */
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
 * Reassigns the seats of active bookings to free one seat for a whole block. If appointments overlap, capacity may remain at every moment of a block
 * although no single seat is free for the whole block. The caller must have locked the calendar.
 *
 * @param without a booking that is about to move to the block and has no reschedule request
 */
export async function freeSeatFor(scope: Scope, calendar: string, block: Span, without: string | undefined): Promise<number> {
  const { team, db } = scope;
  // Include bookings that have ended but are not completed yet, because they still occupy their seats.
  const bookings = await db.all(activeBookingsAhead, { team, id: calendar, now: new Date(0), limit: most });
  const others = bookings
    .filter(({ id }) => id !== without)
    .map((row) => ({ ...row, from: Date.parse(row.blocks_from), until: Date.parse(row.blocks_until) }));
  const added = { id: '', seat: 0, from: block.from, until: block.until };
  const seats = seated<Span & { id: string; seat: number }>([...others, added]);
  const changed = [...seats].filter(([booking, seat]) => booking !== added && booking.seat !== seat);
  const ids = changed.map(([{ id }]) => id);
  db.send(clearSeats, { team, ids: without === undefined ? ids : [...ids, without] });
  db.send(setSeats, { team, ids, seats: changed.map(([, seat]) => seat) });
  return seats.get(added) ?? 1;
}
