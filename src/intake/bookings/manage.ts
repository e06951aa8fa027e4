import type { ListPage } from '../../platform/database/json-page.ts';
import { type ListSearch, searchParams } from '../../platform/database/list-filters.ts';
import { distinctOn } from '../../platform/http/page.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { Problem } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { dateOf, dayMs, dayOf, instantOf } from './availability/index.ts';
import { readBusy, saveBusy } from './busy/index.ts';
import { notOffered } from './book.ts';
import { findCalendar } from './calendar-queries.ts';
import { conflictsNow, saveCalendar } from './calendars.ts';
import { cancelBooking, iso, rescheduleBooking } from './change.ts';
import type { Bookings } from './context.ts';
import type { BookingRight } from './interface-port.ts';
import { confirmBooking, declineBooking, missedBooking } from './decide.ts';
import { explainSlots } from './explain.ts';
import { endFeed, rotateFeed, shownFeed } from './feed.ts';
import * as lists from './list-queries.ts';
import { bookingProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { BusyAddress, CalendarBody, ExplainedSlots, ShownBusy, ShownCalendar, TeamBooking } from './schemas.ts';
import type { BookingState } from './states.ts';

/** Returns the id of the form after checking the right of the actor. Throws 403, 404. */
async function required(bookings: Bookings, scope: ReadScope | Scope, interfaceId: string, right: BookingRight): Promise<string> {
  return (await opened(bookings, scope, interfaceId, right)).id;
}

/** Returns the id of the form and whether only the role grants access. Throws 403, 404. */
async function opened(bookings: Bookings, scope: ReadScope | Scope, interfaceId: string, right: BookingRight): Promise<Opened> {
  const id = pathId(interfaceId, 'interface');
  return { id, via: (await bookings.ask.require(scope, id, right)).via };
}

type Opened = { id: string; via?: 'role' | undefined };

/** Records in the journal that the actor had access only by role. */
export type Noting = (what: 'bookings' | 'addresses', opened: Opened) => Promise<void>;
const unsaid: Noting = async () => undefined;

/** Checks a right on a visible interface. Returns `undefined` without the right. */
async function mayDo(bookings: Bookings, scope: ReadScope | Scope, id: string, right: BookingRight): Promise<Opened | undefined> {
  try {
    return await opened(bookings, scope, id, right);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const noCalendar = () => bookingProblems.calendar_missing('This form has no calendar yet. Create one with PUT.');

/** Returns the calendar for a caller who can edit it. Throws 403, 404, 409 `calendar_missing`. */
export async function getCalendar(
  bookings: Bookings,
  scope: ReadScope | Scope,
  interfaceId: string,
  note = unsaid,
): Promise<Versioned<ShownCalendar>> {
  const id = await required(bookings, scope, interfaceId, 'calendar');
  const row = await scope.db.first(findCalendar, { team: scope.team, id });
  if (!row) throw noCalendar();
  const conflicts = await conflictsNow(scope, row);
  const gives = row.feed_sealed === null ? undefined : await mayDo(bookings, scope, id, 'feed');
  if (gives) await note('addresses', gives);
  const feed = gives ? shownFeed(bookings, scope.team, row) : {};
  return {
    value: { ...row.definition, accepting: row.accepting, ...feed, conflicts },
    version: row.version,
  };
}

/** Creates or replaces the calendar. Bookings stay unchanged. Throws 403, 404, 412, 422 `calendar_invalid`. */
export async function putCalendar(
  bookings: Bookings,
  scope: Scope,
  interfaceId: string,
  given: CalendarBody,
  check: VersionCheck,
): Promise<Versioned<ShownCalendar>> {
  const id = await required(bookings, scope, interfaceId, 'edit');
  await saveCalendar(scope, id, given, { check, requireBookingAccess: () => bookings.ask.require(scope, id, 'read') });
  return getCalendar(bookings, scope, id);
}

export async function getBusy(
  bookings: Bookings,
  scope: ReadScope,
  interfaceId: string,
  note: Noting,
): Promise<{ addresses: ShownBusy[] }> {
  const { id, via } = await opened(bookings, scope, interfaceId, 'addresses');
  await note('addresses', { id, via });
  return { addresses: await readBusy(bookings.box, scope, id) };
}

export async function putBusy(
  bookings: Bookings,
  scope: Scope,
  interfaceId: string,
  addresses: readonly BusyAddress[],
): Promise<{ addresses: ShownBusy[] }> {
  const id = await required(bookings, scope, interfaceId, 'addresses');
  return { addresses: await saveBusy(bookings, scope, id, addresses) };
}

export async function newFeed(bookings: Bookings, scope: Scope, interfaceId: string): Promise<{ feedUrl: string }> {
  return rotateFeed(bookings, scope, await required(bookings, scope, interfaceId, 'feed'));
}

export async function noFeed(bookings: Bookings, scope: Scope, interfaceId: string): Promise<void> {
  return endFeed(scope, await required(bookings, scope, interfaceId, 'edit'));
}

/** The last day with a four-digit year. */
const lastDay = Date.parse('9999-12-31') / dayMs;

/** Returns all slots of a range with the reasons for unavailable ones. Throws 400, 403, 404, 409 `calendar_missing`. */
export async function slotsExplained(
  bookings: Bookings,
  scope: ReadScope,
  interfaceId: string,
  { from, to }: { from?: string; to?: string },
): Promise<ExplainedSlots> {
  const id = await required(bookings, scope, interfaceId, 'calendar');
  const first = from ?? scope.now.toISOString().slice(0, 10);
  const week = dateOf(Math.min((dayOf(first.slice(0, 10)) ?? 0) + 6, lastDay));
  return explainSlots(scope, id, { from: first, to: to ?? week });
}

type BookingFilters = Pick<ListSearch, 'q'> & { status?: BookingState[]; from?: string; to?: string };
type BookingPage = { limit: number; time: string | null; after: string | null };

/** Lists the bookings of a form by start time. Throws 403, 404. */
export async function listBookings(
  bookings: Bookings,
  scope: ReadScope,
  interfaceId: string,
  { note, ...page }: BookingFilters & BookingPage & { note: Noting },
): Promise<ListPage | undefined> {
  const { id: calendar, via } = await opened(bookings, scope, interfaceId, 'read');
  await note('bookings', { id: calendar, via });
  return pageOf(scope, [calendar], page);
}

/** Lists the bookings of all forms with bookings that the actor can read, by start time, and the forms that only the role gives. */
export async function listTeamBookings(
  bookings: Bookings,
  scope: ReadScope,
  page: BookingFilters & BookingPage,
): Promise<{ page: ListPage | undefined; byRole: readonly string[] }> {
  const found = await pageOf(scope, await bookings.ask.readable(scope), page);
  return { page: found, byRole: await bookings.ask.byRole(scope, distinctOn(found, 'interfaceId')) };
}

function pageOf(
  { team, db }: ReadScope,
  calendars: readonly string[],
  { status, from, to, q, limit, time, after }: BookingFilters & BookingPage,
): Promise<ListPage | undefined> {
  return db.first(lists.listBookings, {
    team,
    calendars,
    q: searchParams({ q }).q,
    status: status ?? null,
    from: from ?? null,
    to: to ?? null,
    limit,
    afterTime: time,
    after,
  });
}

type At = { interfaceId: string; bookingId: string };

async function bookingAt(bookings: Bookings, scope: ReadScope | Scope, { interfaceId, bookingId }: At, right: BookingRight) {
  const { id: calendar, via } = await opened(bookings, scope, interfaceId, right);
  const row = await scope.db.first(queries.findTeamBooking, { team: scope.team, id: pathId(bookingId, 'booking') });
  if (row?.calendar_id !== calendar || row.moves !== null) throw notFound('booking');
  return { row, via };
}

/** Returns a booking for the team. Throws 403, 404. */
export async function getBooking(bookings: Bookings, scope: ReadScope | Scope, at: At, note = unsaid): Promise<Versioned<TeamBooking>> {
  const { row, via } = await bookingAt(bookings, scope, at, 'read');
  await note('bookings', { id: row.calendar_id, via });
  const wish = await scope.db.first(queries.findWish, { team: scope.team, id: row.id });
  return { value: presentBooking(row, wish), version: row.version };
}

/** Applies a decision of the team: confirm, decline, cancel, reschedule or record a no-show. */
export async function decide(
  bookings: Bookings,
  scope: Scope,
  at: At,
  act: (id: string) => Promise<unknown>,
): Promise<Versioned<TeamBooking>> {
  const { row } = await bookingAt(bookings, scope, at, 'write');
  await act(row.id);
  return getBooking(bookings, scope, at);
}

export const acts = {
  confirm: (scope: Scope) => (id: string) => confirmBooking(scope, id),
  decline: (scope: Scope, reason: string | undefined) => (id: string) => declineBooking(scope, { id, reason }),
  cancel: (scope: Scope, reason: string | undefined) => (id: string) => cancelBooking(scope, { id, by: 'team', reason }),
  noShow: (scope: Scope) => (id: string) => missedBooking(scope, id),
  move: (bookings: Bookings, scope: Scope, start: string) => (id: string) => {
    const from = instantOf(start);
    if (from === undefined) throw notOffered('`start` must be a time with its offset, such as 2026-10-05T09:00:00Z.');
    return rescheduleBooking(bookings, scope, { id, by: 'team', from });
  },
};

type BookingOfTeam = Awaited<ReturnType<typeof bookingAt>>['row'];
function presentBooking(row: BookingOfTeam, wish: queries.BookingRow | undefined): TeamBooking {
  return {
    id: row.id,
    interfaceId: row.calendar_id,
    ...(row.submission_id === null ? {} : { submissionId: row.submission_id }),
    status: row.status,
    start: iso(row.starts_at),
    end: iso(row.ends_at),
    ...(row.visitor_name === null ? {} : { name: row.visitor_name }),
    ...(row.email === null ? {} : { email: row.email }),
    ...(row.undeliverable === null ? {} : { undeliverable: row.undeliverable }),
    locale: row.locale,
    ...(row.visitor_zone === null ? {} : { timeZone: row.visitor_zone }),
    moved: row.moved,
    ...(row.ends_waiting === null ? {} : { waitsUntil: iso(row.ends_waiting) }),
    ...(wish === undefined ? {} : { requestedStart: iso(wish.starts_at) }),
    ...(row.ended_via === null ? {} : { endedBy: row.ended_via }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}
