import { randomUUIDv7 } from 'node:crypto';
import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { violates } from '../../platform/database/errors.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { blockOf, instantOf, minuteMs, onlyAt, type SlotRules } from './availability/index.ts';
import { rulesOf } from './calendar.ts';
import { type CalendarAround, calendarAround, lockCalendar } from './calendar-queries.ts';
import { type Bookings, bookingPlace, linksOf } from './context.ts';
import { bookingCreated } from './events.ts';
import { around, slotAt } from './free-slots.ts';
import { bookingProblems } from './problems.ts';
import * as queries from './queries.ts';
import { nextReminder } from './reminders.ts';
import type { Calendar } from './schemas.ts';
import { freeSeat, freeSeatFor } from './seats.ts';
import type { BookingState } from './states.ts';
import { notifyOfBooking } from './send-notifications.ts';

/** The person who books. `locale` and `timeZone` determine the format of times in mails. */
export type Visitor = { email?: string; name?: string; locale: string; timeZone?: string };
export type Wish = { calendar: string; submission?: string; start: string; end?: string; visitor: Visitor };
export type Booked = {
  bookingId: string;
  status: BookingState;
  start: string;
  end: string;
  manageToken: string;
  manageUrl: string;
  icsUrl: string;
};
/** A booking in the response to the session that made it. It has no links until the visitor opens the mailed link. */
export type BookedInSession = Omit<Booked, 'manageToken' | 'manageUrl' | 'icsUrl'> & Partial<Booked>;

/** The time within which a visitor must open the mailed link, and the team must confirm a booking. */
export const confirmationMs = 15 * minuteMs;
const pendingMs = 48 * 60 * minuteMs;

/** A reserved time in a calendar, with its buffers and its seat. */
export type ReservedSlot = { start: Date; end: Date; blocksFrom: Date; blocksUntil: Date; seat: number };

/**
 * Books a slot in the transaction of the caller. Locks the calendar and then checks the slot by the same rules as the list of slots.
 * Throws 409 `slot_taken`, `too_many_bookings` or `calendar_missing`, 410 `interface_closed`, 422 `slot_not_offered`.
 */
export async function book(bookings: Bookings, scope: Scope, wish: Wish): Promise<Booked> {
  const { team, now, db } = scope;
  const { calendar, visitor } = wish;
  const from = startOf(wish.start);
  const emailKey = visitor.email?.toLowerCase() ?? null;
  const facts = around(team, calendar, onlyAt(from));
  const { found, ahead } = await db.locked(lockCalendar, { team, id: calendar }, () =>
    pipelined({
      found: () => db.first(calendarAround, facts),
      ahead: () => (emailKey === null ? undefined : db.first(queries.aheadOfAddress, { team, calendar, address: emailKey, now })),
    }),
  );
  const { definition, holidays } = requireAccepting(found);
  if ((ahead?.ahead ?? 0) >= definition.maxPerAddress)
    throw bookingProblems.too_many_bookings(
      `This email address already has ${ahead?.ahead} future bookings. Cancel or reschedule one of them with the link in its email.`,
    );
  const place = await placeAt(scope, found, { rules: rulesOf(definition, holidays), from, end: wish.end });
  const [id, token] = [randomUUIDv7(), newToken()];
  const status = firstStatus(definition, visitor);
  await rejectTakenSlot(() =>
    db.all(queries.insertBooking, {
      team,
      id,
      calendar,
      submission: wish.submission ?? null,
      status,
      ...place,
      moves: null,
      waits: waitsUntil(status, place.start, definition, now),
      tokenHash: tokenHash(token),
      token: bookings.box.seal(token, bookingPlace(id)),
      email: visitor.email ?? null,
      emailKey,
      name: visitor.name ?? null,
      locale: visitor.locale,
      zone: visitor.timeZone ?? null,
      reminders: definition.reminders,
      reminderAt: status === 'confirmed' ? nextReminder(place.start, definition.reminders, now) : null,
      at: now,
    }),
  );
  const [start, end] = [place.start.toISOString(), place.end.toISOString()];
  await record(scope, bookingCreated, id, { interfaceId: calendar, ...submissionOf(wish.submission ?? null), start, end, status });
  notifyOfBooking(scope, { id, starts_at: start }, status === 'held' || status === 'pending' ? status : 'confirmed');
  return { bookingId: id, status, start, end, manageToken: token, ...linksOf(bookings, team, token) };
}

/** Returns the submission member of an event, if there is a submission. */
export const submissionOf = (submission: string | null) => (submission === null ? {} : { submissionId: submission });

/** Returns the first status of a booking. Only a visitor with an email address can be required to confirm by mail. */
function firstStatus({ confirmByMail, confirmation }: Calendar, { email }: Visitor): BookingState {
  if (confirmByMail && email !== undefined) return 'held';
  return confirmation === 'manual' ? 'pending' : 'confirmed';
}

/** Returns when an unconfirmed booking expires. A pending booking expires once its slot can no longer be booked. */
export function waitsUntil(status: BookingState, start: Date, { minNoticeMin }: Calendar, now: Date): Date | null {
  if (status === 'held') return new Date(Math.min(now.getTime() + confirmationMs, start.getTime()));
  if (status !== 'pending') return null;
  const notice = Math.max(start.getTime() - minNoticeMin * minuteMs, now.getTime() + confirmationMs);
  return new Date(Math.min(now.getTime() + pendingMs, notice, start.getTime()));
}

function startOf(text: string): number {
  const at = instantOf(text);
  if (at !== undefined) return at;
  throw notOffered('`start` must be a time with its offset, such as 2026-10-05T09:00:00Z.');
}

export const notOffered = (detail: string) => bookingProblems.slot_not_offered(detail);

/** Returns the calendar if it accepts bookings. Throws 409 `calendar_missing`, 410 `interface_closed`. */
export function requireAccepting(found: CalendarAround | undefined): CalendarAround {
  if (!found) throw bookingProblems.calendar_missing('This form has no calendar yet, so it has no free times. Ask the sender of the link.');
  if (!found.accepting) throw bookingProblems.interface_closed('Bookings are closed. You cannot book or reschedule an appointment.');
  return found;
}

type Sought = { rules: SlotRules; from: number; end?: string | undefined; without?: string };

/**
 * Finds a free seat for the slot that begins at `from`. The caller must have locked the calendar. Throws 409 `slot_taken`, 422
 * `slot_not_offered`.
 */
export async function placeAt(
  scope: Scope,
  found: CalendarAround | undefined,
  { rules, from, end, without }: Sought,
): Promise<ReservedSlot> {
  const slot = found && slotAt(found, rules, from, scope.now);
  if (!slot) throw notOffered('No slot begins at this time. Choose one from the list of free times.');
  if (end !== undefined && instantOf(end) !== slot.until)
    throw notOffered(`The appointment at this time ends at ${new Date(slot.until).toISOString()}. Omit \`end\`, or send this time.`);
  if (slot.remaining === 0) throw taken();
  const block = blockOf(rules, from);
  const seat = freeSeat(found.booked, block, rules.capacity) ?? (await freeSeatFor(scope, found.id, block, without));
  return {
    start: new Date(from),
    end: new Date(slot.until),
    blocksFrom: new Date(block.from),
    blocksUntil: new Date(block.until),
    seat,
  };
}

const taken = () => bookingProblems.slot_taken('Another visitor booked this time. Choose another from the list of free times.');

/** Stores a booking in a reserved slot. Throws 409 `slot_taken` if the exclusion constraint of the database rejects the seat. */
export async function rejectTakenSlot<T>(put: () => Promise<T>): Promise<T> {
  try {
    return await put();
  } catch (error) {
    throw violates(error, 'booking_no_two_in_a_seat') ? taken() : error;
  }
}
