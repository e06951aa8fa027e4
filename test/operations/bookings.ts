import type { CalendarBody } from '../../src/intake/bookings/schemas.ts';
import { open, rows, thing } from '../access/rows.ts';
import { beginBooking, bookIn, nextMonday, plainCalendar } from '../bookings.ts';
import { type ActEntry, type Acts, type ActWorld, on } from '../suites/acts/kit.ts';

/* Access rows and actions of bookings for the walks. */

const byLink = '/api/v1/interfaces/booking/{teamId}/{token}';

const linkAccess = rows(byLink, {
  'GET ': open,
  'GET /calendar.ics': open,
  'GET /availability': open,
  'POST /cancel': open,
  'POST /confirm': open,
  'POST /reschedule': open,
});

const interfaces = '/api/v1/interfaces';
const day = nextMonday();
/** Callers who can read submissions or edit the interface. A share of the folder with the submissions gives no access to the form. */
const readers = 'y y y 404 404 · 404 404 404 y 403 403';
const editors = 'y y y 404 404 · 404 403 403 y 403 403';
const busy = { addresses: [{ name: 'Private', url: 'https://calendar.example/private.ics' }] };

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const bookingAccess = {
  ...rows(interfaces, {
    'GET /feed/{teamId}/{token}/calendar.ics': open,
    'GET /{id}/calendar': thing('bookingForm', readers),
    'PUT /{id}/calendar': thing('bookingForm', editors, () => ({ ...plainCalendar, capacity: 2 })),
    'GET /{id}/calendar/slots': thing('bookingForm', readers),
    'POST /{id}/calendar/feed': thing('bookingForm', 'y y y 404 404 · 404 403 403 403 403 403'),
    'DELETE /{id}/calendar/feed': thing('bookingForm', editors),
    'GET /{id}/calendar/busy': thing('bookingForm', readers),
    'PUT /{id}/calendar/busy': thing('bookingForm', editors, () => busy),
    'GET /{id}/bookings': thing('bookingForm', readers),
    'GET /{id}/bookings/{bookingId}': thing('bookingForm', readers),
    'POST /{id}/bookings/{bookingId}/confirm': thing('bookingForm', editors),
    'POST /{id}/bookings/{bookingId}/decline': thing('bookingForm', editors, () => ({ reason: 'Away' })),
    'POST /{id}/bookings/{bookingId}/cancel': thing('bookingForm', editors, () => ({})),
    'POST /{id}/bookings/{bookingId}/move': thing('bookingForm', editors, () => ({ start: `${day}T11:00:00Z` })),
    'POST /{id}/bookings/{bookingId}/no-show': thing('pastBooking', editors),
  }),
  'GET /api/v1/bookings': thing('bookingForm', 's s s u u · u u u s 403 403'),
  ...linkAccess,
};

/** Creates an interface with a calendar and a booking. */
async function booked(world: ActWorld, calendar: Partial<CalendarBody> = {}) {
  const { id } = await world.made('POST', `${interfaces}/`, {
    title: 'Walked',
    type: 'form',
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
  });
  await world.made('PUT', `${interfaces}/${id}/calendar`, { ...plainCalendar, ...calendar });
  return { id, ...(await bookIn(world.chancery, world.owner.team, id, { email: 'visitor@example.org' })) };
}

/** Inserts a booking with a known link. */
export async function seedBooking(chancery: ActWorld['chancery'], team: string, id: string, token: string) {
  const answer = await chancery.call('PUT', `${interfaces}/${id}/calendar`, { token, body: plainCalendar });
  if (answer.status !== 200) throw new Error(answer.text);
  return bookIn(chancery, team, id, { email: 'visitor@example.org' });
}

const linked = (verb: string, body: unknown, calendar: Partial<CalendarBody>, ...entries: string[]): ActEntry => ({
  entries,
  async prepare(world) {
    const { manageToken } = await booked(world, calendar);
    const path = `${interfaces}/booking/${world.owner.team}/${manageToken}/${verb}`;
    return () => world.chancery.call('POST', path, body === undefined ? {} : { body });
  },
});

const calendar = `${interfaces}/{id}/calendar`;
const booking = `${interfaces}/{id}/bookings/{bookingId}`;
type Booked = { id: string; bookingId: string };
const decided = (verb: string, body: unknown, given: Partial<CalendarBody>, ...entries: string[]) =>
  on(
    (world) => booked(world, given),
    'POST',
    ({ id, bookingId }: Booked) => `${interfaces}/${id}/bookings/${bookingId}/${verb}`,
    body,
    ...entries,
  );
const manual = { confirmation: 'manual' } as const;

/** The journal entries of each operation that changes something, and its call. */
export const bookingActs: Acts = {
  [`PUT ${calendar}`]: on(
    booked,
    'PUT',
    ({ id }: Booked) => `${interfaces}/${id}/calendar`,
    { ...plainCalendar, capacity: 2 },
    'calendar.changed',
  ),
  [`POST ${calendar}/feed`]: on(
    booked,
    'POST',
    ({ id }: Booked) => `${interfaces}/${id}/calendar/feed`,
    undefined,
    'calendar.feed_rotated',
  ),
  [`DELETE ${calendar}/feed`]: on(
    async (world) => {
      const made = await booked(world);
      await world.made('POST', `${interfaces}/${made.id}/calendar/feed`);
      return made;
    },
    'DELETE',
    ({ id }: Booked) => `${interfaces}/${id}/calendar/feed`,
    undefined,
    'calendar.feed_ended',
  ),
  [`PUT ${calendar}/busy`]: on(booked, 'PUT', ({ id }: Booked) => `${interfaces}/${id}/calendar/busy`, busy, 'calendar.changed'),
  [`POST ${booking}/confirm`]: decided('confirm', undefined, manual, 'booking.confirmed'),
  [`POST ${booking}/decline`]: decided('decline', { reason: 'Away' }, manual, 'booking.declined'),
  [`POST ${booking}/cancel`]: decided('cancel', {}, {}, 'booking.cancelled'),
  [`POST ${booking}/move`]: decided('move', { start: `${day}T11:00:00Z` }, {}, 'booking.rescheduled'),
  [`POST ${booking}/no-show`]: on(
    async (world) => {
      const made = await booked(world);
      await beginBooking(world.chancery, made.bookingId);
      return made;
    },
    'POST',
    ({ id, bookingId }: Booked) => `${interfaces}/${id}/bookings/${bookingId}/no-show`,
    undefined,
    'booking.no_show',
  ),
  [`POST ${byLink}/cancel`]: linked('cancel', undefined, {}, 'booking.cancelled'),
  [`POST ${byLink}/confirm`]: linked('confirm', undefined, { confirmByMail: true }, 'booking.confirmed'),
  [`POST ${byLink}/reschedule`]: linked('reschedule', { start: `${day}T11:00:00Z` }, {}, 'booking.rescheduled'),
};
