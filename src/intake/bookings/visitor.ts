import type { Database, Reader } from '../../platform/database/database.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { isToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { enterTeam, type PublicScope, type Scope } from '../../platform/scope.ts';
import { instantOf, minuteMs } from './availability/index.ts';
import { type CalendarRow, findCalendar } from './calendar-queries.ts';
import { notOffered } from './book.ts';
import { acknowledge, cancelBooking, changeUntil, iso, reservesSlot, mayChange, mayMove, rescheduleBooking } from './change.ts';
import { type Bookings, linksOf } from './context.ts';
import { calendarFile } from './files.ts';
import { availability, noSlots } from './free-slots.ts';
import { bookingProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Availability, BookingResult, VisitorBooking } from './schemas.ts';

/** The credentials of a visitor: the team in the path and the token of the booking. */
export type BookingLink = { teamId: string; token: string };

const missing = () => bookingProblems.booking_not_found('No booking belongs to this link. Use the complete link of the email.');

async function bookingOfLink(db: Pick<Reader, 'first'>, { teamId, token }: BookingLink): Promise<{ team: string; id: string }> {
  if (!isUuid(teamId) || !isToken(token)) throw missing();
  const team = teamId.toLowerCase();
  const found = await db.first(queries.bookingByToken, { team, hash: tokenHash(token) });
  if (!found) throw missing();
  return { team, id: found.id };
}

/** Returns a scope in the team of a booking link that can write, with the visitor as the actor. Throws 404. */
async function enterByBooking(scope: PublicScope, link: BookingLink): Promise<{ scope: Scope; id: string }> {
  const { team, id } = await bookingOfLink(scope.db, link);
  return { scope: enterTeam(scope, team, { type: 'visitor', id }), id };
}

type Found = { team: string; db: Reader; booking: queries.BookingRow; wish: queries.BookingRow | undefined; calendar: CalendarRow };

async function readBooking({ publicReader, reader }: Pick<Database, 'publicReader' | 'reader'>, link: BookingLink): Promise<Found> {
  const { team, id } = await bookingOfLink(publicReader, link);
  return foundBooking(reader(team), team, id);
}

async function foundBooking(db: Reader, team: string, id: string): Promise<Found> {
  const { booking, wish } = await pipelined({
    booking: () => db.first(queries.findBooking, { team, id }),
    wish: () => db.first(queries.findWish, { team, id }),
  });
  const calendar = booking && (await db.first(findCalendar, { team, id: booking.calendar_id }));
  if (!calendar) throw missing();
  return { team, db, booking, wish, calendar };
}

/** Returns a booking for its visitor. The title is in `locale`, or in the language of the booking. Throws 404 `booking_not_found`. */
export async function showBooking(
  bookings: Bookings,
  database: Pick<Database, 'publicReader' | 'reader'>,
  link: BookingLink,
  now: Date,
  locale?: string,
): Promise<VisitorBooking> {
  return present(bookings, await readBooking(database, link), link, now, locale);
}

async function present(bookings: Bookings, found: Found, link: BookingLink, now: Date, locale?: string): Promise<VisitorBooking> {
  const { team, db, booking, wish, calendar } = found;
  const about = await bookings.ask.about(db, team, calendar.id);
  const { definition } = calendar;
  const until = changeUntil(new Date(booking.starts_at), definition);
  const zoned = Temporal.Instant.from(iso(booking.starts_at)).toZonedDateTimeISO(definition.timeZone);
  return {
    bookingId: booking.id,
    status: booking.status,
    ...(about === undefined ? {} : { title: about.titleIn(locale ?? booking.locale), with: about.by }),
    start: iso(booking.starts_at),
    end: iso(booking.ends_at),
    localStart: zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
    timeZone: definition.timeZone,
    ...(booking.visitor_zone === null ? {} : { visitorTimeZone: booking.visitor_zone }),
    // The booked length, even if the calendar has changed since.
    durationMin: (Date.parse(booking.ends_at) - Date.parse(booking.starts_at)) / minuteMs,
    mayCancel: mayChange(booking, definition, now),
    mayReschedule: mayMove(booking, calendar, about, now),
    changeUntil: until.toISOString(),
    ...(wish === undefined ? {} : { requested: { start: iso(wish.starts_at), end: iso(wish.ends_at) } }),
    ...(booking.reason === null ? {} : { reason: booking.reason }),
    icsUrl: linksOf(bookings, team, link.token).icsUrl,
  };
}

/** Returns the team and interface of a booking. Throws 404 `booking_not_found`. */
export async function interfaceOfBooking(
  database: Pick<Database, 'publicReader' | 'reader'>,
  link: BookingLink,
): Promise<{ team: string; id: string }> {
  const { team, calendar } = await readBooking(database, link);
  return { team, id: calendar.id };
}

/** Returns the booking as a calendar file without a management link. Throws 404. */
export async function bookingFile(
  bookings: Bookings,
  database: Pick<Database, 'publicReader' | 'reader'>,
  link: BookingLink,
): Promise<string> {
  const { team, db, booking, calendar } = await readBooking(database, link);
  const about = await bookings.ask.about(db, team, calendar.id);
  const title = about === undefined ? 'Appointment' : `${about.titleIn(booking.locale)} (${about.by})`;
  const { id, version, status, starts_at: start, ends_at: end, updated_at: changedAt } = booking;
  return calendarFile(new URL(bookings.baseUrl).hostname, title, [{ id, version, status, start, end, title, changedAt }]);
}

/**
 * Returns the slots to which a booking can be rescheduled, or none. Its own time counts as free, unless it stays reserved until the team confirms.
 * Throws 400, 404.
 */
export async function slotsForMove(
  bookings: Bookings,
  database: Pick<Database, 'publicReader' | 'reader'>,
  link: BookingLink,
  requested: { from: string; to: string },
  now: Date,
): Promise<Availability> {
  const { team, db, booking, wish, calendar } = await readBooking(database, link);
  const about = await bookings.ask.about(db, team, calendar.id);
  if (!mayMove(booking, calendar, about, now)) return noSlots(calendar.definition, requested);
  const without = reservesSlot(booking, calendar.definition) ? wish?.id : booking.id;
  return availability({ db, team, now }, calendar.id, requested, without);
}

export async function cancelByLink(scope: PublicScope, link: BookingLink): Promise<BookingResult> {
  const { scope: entered, id } = await enterByBooking(scope, link);
  return resultOf(await cancelBooking(entered, { id, by: 'visitor' }));
}

/** Confirms the mail address of the visitor. Throws the errors of `acknowledge`. */
export async function confirmByLink(bookings: Bookings, scope: PublicScope, link: BookingLink): Promise<VisitorBooking> {
  const { scope: entered, id } = await enterByBooking(scope, link);
  await acknowledge(entered, id);
  return present(bookings, await foundBooking(entered.db, entered.team, id), link, entered.now);
}

/** Reschedules a booking through its link. Throws the errors of `rescheduleBooking`, and 422 `slot_not_offered` for an invalid time. */
export async function moveByLink(
  bookings: Bookings,
  scope: PublicScope,
  link: BookingLink,
  { start, end }: { start: string; end?: string },
): Promise<BookingResult> {
  const from = instantOf(start);
  if (from === undefined) throw notOffered('`start` must be a time with its offset, such as 2026-10-05T09:00:00Z.');
  const { scope: entered, id } = await enterByBooking(scope, link);
  const { booking, became } = await rescheduleBooking(bookings, entered, { id, by: 'visitor', from, end });
  return { ...resultOf(booking), ...(became === 'requested' ? { requestedStart: new Date(from).toISOString() } : {}) };
}

function resultOf(booking: queries.BookingRow): BookingResult {
  return {
    success: true,
    bookingId: booking.id,
    status: booking.status,
    start: iso(booking.starts_at),
    end: iso(booking.ends_at),
  };
}
