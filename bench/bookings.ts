/** Measures bookings: the CPU time of a list of free slots, and concurrent bookings of one slot. */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { pino } from 'pino';
import { presentSlots, rangeOf, slotsIn, type SlotRules } from '../src/intake/bookings/availability/index.ts';
import { book } from '../src/intake/bookings/book.ts';
import { saveCalendar } from '../src/intake/bookings/calendars.ts';
import { type Bookings, tokenPurpose } from '../src/intake/bookings/context.ts';
import { type CalendarBody } from '../src/intake/bookings/schemas.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { Problem } from '../src/platform/problems.ts';
import type { Scope } from '../src/platform/scope.ts';
import { quantile } from './webhook-world.ts';
import type { Result } from './result.ts';

const [dayMs, minuteMs] = [86_400_000, 60_000];
const weekly = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['09:00', '17:00'] as [string, string]]]),
);
const cpuAimMs = 5;
const clients = 60;

/** Measures the CPU time of one list: 62 days of 15-minute slots with 500 bookings. */
function listing(rounds: number): Result {
  const rules: SlotRules = {
    timeZone: 'Europe/Berlin',
    durationMin: 30,
    slotIntervalMin: 15,
    weekly,
    overrides: new Map(),
    closed: new Set(),
    bufferBeforeMin: 5,
    bufferAfterMin: 10,
    minNoticeMin: 60,
    maxDaysAhead: 90,
    capacity: 1,
  };
  const now = Date.parse('2026-03-01T00:00Z');
  const booked = Array.from({ length: 500 }, (_, n) => {
    const from = now + Math.round((n * 62 * dayMs) / 500 / minuteMs) * minuteMs;
    return { from, until: from + 45 * minuteMs };
  });
  const range = rangeOf({ from: '2026-03-01', to: '2026-05-02' });
  const lists = 200 * rounds;
  let slots = 0;
  const one = () => (slots = presentSlots(slotsIn(rules, range, now, { booked, busy: [] })).length);
  for (let n = 0; n < 50; n += 1) one();
  const before = process.cpuUsage();
  for (let n = 0; n < lists; n += 1) one();
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000 / lists;
  const aim = `≤ ${cpuAimMs} ms of processor time`;
  return { scenario: 'bookings: 62 days of slots beside 500 bookings', figures: { slots, cpuMs }, aim, met: cpuMs <= cpuAimMs };
}

/** 60 clients book the same slot of one seat. One succeeds, the others get a conflict error, and all end soon. */
async function contention(rounds: number): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-bench-bookings-'));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, log: pino({ level: 'error' }) });
  await migrate(server.connection);
  const pool = new pg.Pool({ ...server.connection, max: 1 });
  const database = openDatabase(server.connection, { applicationName: 'bench-bookings', waiting: 1_000 });
  const team = randomUUIDv7();
  await pool.query("INSERT INTO team (team_id, name) VALUES ($1, 'Bench')", [team]);
  const masterKey = await loadMasterKey({ configured: randomBytes(32).toString('base64'), dataDir, generate: 'never' });
  const bookings = { baseUrl: 'http://localhost:8080', box: masterKey.box(tokenPurpose) } as Bookings;
  const act = <T>(work: (scope: Scope) => Promise<T>): Promise<T> =>
    database.inTeam(team, (db) => work({ db, team, actor: { type: 'system' }, now: new Date(), requestId: 'bench', listeners: [] }));
  const body: CalendarBody = { timeZone: 'UTC', durationMin: 30, weekly };
  const times: number[] = [];
  let [won, taken] = [0, 0];
  for (let round = 0; round < rounds * 5; round += 1) {
    const calendar = randomUUIDv7();
    await act((scope) => saveCalendar(scope, calendar, body, { requireBookingAccess: () => undefined }));
    const start = `${new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10)}T10:00:00Z`;
    const begun = performance.now();
    const outcomes = await Promise.allSettled(
      Array.from({ length: clients }, () => act((scope) => book(bookings, scope, { calendar, start, visitor: { locale: 'en' } }))),
    );
    times.push(performance.now() - begun);
    won += outcomes.filter(({ status }) => status === 'fulfilled').length;
    taken += outcomes.filter(
      (one) => one.status === 'rejected' && one.reason instanceof Problem && one.reason.code === 'slot_taken',
    ).length;
  }
  await database.close();
  await pool.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
  const allMs = quantile(times, 0.5);
  const met = won === times.length && taken === times.length * (clients - 1);
  return {
    scenario: `bookings: ${clients} at once on one slot`,
    figures: { won: won / times.length, taken: taken / times.length, allMs },
    aim: `1 and ${clients - 1}, no error`,
    met,
  };
}

export async function benchBookings(options: { rounds: number; only: readonly string[] }, show: (result: Result) => void): Promise<void> {
  if (options.only.length > 0 && !options.only.some((part) => 'bookings'.includes(part))) return;
  show(listing(options.rounds));
  show(await contention(options.rounds));
}
