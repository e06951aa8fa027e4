import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { eventOf, type BookingForUpdate, loadBookingForUpdate, putInto, requireActive, toStatus } from './change.ts';
import { bookingConfirmed, bookingDeclined, bookingExpired, bookingMissed, bookingRescheduled } from './events.ts';
import { bookingProblems } from './problems.ts';
import * as queries from './queries.ts';
import { may } from './states.ts';
import { notifyOfBooking } from './send-notifications.ts';

const notWaiting = (detail: string) => bookingProblems.booking_not_pending(detail);

/**
 * Confirms a pending booking. If the visitor requested another time, reschedules the booking to that time instead. Throws 404, 409
 * `booking_not_pending`, and the errors of {@link requireActive}.
 */
export async function confirmBooking(scope: Scope, id: string): Promise<queries.BookingRow> {
  const loaded = await loadBookingForUpdate(scope, id);
  requireActive(loaded.booking, scope.now);
  if (loaded.wish) return confirmMove(scope, loaded, loaded.wish);
  if (!may('confirm', loaded.booking.status)) throw notWaiting('This booking is not pending. Read it to see its status.');
  const booking = await toStatus(scope, loaded.booking, 'confirm', { to: 'confirmed', by: null, reason: null });
  await record(scope, bookingConfirmed, id, eventOf(booking));
  notifyOfBooking(scope, booking, 'confirmed');
  return booking;
}

async function confirmMove(scope: Scope, { booking, found }: BookingForUpdate, wish: queries.BookingRow): Promise<queries.BookingRow> {
  requireActive(wish, scope.now);
  const { team, db } = scope;
  // The seat passes from the request to the booking in one transaction, so no other booking can get it in between.
  const given = await db.first(queries.dropWish, { team, id: booking.id });
  if (!given) throw notWaiting('The visitor no longer requests another time.');
  const place = {
    start: new Date(given.starts_at),
    end: new Date(given.ends_at),
    blocksFrom: new Date(given.blocks_from),
    blocksUntil: new Date(given.blocks_until),
    seat: given.seat,
  };
  const moved = await putInto(scope, booking, place, { definition: found.definition, counted: 0 });
  await record(scope, bookingRescheduled, booking.id, { ...eventOf(moved), previousStart: new Date(booking.starts_at).toISOString() });
  notifyOfBooking(scope, moved, 'moved', { by: 'team', before: new Date(booking.starts_at).toISOString() });
  return moved;
}

/**
 * Declines a pending booking. If the visitor requested another time, declines only the request and keeps the booking. Throws the
 * errors of {@link confirmBooking}.
 */
export async function declineBooking(
  scope: Scope,
  { id, reason }: { id: string; reason?: string | undefined },
): Promise<queries.BookingRow> {
  const { booking, wish } = await loadBookingForUpdate(scope, id);
  requireActive(booking, scope.now);
  if (wish) {
    scope.db.send(queries.dropWishesOf, { team: scope.team, ids: [id] });
    await record(scope, bookingDeclined, id, { ...eventOf(booking), by: 'team' });
    scope.db.send(queries.storeReason, { team: scope.team, id, reason: reason ?? null });
    notifyOfBooking(scope, booking, 'move_declined');
    return booking;
  }
  if (!may('decline', booking.status)) throw notWaiting('This booking is not pending. Cancel it instead.');
  const declined = await toStatus(scope, booking, 'decline', { to: 'declined', by: 'team', reason: reason ?? null });
  await record(scope, bookingDeclined, id, { ...eventOf(declined), by: 'team' });
  notifyOfBooking(scope, declined, 'declined');
  return declined;
}

/** Records that the visitor did not come. Throws 404, 409 `booking_not_pending`. */
export async function missedBooking(scope: Scope, id: string): Promise<queries.BookingRow> {
  const { booking } = await loadBookingForUpdate(scope, id);
  if (!may('noShow', booking.status) || new Date(booking.starts_at) > scope.now)
    throw notWaiting('You can record a no-show only for a confirmed appointment that has started.');
  const missed = await toStatus(scope, booking, 'noShow', { to: 'no_show', by: 'team', reason: null });
  await record(scope, bookingMissed, id, eventOf(missed));
  return missed;
}

/** Expires an unconfirmed booking or reschedule request. Checks under the lock that it still waits. */
export async function expireBooking(scope: Scope, id: string): Promise<void> {
  const { team, now, db } = scope;
  const row = await db.first(queries.findBooking, { team, id });
  const { booking } = await loadBookingForUpdate(scope, row?.moves ?? id);
  const waiting = row?.moves === null ? booking : await db.first(queries.findBooking, { team, id });
  if (!waiting || waiting.ends_waiting === null || new Date(waiting.ends_waiting) > now) return;
  const by = { by: 'time' as const };
  if (row?.moves !== null) {
    db.send(queries.dropWishesOf, { team, ids: [booking.id] });
    await record(scope, bookingExpired, booking.id, { ...eventOf(booking), ...by });
    notifyOfBooking(scope, booking, 'move_declined', { by: 'time' });
    return;
  }
  db.send(queries.dropWishesOf, { team, ids: [id] });
  const expired = await toStatus(scope, booking, 'expire', { to: 'expired', by: 'time', reason: null });
  await record(scope, bookingExpired, id, { ...eventOf(expired), ...by });
  notifyOfBooking(scope, expired, 'expired');
}
