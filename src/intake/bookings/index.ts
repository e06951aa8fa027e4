import { domain as fields } from '#fields';
import { domain as teams } from '#teams';
import { domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { bookingSettings, resolveBookingsSettings } from './config.ts';
import { open } from './open.ts';
import { sealedTokens } from './sealed.ts';
import { bookingTables } from './tables.ts';

/** Bookings: calendars, free slots and booked appointments. */
export const domain = defineDomain({
  name: 'bookings',
  // From webhooks, this domain uses the guarded connections to addresses of a team. They cannot reach the network of the operator.
  uses: { teams, fields, webhooks },
  settings: bookingSettings,
  settle: resolveBookingsSettings,
  tables: bookingTables,
  description: () => import('./description.ts'),
  sealed: sealedTokens,
  open,
});

export type { AboutInterface, AskInterfaces, BookingRight } from './interface-port.ts';
export type { BookedInSession, Visitor, Wish } from './book.ts';
export type { BookingLink } from './visitor.ts';
export type { BookingsForPages } from './for-pages.ts';
export { parseCalendar } from './parse-calendar.ts';
export { bookingsAhead, cancelAllOf, saveCalendar, setAccepting } from './calendars.ts';
export { availability as slotsOfCalendar } from './free-slots.ts';
export type { OpenBookings } from './open.ts';
export { type Availability, availability, daysAheadLimit, rangeQuery, type VisitorBooking } from './schemas.ts';
export { bookingProblems } from './problems.ts';
export { bookingsToDecide, hasBookingsToDecide } from './list-queries.ts';
