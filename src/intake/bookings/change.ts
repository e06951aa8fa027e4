import { randomUUIDv7 } from 'node:crypto';
import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { clearUndeliverable } from '../../platform/mail/undeliverable-queries.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { minuteMs, onlyAt } from './availability/index.ts';
import { rejectTakenSlot, type ReservedSlot, placeAt, requireAccepting, submissionOf, waitsUntil } from './book.ts';
import { rulesOf, withoutNotice } from './calendar.ts';
import { type CalendarAround, calendarAround } from './calendar-queries.ts';
import { type Bookings, bookingPlace } from './context.ts';
import type { AboutInterface } from './interface-port.ts';
import { bookingCancelled, bookingConfirmed, bookingRescheduleRequested, bookingRescheduled } from './events.ts';
import { around } from './free-slots.ts';
import { bookingProblems } from './problems.ts';
import * as queries from './queries.ts';
import { nextReminder } from './reminders.ts';
import type { Calendar } from './schemas.ts';
import { may, type BookingState, transitions } from './states.ts';
import { notifyOfBooking } from './send-notifications.ts';

/** Who changes a booking: the visitor or the team. The rules of the calendar apply to visitors and not to the team. */
export type By = 'visitor' | 'team';

/** A booking and its calendar, read while the calendar is locked. */
export type BookingForUpdate = { booking: queries.BookingRow; wish: queries.BookingRow | undefined; found: CalendarAround };

const most = 10;

/** Locks the calendar of a booking, then reads the booking and the occupied times around `from`. Throws 404 `booking_not_found`. */
export async function loadBookingForUpdate(scope: Scope, id: string, from = scope.now.getTime()): Promise<BookingForUpdate> {
  const { team, db } = scope;
  const one = { team, id };
  const { calendar_id: calendar } = (await db.first(queries.findBooking, one)) ?? missing();
  const { booking, wish, found } = await db.locked(queries.lockCalendarOf, one, () =>
    pipelined({
      booking: () => db.first(queries.findBooking, one),
      wish: () => db.first(queries.findWish, one),
      found: () => db.first(calendarAround, around(team, calendar, onlyAt(from), id)),
    }),
  );
  return booking && found ? { booking, wish, found } : missing();
}

function missing(): never {
  throw bookingProblems.booking_not_found('No booking belongs to this link. Use the complete link of the email.');
}

/** Returns whether the confirmation period has ended. The job that sets the status may not have run yet. */
const isExpired = ({ status, ends_waiting: waits }: queries.BookingRow, now: Date): boolean =>
  status === 'expired' || (waits !== null && new Date(waits) <= now);

/** Checks that a booking is active and has not started. Throws 409 `already_cancelled`, `booking_closed`, `booking_past`. */
export function requireActive(booking: queries.BookingRow, now: Date): void {
  const { status, starts_at: starts } = booking;
  if (status === 'cancelled') throw bookingProblems.already_cancelled('This booking is already cancelled. No further action is needed.');
  if (status === 'declined' || isExpired(booking, now))
    throw bookingProblems.booking_closed(
      `This booking was ${status === 'declined' ? 'declined' : 'not confirmed in time'}. Book another time.`,
    );
  if (!may('cancel', status) || new Date(starts) <= now)
    throw bookingProblems.booking_past('The appointment has already started. You cannot cancel or reschedule it.');
}

/** Returns the time until which a visitor can change a booking. */
export function changeUntil(start: Date, { changeUntilMin }: Calendar): Date {
  return new Date(start.getTime() - changeUntilMin * minuteMs);
}

function requireInTime({ starts_at: starts }: queries.BookingRow, calendar: Calendar, now: Date): void {
  const until = changeUntil(new Date(starts), calendar);
  if (now <= until) return;
  throw bookingProblems.too_late(`Changes were possible until ${until.toISOString()}. Contact the team that you booked with.`);
}

/**
 * Cancels a booking. Of two concurrent calls, the second one gets `already_cancelled`. Throws 404, 409 `already_cancelled`,
 * `booking_past` or `booking_closed`, and `too_late` for visitors.
 */
export async function cancelBooking(
  scope: Scope,
  { id, by, reason }: { id: string; by: By; reason?: string | undefined },
): Promise<queries.BookingRow> {
  const { booking, found } = await loadBookingForUpdate(scope, id);
  requireActive(booking, scope.now);
  if (by === 'visitor') requireInTime(booking, found.definition, scope.now);
  scope.db.send(queries.dropWishesOf, { team: scope.team, ids: [id] });
  const ended = await toStatus(scope, booking, 'cancel', { to: 'cancelled', by, reason: reason ?? null });
  await record(scope, bookingCancelled, id, { ...eventOf(ended), by });
  notifyOfBooking(scope, ended, 'cancelled', { by });
  return ended;
}

/** Returns whether a visitor can still cancel a booking. */
export function mayChange(booking: queries.BookingRow, calendar: Calendar, now: Date): boolean {
  const start = new Date(booking.starts_at);
  return may('cancel', booking.status) && !isExpired(booking, now) && now < start && now <= changeUntil(start, calendar);
}

/** Returns whether a visitor can still reschedule a booking, so that pages do not offer a change that would fail. */
export const mayMove = (
  booking: queries.BookingRow,
  { definition, accepting }: Pick<CalendarAround, 'definition' | 'accepting'>,
  about: AboutInterface | undefined,
  now: Date,
): boolean => mayChange(booking, definition, now) && accepting && about?.suspended !== true && booking.moved < most;

/** Returns whether a booking keeps its time until the team confirms the time that the visitor requested. */
export const reservesSlot = ({ status }: Pick<queries.BookingRow, 'status'>, { confirmation }: Calendar): boolean =>
  status === 'confirmed' && confirmation === 'manual';

export type Move = { id: string; by: By; from: number; end?: string | undefined };
/** The result of rescheduling: done, already at that time, or waiting for the confirmation of the team. */
export type Moved = { booking: queries.BookingRow; became: 'moved' | 'same' | 'requested' };

/**
 * Reschedules a booking to another slot by the rules for new bookings. The time of the booking itself counts as free. Rescheduling to the same time
 * succeeds without a change. With manual confirmation, the booking keeps its time until the team confirms, so both times are occupied. Throws the
 * errors of {@link cancelBooking} and {@link placeAt}, 410 `interface_closed`, and `reschedule_limit` for visitors.
 */
export async function rescheduleBooking(bookings: Bookings, scope: Scope, move: Move): Promise<Moved> {
  const { id, by, from, end } = move;
  const { booking, found } = await loadBookingForUpdate(scope, id, from);
  requireActive(booking, scope.now);
  const isSame = from === Date.parse(booking.starts_at);
  if (isSame && (end === undefined || Date.parse(end) === Date.parse(booking.ends_at))) {
    // Choosing the current time withdraws an earlier reschedule request.
    scope.db.send(queries.dropWishesOf, { team: scope.team, ids: [id] });
    return { booking, became: 'same' };
  }
  const { definition, holidays } = by === 'visitor' ? requireAccepting(found) : found;
  const rules = rulesOf(definition, holidays);
  if (by === 'visitor') {
    const about = await bookings.ask.about(scope.db, scope.team, booking.calendar_id);
    if (about?.suspended)
      throw bookingProblems.interface_closed(
        'Bookings of this form cannot be rescheduled at the moment. Your booking keeps its time. Contact the team that you booked with.',
      );
    requireInTime(booking, definition, scope.now);
    if (booking.moved >= most)
      throw bookingProblems.reschedule_limit(`This booking was already rescheduled ${most} times. Cancel it and book again.`);
  }
  const asks = by === 'visitor' && reservesSlot(booking, definition);
  // The new request replaces an earlier one. Delete it first so that it neither occupies time nor keeps a seat.
  scope.db.send(queries.dropWishesOf, { team: scope.team, ids: [id] });
  const near = asks ? await scope.db.first(calendarAround, around(scope.team, booking.calendar_id, onlyAt(from))) : found;
  const without = asks ? {} : { without: id };
  const place = await placeAt(scope, near, { rules: by === 'visitor' ? rules : withoutNotice(rules), from, end, ...without });
  return asks ? askMove(bookings, scope, { booking, place, definition }) : doMove(scope, { booking, place, definition, by });
}

type Moving = { booking: queries.BookingRow; place: ReservedSlot; definition: Calendar };

async function doMove(scope: Scope, { booking, place, definition, by }: Moving & { by: By }): Promise<Moved> {
  const moved = await putInto(scope, booking, place, { definition, counted: by === 'visitor' ? 1 : 0 });
  await record(scope, bookingRescheduled, booking.id, { ...eventOf(moved), previousStart: iso(booking.starts_at) });
  notifyOfBooking(scope, moved, 'moved', { by, before: iso(booking.starts_at) });
  return { booking: moved, became: 'moved' };
}

/** Puts a booking into a reserved slot. Schedules the reminders again with the current settings of the calendar. */
export async function putInto(
  scope: Scope,
  booking: queries.BookingRow,
  place: ReservedSlot,
  { definition, counted }: { definition: Calendar; counted: number },
): Promise<queries.BookingRow> {
  const reminders = definition.reminders;
  const moved = await rejectTakenSlot(() =>
    scope.db.first(queries.rescheduleBooking, {
      team: scope.team,
      id: booking.id,
      ...place,
      counted,
      waits: waitsUntil(booking.status, place.start, definition, scope.now),
      reminders,
      reminderAt: booking.status === 'confirmed' ? nextReminder(place.start, reminders, scope.now) : null,
      at: scope.now,
    }),
  );
  return moved ?? missing();
}

async function askMove(bookings: Bookings, scope: Scope, { booking, place, definition }: Moving): Promise<Moved> {
  const { team, now, db } = scope;
  const [id, token] = [randomUUIDv7(), newToken()];
  db.send(queries.countMove, { team, id: booking.id, at: now });
  await rejectTakenSlot(() =>
    db.all(queries.insertBooking, {
      team,
      id,
      calendar: booking.calendar_id,
      submission: null,
      status: 'pending',
      ...place,
      moves: booking.id,
      waits: waitsUntil('pending', place.start, definition, now),
      tokenHash: tokenHash(token),
      token: bookings.box.seal(token, bookingPlace(id)),
      email: null,
      emailKey: null,
      name: null,
      locale: booking.locale,
      zone: null,
      reminders: [],
      reminderAt: null,
      at: now,
    }),
  );
  const requested = { start: place.start.toISOString(), end: place.end.toISOString() };
  await record(scope, bookingRescheduleRequested, booking.id, { ...eventOf(booking), ...requested, previousStart: iso(booking.starts_at) });
  notifyOfBooking(scope, booking, 'move_requested', { requested: requested.start });
  return { booking, became: 'requested' };
}

/**
 * Confirms the mail address of a `held` booking. The booking becomes confirmed, or pending with manual confirmation. A repeated call changes nothing.
 * Throws 404, 409.
 */
export async function acknowledge(scope: Scope, id: string): Promise<queries.BookingRow> {
  const { booking, found } = await loadBookingForUpdate(scope, id);
  requireActive(booking, scope.now);
  if (booking.status !== 'held') return booking;
  if (booking.email !== null) scope.db.send(clearUndeliverable, { team: scope.team, address: booking.email, at: scope.now });
  const to = found.definition.confirmation === 'manual' ? 'pending' : 'confirmed';
  const saved = await toStatus(scope, booking, 'acknowledge', {
    to,
    by: null,
    reason: null,
    waits: waitsUntil(to, new Date(booking.starts_at), found.definition, scope.now),
  });
  if (to === 'confirmed') await record(scope, bookingConfirmed, id, eventOf(saved));
  notifyOfBooking(scope, saved, to);
  return saved;
}

type Change = { to: BookingState; by: 'visitor' | 'team' | 'time' | null; reason: string | null; waits?: Date | null };

/** Changes the status of a booking. The caller must have locked the calendar and checked the current status. */
export async function toStatus(
  scope: Scope,
  booking: queries.BookingRow,
  transition: keyof typeof transitions,
  { to, by, reason, waits = null }: Change,
): Promise<queries.BookingRow> {
  const starts = new Date(booking.starts_at);
  const changed = await scope.db.first(queries.setStatus, {
    team: scope.team,
    id: booking.id,
    from: transitions[transition].from,
    to,
    waits,
    by,
    reason,
    reminderAt: to === 'confirmed' ? nextReminder(starts, booking.reminders, scope.now) : null,
    at: scope.now,
  });
  return changed ?? missing();
}

/** Formats a database time for responses. */
export const iso = (time: string) => new Date(time).toISOString();

/** Returns the event data of a booking. */
export function eventOf(row: queries.BookingRow) {
  return {
    interfaceId: row.calendar_id,
    ...submissionOf(row.submission_id),
    start: iso(row.starts_at),
    end: iso(row.ends_at),
    status: row.status,
  };
}
