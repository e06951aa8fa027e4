import { randomUUIDv7 } from 'node:crypto';
import { createAddressPolicy, createGuardedFetch } from '#webhooks';
import { book, type Wish } from '../src/intake/bookings/book.ts';
import { saveCalendar } from '../src/intake/bookings/calendars.ts';
import { type Bookings, tokenPurpose } from '../src/intake/bookings/context.ts';
import { availability } from '../src/intake/bookings/free-slots.ts';
import type { CalendarBody } from '../src/intake/bookings/schemas.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import type { Scope } from '../src/platform/scope.ts';
import { testDatabaseLimits } from './database-limits.ts';
import type { Chancery } from './harness.ts';

const dayMs = 86_400_000;
/** Returns the date of the next Monday. In UTC no day has a clock change, so the tests have the same result on each day. */
export const nextMonday = (now = Date.now()): string => {
  const today = new Date(now);
  const away = ((8 - today.getUTCDay()) % 7) + 7;
  return new Date(now + away * dayMs).toISOString().slice(0, 10);
};

/** A calendar that is open every day from 9:00 to 17:00 UTC, with slots of 30 minutes. */
export const plainCalendar: CalendarBody = {
  timeZone: 'UTC',
  durationMin: 30,
  weekly: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['09:00', '17:00']]])),
};

/** Creates calendars and bookings of one team without their forms. */
export async function openBookingWorld(chancery: Chancery, team: string) {
  const database = openDatabase(
    { url: chancery.databaseUrl },
    { applicationName: 'chancery-test-bookings', maxConnections: 16, waiting: 1_000, limits: testDatabaseLimits },
  );
  const masterKey = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
  const policy = createAddressPolicy({ allowPrivate: true, allowCidrs: [] });
  const guarded = createGuardedFetch({ policy, timeoutMs: 2_000 });
  const bookings: Bookings = {
    baseUrl: 'http://localhost:8080',
    box: masterKey.box(tokenPurpose),
    reach: { policy, fetch: (url, init) => guarded.fetch(url, init) },
    ask: {
      require: async () => ({}),
      readable: async () => [],
      byRole: async () => [],
      reads: async () => true,
      about: async () => ({
        title: 'Consultation',
        titleIn: () => 'Consultation',
        by: 'Test & Partners',
        recipients: [],
        barred: false,
        suspended: false,
      }),
    },
  };
  const act = <T>(work: (scope: Scope) => Promise<T>, now = new Date()): Promise<T> =>
    database.inTeam(team, (db) => work({ db, team, actor: { type: 'system' }, now, requestId: 'test', listeners: [] }));
  return {
    database,
    bookings,
    act,
    /** Creates a calendar without a form. `days` shifts its bookings so that they do not overlap with those of other tests. */
    async calendar(members: Partial<CalendarBody> = {}): Promise<string> {
      const id = randomUUIDv7();
      await act((scope) => saveCalendar(scope, id, { ...plainCalendar, ...members }, { requireBookingAccess: () => undefined }));
      return id;
    },
    book: (wish: Omit<Wish, 'visitor'> & Partial<Pick<Wish, 'visitor'>>) =>
      act((scope) => book(bookings, scope, { visitor: { locale: 'en' }, ...wish })),
    free: (calendar: string, from: string, to = from) =>
      availability({ db: database.reader(team), team, now: new Date() }, calendar, { from, to }).then(({ slots }) =>
        slots.map(({ start, remaining }) => `${start.slice(11, 16)}${remaining === 1 ? '' : ` ×${remaining}`}`),
      ),
    async close() {
      await guarded.close();
      await database.close();
    },
  };
}

/** Books the next slot of an existing calendar for a new visitor. */
export async function bookIn(chancery: Chancery, team: string, calendar: string, visitor: Partial<Wish['visitor']> = {}) {
  const world = await openBookingWorld(chancery, team);
  try {
    return await world.book({ calendar, start: `${nextMonday()}T10:00:00Z`, visitor: { locale: 'en', name: 'Grace', ...visitor } });
  } finally {
    await world.close();
  }
}

/** Moves the start of an appointment into the past. */
export async function beginBooking(chancery: Chancery, id: string): Promise<void> {
  await chancery.pool.query(
    `UPDATE booking SET starts_at = starts_at - interval '60 days', ends_at = ends_at - interval '60 days',
       blocks_from = blocks_from - interval '60 days', blocks_until = blocks_until - interval '60 days' WHERE id = $1`,
    [id],
  );
}
