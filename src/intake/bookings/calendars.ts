import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import type { Row } from '../../platform/database/row.ts';
import { withdrawMails } from '../../platform/mail/queries.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { dayMs, localDay, openings, peaks, segmentsOf, type Span, stepsOf, within } from './availability/index.ts';
import { completeCalendar, type Holiday, rulesOf } from './calendar.ts';
import * as queries from './calendar-queries.ts';
import type { BookedInSession } from './book.ts';
import { eventOf } from './change.ts';
import { type Bookings, bookingPlace, linksOf } from './context.ts';
import { bookingCancelled, bookingErased, calendarChanged } from './events.ts';
import { holidaysOf } from './holidays.ts';
import * as bookingQueries from './queries.ts';
import type { Calendar, CalendarBody, Conflict } from './schemas.ts';
import { notifyOfBooking } from './send-notifications.ts';

export type SavedCalendar = { calendar: Calendar; conflicts: Conflict[]; version: number };

/** Rejects a caller who cannot read the bookings. Otherwise the caller could publish names of visitors through a feed with details. */
export type RequireBookingAccess = () => unknown;

/** The maximum number of future bookings with which a changed calendar is compared. */
const compared = 2_000;
const maxConflicts = 100;

/**
 * Creates or replaces the calendar of a form. Bookings stay unchanged; the result has up to 100 conflicts with the new calendar. Throws 412 if
 * `check` fails, 422 `calendar_invalid`.
 */
export async function saveCalendar(
  scope: Scope,
  id: string,
  given: CalendarBody,
  { check = () => undefined, requireBookingAccess }: { check?: VersionCheck; requireBookingAccess: RequireBookingAccess },
): Promise<SavedCalendar> {
  const { team, now, db } = scope;
  const calendar = completeCalendar(given);
  const holidays = await holidaysOf(calendar, now);
  const { before, activeBookings } = await lockedCalendar(scope, id);
  if (before) check(before.version);
  if (calendar.feedDetails && before?.definition.feedDetails !== true) await requireBookingAccess();
  const put = await db.first(queries.putCalendar, {
    team,
    id,
    definition: JSON.stringify(calendar),
    holidays: JSON.stringify(holidays.days),
    until: holidays.until,
    at: now,
  });
  const members = changedMembers(before?.definition, calendar);
  if (members.length > 0) await recordAudit(scope, calendarChanged, id, { members });
  return { calendar, conflicts: conflictsOf(calendar, holidays.days, activeBookings, now), version: put?.version ?? 1 };
}

async function lockedCalendar({ db, team, now }: Scope, id: string) {
  const one = { team, id };
  return db.locked(queries.lockCalendar, one, () =>
    pipelined({
      before: () => db.first(queries.findCalendar, one),
      activeBookings: () => db.all(queries.activeBookingsAhead, { ...one, now, limit: compared }),
    }),
  );
}

function changedMembers(before: Calendar | undefined, after: Calendar): string[] {
  const text = (value: unknown) => JSON.stringify(value);
  const members = Object.keys({ ...before, ...after }) as (keyof Calendar)[];
  return members.filter((member) => text(before?.[member]) !== text(after[member])).toSorted();
}

type ActiveBooking = Row<'booking', 'id' | 'starts_at' | 'ends_at' | 'blocks_from' | 'blocks_until' | 'moves'>;

/** Returns the bookings outside of the opening hours or over the capacity. */
export function conflictsOf(calendar: Calendar, holidays: readonly Holiday[], bookings: readonly ActiveBooking[], now: Date): Conflict[] {
  const rows = bookings.map((row) => ({
    row,
    from: Date.parse(row.starts_at),
    until: Date.parse(row.ends_at),
    block: { from: Date.parse(row.blocks_from), until: Date.parse(row.blocks_until) },
  }));
  const ahead = rows.filter(({ until }) => until > now.getTime()).toSorted((a, b) => a.from - b.from);
  const [first, last] = [ahead[0]?.from, ahead.at(-1)?.until];
  if (first === undefined || last === undefined) return [];
  const rules = rulesOf(calendar, holidays);
  const segments = segmentsOf(rules.timeZone, first - 3 * dayMs, last + 3 * dayMs);
  const days = { first: localDay(segments, first) - 1, last: localDay(segments, last) + 1 };
  const isOpen = within(openings(rules, segments, days));
  const most = peaks(stepsOf(rows.map(({ block }) => block)));
  const conflicts = ahead.flatMap(({ row, from, until, block }): Conflict[] => {
    const span: Span = { from, until };
    const reason = !isOpen(span) ? 'outside_hours' : most(block) > rules.capacity ? 'over_capacity' : undefined;
    const [start, end] = [new Date(from).toISOString(), new Date(until).toISOString()];
    return reason === undefined ? [] : [{ bookingId: row.moves ?? row.id, start, end, reason }];
  });
  return conflicts.slice(0, maxConflicts);
}

/** Returns the future bookings that do not fit the current calendar. */
export async function conflictsNow(
  { db, team, now }: Pick<ReadScope | Scope, 'db' | 'team' | 'now'>,
  row: queries.CalendarRow,
): Promise<Conflict[]> {
  const bookings = await db.all(queries.activeBookingsAhead, { team, id: row.id, now, limit: compared });
  return conflictsOf(row.definition, row.holidays, bookings, now);
}

/**
 * Returns the booking of a submission with its links, or `undefined`. A `held` booking has no links here, because only the mailed link shows that the
 * address belongs to the visitor.
 */
export async function bookingOf(
  bookings: Bookings,
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  submission: string,
): Promise<BookedInSession | undefined> {
  const row = await db.first(bookingQueries.bookingOfSubmission, { team, submission });
  if (!row) return undefined;
  const { start, end, status } = eventOf(row);
  const booked = { bookingId: row.id, status, start, end };
  if (status === 'held') return booked;
  const manageToken = bookings.box.open(row.token_sealed, bookingPlace(row.id)).toString();
  return { ...booked, manageToken, ...linksOf(bookings, team, manageToken) };
}

/** A booked time. `timeZone` is the zone of the visitor, or of the calendar if the visitor sent none. */
export type BookedTime = { start: Date; end: Date; timeZone: string };

/** Returns the booked time of a submission. Returns `undefined` without a booking, or if the booking is no longer active. */
export async function bookedTime({ db, team }: Pick<ReadScope, 'db' | 'team'>, submission: string): Promise<BookedTime | undefined> {
  const row = await db.first(bookingQueries.bookingOfSubmission, { team, submission });
  if (!row || isOff.has(row.status)) return undefined;
  const timeZone = row.visitor_zone ?? (await db.first(queries.findCalendar, { team, id: row.calendar_id }))?.definition.timeZone ?? 'UTC';
  return { start: new Date(row.starts_at), end: new Date(row.ends_at), timeZone };
}

const isOff: ReadonlySet<string> = new Set(['cancelled', 'declined', 'expired']);

/** Opens or closes a calendar. A closed calendar rejects new and rescheduled bookings; visitors can still cancel. */
export async function setAccepting({ db, team, now }: Scope, id: string, accepting: boolean): Promise<void> {
  db.send(queries.setAccepting, { team, id, accepting, at: now });
}

/** Counts the future bookings of a calendar. */
export async function bookingsAhead({ db, team, now }: Pick<ReadScope, 'db' | 'team' | 'now'> | Scope, id: string): Promise<number> {
  return (await db.first(queries.countAhead, { team, id, now }))?.ahead ?? 0;
}

const atOnce = 500;

/** Cancels all future bookings of a calendar and notifies each visitor. */
export async function cancelAllOf(scope: Scope, id: string, reason?: string): Promise<number> {
  const { team, now, db } = scope;
  const calendar = await db.locked(queries.lockCalendar, { team, id }, () => db.first(queries.findCalendar, { team, id }));
  if (!calendar) return 0;
  let cancelled = 0;
  for (;;) {
    const rows = await db.all(bookingQueries.cancelOfCalendar, { team, calendar: id, reason: reason ?? null, now, limit: atOnce });
    db.send(bookingQueries.dropWishesOf, { team, ids: rows.map((row) => row.id) });
    for (const row of rows) {
      await record(scope, bookingCancelled, row.id, { ...eventOf(row), by: 'team' });
      notifyOfBooking(scope, row, 'cancelled', { by: 'team' });
    }
    cancelled += rows.length;
    if (rows.length < atOnce) return cancelled;
  }
}

/** Erases the personal data of the visitor from the bookings of a submission. */
export async function eraseVisitor(scope: Scope, submission: string): Promise<number> {
  const erased = await scope.db.all(bookingQueries.eraseOfSubmission, { team: scope.team, submission, at: scope.now });
  for (const { id } of erased) {
    scope.db.send(withdrawMails, { about: id });
    await recordAudit(scope, bookingErased, id);
  }
  return erased.length;
}
