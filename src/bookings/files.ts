import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
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
