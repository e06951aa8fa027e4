import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
import { yieldToEventLoop } from '../../platform/yield.ts';
import type { Status } from './states.ts';

/** An appointment as calendar files show it. `version` grows with each change: programs take the newer one. */
export type FiledBooking = {
  id: string;
  version: number;
  status: Status;
  start: string;
  end: string;
  title: string;
  description?: string | undefined;
  changedAt: string;
};

const productId = { company: 'Chancery', product: 'Bookings', language: 'EN' };
const shownAs: Partial<Record<Status, ICalEventStatus>> = {
  held: ICalEventStatus.TENTATIVE,
  pending: ICalEventStatus.TENTATIVE,
  cancelled: ICalEventStatus.CANCELLED,
  declined: ICalEventStatus.CANCELLED,
  expired: ICalEventStatus.CANCELLED,
};

/** Bookings that are written at once; of two thousand everybody else would wait for half a second. */
const atOnce = 50;
const end = 'END:VCALENDAR';

/** The same file of many bookings, written in turns. `whose`: the team that it is for. */
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
 * A calendar file (RFC 5545) of bookings. Times are in UTC, so that no program's zone data decide. Whoever reads it cannot manage the
 * bookings by it: it is passed on, and lies in calendars that others see.
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
