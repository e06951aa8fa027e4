import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { dayMs } from './availability/index.ts';
import * as queries from './calendar-queries.ts';
import { type Bookings, feedPlace } from './context.ts';
import { feedEnded, feedRotated } from './events.ts';
import { longCalendarFile } from './files.ts';
import { feedOf } from './list-queries.ts';
import { bookingProblems } from './problems.ts';
import type { BookingLink } from './visitor.ts';

/** The maximum number of appointments in a feed, and the number of past days that it includes. */
const [most, daysBack] = [2_000, 31];

export const feedUrl = ({ baseUrl }: Pick<Bookings, 'baseUrl'>, team: string, token: string): string =>
  `${baseUrl}/api/v1/interfaces/feed/${team}/${token}/calendar.ics`;

/** Returns the address of the feed of a calendar, if it has one. */
export function shownFeed(bookings: Bookings, team: string, { id, feed_sealed: sealed }: { id: string; feed_sealed: Buffer | null }) {
  return sealed === null ? {} : { feedUrl: feedUrl(bookings, team, bookings.box.open(sealed, feedPlace(id)).toString()) };
}

/** Creates the feed or replaces its address; the previous address stops working. Throws 403 `person_required`, 409 `calendar_missing`. */
export async function rotateFeed(bookings: Bookings, scope: Scope, id: string): Promise<{ feedUrl: string }> {
  if (scope.actor.type !== 'user')
    throw problems.person_required(
      'Only a user can create a feed, because it works only while its creator can see the bookings. Sign in as a user.',
    );
  const token = newToken();
  const sealed = bookings.box.seal(token, feedPlace(id));
  const set = await scope.db.first(queries.setFeed, { team: scope.team, id, hash: tokenHash(token), sealed, by: scope.actor.id });
  if (!set) throw bookingProblems.calendar_missing('The form has no calendar. Create one first.');
  await recordAudit(scope, feedRotated, id);
  return { feedUrl: feedUrl(bookings, scope.team, token) };
}

/** Deletes the feed. Does nothing without a feed. */
export async function endFeed(scope: Scope, id: string): Promise<void> {
  const ended = await scope.db.first(queries.endFeed, { team: scope.team, id });
  if (ended) await recordAudit(scope, feedEnded, id);
}

/**
 * Returns the appointments of a calendar as a calendar file. Each appointment is “Busy” unless the calendar enables details. The
 * address works while the user who created it can read the bookings. Throws 404 `feed_not_found`.
 */
export async function readFeed(
  bookings: Bookings,
  { publicReader, reader }: Pick<Database, 'publicReader' | 'reader'>,
  { teamId, token }: BookingLink,
  now: Date,
): Promise<string> {
  const missing = () => bookingProblems.feed_not_found('No feed belongs to this address. Ask the team for the current address.');
  if (!isUuid(teamId) || !/^[\w-]{43}$/.test(token)) throw missing();
  const team = teamId.toLowerCase();
  const found = await publicReader.first(queries.calendarByFeed, { team, hash: tokenHash(token) });
  if (!found) throw missing();
  const db = reader(team);
  const calendar = await db.first(queries.findCalendar, { team, id: found.id });
  if (!calendar || calendar.feed_by === null || !(await bookings.ask.reads(db, team, found.id, calendar.feed_by))) throw missing();
  const rows = await db.all(feedOf, { team, calendar: found.id, from: new Date(now.getTime() - daysBack * dayMs), limit: most });
  const withDetails = calendar.definition.feedDetails;
  const about = withDetails ? await bookings.ask.about(db, team, found.id) : undefined;
  const title = about?.title ?? 'Busy';
  const who = ({ visitor_name: name, email }: (typeof rows)[number]) => [name, email].filter((part) => part !== null).join(', ');
  return longCalendarFile(
    new URL(bookings.baseUrl).hostname,
    title,
    rows.map((row) => ({
      id: row.id,
      version: row.version,
      status: row.status,
      start: row.starts_at,
      end: row.ends_at,
      changedAt: row.updated_at,
      title: withDetails ? [title, row.visitor_name].filter(Boolean).join(': ') : 'Busy',
      ...(withDetails && who(row) !== '' ? { description: who(row) } : {}),
    })),
    team,
  );
}
