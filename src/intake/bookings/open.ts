import { createAddressPolicy, createGuardedFetch, createResolver } from '#webhooks';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { openJob } from '../../platform/jobs/job.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { notFound } from '../../platform/identifiers.ts';
import { book, type Booked, type BookedInSession, type Wish } from './book.ts';
import { busyBounds, busyDue, busyJob, type BusyReach } from './busy/index.ts';
import * as calendars from './calendars.ts';
import type { BookedTime } from './calendars.ts';
import type { BookingConfig } from './config.ts';
import { type BookingsForPages, bookingsForPages } from './for-pages.ts';
import { type Bookings, tokenPurpose } from './context.ts';
import type { AskInterfaces } from './interface-port.ts';
import { completions, holidays, reminders, waitingEnds } from './jobs.ts';
import { manageRoutes } from './manage-routes.ts';
import { notificationJob } from './send-notifications.ts';
import { feedRoutes, visitorRoutes } from './visitor-routes.ts';

type Reading = Pick<ReadScope, 'db' | 'team' | 'now'>;

/** The functions that the forms domain uses. A calendar has the identifier of its form. */
export type OpenBookings = {
  /** Registers the functions of the domain forms. Before this call, bookings find no interface. */
  askInterfaces(ask: AskInterfaces): void;
  /** Books a slot in the transaction of a submission. See {@link book}. */
  book(scope: Scope, wish: Wish): Promise<Booked>;
  /** Returns the booking of a submission for the session that made it. */
  bookingOf(reading: Reading, submission: string): Promise<BookedInSession | undefined>;
  /** Returns the booked time of a submission with its zone, or `undefined` if there is none or it is no longer active. */
  bookedTime(reading: Pick<Reading, 'db' | 'team'>, submission: string): Promise<BookedTime | undefined>;
  /** Erases the personal data of the visitor from the bookings of a submission. */
  erase(scope: Scope, submission: string): Promise<number>;
  /** The use cases behind the page of a booking link. */
  pages: BookingsForPages;
};

/** Used until the forms domain registers itself. */
const noInterfaces: AskInterfaces = {
  require: async () => {
    throw notFound('interface');
  },
  readable: async () => [],
  byRole: async () => [],
  reads: async () => false,
  about: async () => undefined,
};

/** Opens the client for busy-time addresses, with the address policy of webhooks. */
function openReach(config: BookingConfig): { reach: BusyReach; close: () => Promise<void> } {
  const policy = createAddressPolicy({ allowPrivate: config.CALENDARS_ALLOW_PRIVATE, allowCidrs: config.CALENDARS_ALLOW_CIDRS });
  const servers = config.CALENDARS_DNS_SERVERS;
  const resolve = servers.length === 0 ? {} : { resolve: createResolver(servers) };
  const guarded = createGuardedFetch({ policy, timeoutMs: busyBounds.fetchMs, ...resolve });
  return { reach: { policy, fetch: (url, init) => guarded.fetch(url, init) }, close: () => guarded.close() };
}

export function open(platform: Platform, _uses: object, settings: BookingConfig): OpenedDomain<OpenBookings> {
  const { database, listeners, masterKey, config, log } = platform;
  if (settings.CALENDARS_ALLOW_PRIVATE)
    log.warn('CALENDARS_ALLOW_PRIVATE is on: Chancery can read busy times from http and private addresses');
  const { reach, close } = openReach(settings);
  let interfaces = noInterfaces;
  const bookings: Bookings = {
    baseUrl: config.BASE_URL,
    box: masterKey.box(tokenPurpose),
    reach,
    ask: {
      require: (scope, id, right) => interfaces.require(scope, id, right),
      readable: (scope) => interfaces.readable(scope),
      byRole: (scope, ids) => interfaces.byRole(scope, ids),
      reads: (db, team, id, person) => interfaces.reads(db, team, id, person),
      about: (db, team, id) => interfaces.about(db, team, id),
    },
  };
  const due = [reminders, waitingEnds, completions, busyDue];
  return {
    exports: {
      askInterfaces: (ask) => void (interfaces = ask),
      book: (scope, wish) => book(bookings, scope, wish),
      bookingOf: (reading, submission) => calendars.bookingOf(bookings, reading, submission),
      bookedTime: calendars.bookedTime,
      erase: calendars.eraseVisitor,
      pages: bookingsForPages(bookings),
    },
    routes(app) {
      visitorRoutes(app, bookings);
      feedRoutes(app, bookings);
      manageRoutes(app, bookings);
    },
    jobs: [openJob(notificationJob, { database, bookings }), openJob(busyJob, { database, box: bookings.box, reach, ask: bookings.ask })],
    close,
    periodic: [
      ...due.map((work) => ({
        name: work.job,
        cron: '* * * * *',
        run: ({ now, isolation }: { now: Date; isolation: Parameters<typeof doDueWork>[0]['isolation'] }) =>
          doDueWork({ database, listeners, isolation }, work, now),
      })),
      { name: holidays.job, cron: '17 4 * * *', run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, holidays, now) },
    ],
  };
}
