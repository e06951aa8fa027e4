import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
import { yieldToEventLoop } from '../../platform/yield.ts';
import type { BookingState } from './states.ts';

/** An appointment in calendar files. `version` grows with each change, and calendar programs keep the newest version. */
export type FiledBooking = {
  id: string;
  version: number;
  status: BookingState;
  start: string;
  end: string;
  title: string;
  description?: string | undefined;
  changedAt: string;
};

const productId = { company: 'Chancery', product: 'Bookings', language: 'EN' };
const shownAs: Partial<Record<BookingState, ICalEventStatus>> = {
  held: ICalEventStatus.TENTATIVE,
  pending: ICalEventStatus.TENTATIVE,
  cancelled: ICalEventStatus.CANCELLED,
  declined: ICalEventStatus.CANCELLED,
  expired: ICalEventStatus.CANCELLED,
};

/** The number of bookings written before yielding. Writing 2,000 bookings would block the event loop for half a second. */
const atOnce = 50;
const end = 'END:VCALENDAR';

/** Writes a calendar file of many bookings and yields to the event loop regularly. The work counts against the capacity of `team`. */
export async function longCalendarFile(host: string, name: string, bookings: readonly FiledBooking[], team: string): Promise<string> {
  const turns = yieldToEventLoop(team);
  let text = calendarFile(host, name, bookings.slice(0, atOnce));
  const ends = text.slice(text.lastIndexOf(end));
  for (let at = atOnce; at < bookings.length; at += atOnce) {
    await turns.next();
    const part = calendarFile(host, name, bookings.slice(at, at + atOnce));
    text = text.slice(0, -ends.length) + part.slice(part.indexOf('\nBEGIN:VEVENT') + 1);
  }
  return text;
}

/**
 * Writes a calendar file (RFC 5545). Times are in UTC, so the result does not depend on zone data of other programs. The file has no
 * management link, because it can be forwarded or shown in shared calendars.
 */
export function calendarFile(host: string, name: string, bookings: readonly FiledBooking[]): string {
  const calendar = ical({ name, prodId: productId, method: ICalCalendarMethod.PUBLISH });
  for (const booking of bookings) {
    calendar.createEvent({
      id: `${booking.id}@${host}`,
      sequence: booking.version,
      start: new Date(booking.start),
      end: new Date(booking.end),
      stamp: new Date(booking.changedAt),
      summary: booking.title,
      status: shownAs[booking.status] ?? ICalEventStatus.CONFIRMED,
      busystatus: ICalEventBusyStatus.BUSY,
      ...(booking.description === undefined ? {} : { description: booking.description }),
    });
  }
  return calendar.toString();
}
