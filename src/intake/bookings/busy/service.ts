import { randomUUIDv7 } from 'node:crypto';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { invalidCalendar } from '../calendar.ts';
import { findCalendar, lockCalendar } from '../calendar-queries.ts';
import { calendarChanged } from '../events.ts';
import { bookingProblems } from '../problems.ts';
import type { BusyAddress, ShownBusy } from '../schemas.ts';
import { busyJob, staleMs } from './jobs.ts';
import { busyPlace } from './place.ts';
import * as queries from './queries.ts';
import { busyAddress, type BusyReach } from './reader.ts';

/** Returns the busy-time addresses of a calendar for a caller who can edit it. */
export async function readBusy(
  box: Box,
  { db, team, now }: Pick<ReadScope, 'db' | 'team' | 'now'>,
  calendar: string,
): Promise<ShownBusy[]> {
  return present(box, await db.all(queries.busyOfCalendar, { team, calendar }), now);
}

function present(box: Box, rows: readonly queries.BusyRow[], now: Date): ShownBusy[] {
  return rows.map(({ id, name, url, read_at: read, error, skipped }) => ({
    name,
    url: box.open(url, busyPlace(id)).toString(),
    stale: isStale(read, now),
    ...(read === null ? {} : { readAt: new Date(read).toISOString() }),
    ...(error === null ? {} : { error }),
    ...(skipped.length === 0 ? {} : { skipped }),
  }));
}

/** Returns whether the last read is missing or too old. Stale busy times still apply. */
export function isStale(readAt: string | null, now: Date): boolean {
  return readAt === null || Date.parse(readAt) < now.getTime() - staleMs;
}

/**
 * Replaces the addresses of a calendar. Existing addresses keep their busy times, and new ones are read at once. Throws 409
 * `calendar_missing`, 422 `calendar_invalid` if an address is not allowed.
 */
export async function saveBusy(
  { box, reach }: { box: Box; reach: BusyReach },
  scope: Scope,
  calendar: string,
  given: readonly BusyAddress[],
): Promise<ShownBusy[]> {
  const { team, db, now } = scope;
  const wanted = checked(given, reach);
  const { found, rows } = await db.locked(lockCalendar, { team, id: calendar }, () =>
    pipelined({
      found: () => db.first(findCalendar, { team, id: calendar }),
      rows: () => db.all(queries.busyOfCalendar, { team, calendar }),
    }),
  );
  if (!found) throw bookingProblems.calendar_missing('The form has no calendar. Create one first.');
  const known = new Map(rows.map((row) => [box.open(row.url, busyPlace(row.id)).toString(), row]));
  const gone = [...known].filter(([url]) => !wanted.some((one) => one.url === url)).map(([, { id }]) => id);
  if (gone.length > 0) db.send(queries.dropBusy, { team, ids: gone });
  for (const { name, url } of wanted) {
    const row = known.get(url);
    if (row) {
      db.send(queries.renameBusy, { team, id: row.id, name });
      continue;
    }
    const id = randomUUIDv7();
    db.send(queries.insertBusy, { team, id, calendar, name, url: box.seal(url, busyPlace(id)), at: new Date(now.getTime() + 15 * 60_000) });
    enqueue(scope, busyJob, { id }, { key: id });
  }
  await recordAudit(scope, calendarChanged, calendar, { members: ['busy'] });
  return present(box, await db.all(queries.busyOfCalendar, { team, calendar }), now);
}

function checked(given: readonly BusyAddress[], { policy }: BusyReach): { name: string; url: string }[] {
  const seen = new Set<string>();
  return given.map(({ name: called, url: text }, at) => {
    const name = called.trim();
    if (name === '') throw invalidCalendar([[`/addresses/${at}/name`, 'must not be blank']]);
    const address = busyAddress(text, policy);
    if ('reason' in address) throw invalidCalendar([[`/addresses/${at}/url`, address.reason]]);
    if (seen.has(address.url)) throw invalidCalendar([[`/addresses/${at}/url`, 'occurs twice in the list']]);
    seen.add(address.url);
    return { name, url: address.url };
  });
}
