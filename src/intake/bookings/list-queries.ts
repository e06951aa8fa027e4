import { jsonThing, pageStatement } from '../../platform/database/json-page.ts';
import { type ListSearchParams, matches } from '../../platform/database/list-filters.ts';
import { afterMerged, mergedOrder, mergedStatement } from '../../platform/database/merged-page.ts';
import type { Row } from '../../platform/database/row.ts';
import { isoText, laterPlace } from '../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import { undeliverableOf } from '../../platform/mail/undeliverable-queries.ts';
import { smallestId } from '../../platform/identifiers.ts';
import type { BookingState } from './states.ts';

const columns = {
  id: 'b.id',
  interfaceId: 'b.calendar_id',
  submissionId: 'b.submission_id',
  status: 'b.status',
  start: isoText('b.starts_at'),
  end: isoText('b.ends_at'),
  name: 'b.visitor_name',
  email: 'b.email',
  undeliverable: undeliverableOf('b.email'),
  locale: 'b.locale',
  timeZone: 'b.visitor_zone',
  moved: 'b.moved',
  waitsUntil: isoText('b.ends_waiting'),
  requestedStart: `(SELECT ${isoText('w.starts_at')} FROM booking w WHERE w.team_id = b.team_id AND w.moves = b.id)`,
  endedBy: 'b.ended_via',
  reason: 'b.reason',
  createdAt: isoText('b.created_at'),
  updatedAt: isoText('b.updated_at'),
};
const item = jsonThing(columns);

export type BookingFilter = {
  team: string;
  calendars: readonly string[];
  status: readonly BookingState[] | null;
  from: string | null;
  to: string | null;
  afterTime: string | null;
  after: string | null;
  limit: number;
} & Pick<ListSearchParams, 'q'>;

/** Lists the bookings of calendars by start time. Reads each calendar along its index. */
export const listBookings = pageStatement<BookingFilter>(
  `WITH page AS (
     SELECT b.* FROM calendar c CROSS JOIN LATERAL (
       SELECT b.* FROM booking b WHERE b.team_id = $team AND b.calendar_id = c.id AND b.moves IS NULL
       AND ($status::text[] IS NULL OR b.status = ANY ($status)) AND ${matches('b.visitor_name', 'b.email')}
       AND (b.starts_at, b.id) > ${laterPlace("coalesce($from::timestamptz, '-infinity')", {
         time: "coalesce($afterTime::timestamptz, '-infinity')",
         id: `coalesce($after::uuid, '${smallestId}'::uuid)`,
       })} AND b.starts_at < coalesce($to::timestamptz, 'infinity')
       ORDER BY b.starts_at, b.id LIMIT $limit + 1
     ) b WHERE c.team_id = $team AND c.id = ANY ($calendars) ORDER BY b.starts_at, b.id LIMIT $limit + 1
   )`,
  { from: 'page b', item, order: 'b.starts_at, b.id', key: ['b.starts_at::text', 'b.id'] },
);

/** Condition: a booking of the calendar, or a request for another time, waits for a decision. */
export const hasBookingsToDecide = (calendar: string) =>
  `EXISTS (SELECT FROM booking b WHERE b.team_id = $team AND b.calendar_id = ${calendar} AND b.status = 'pending')`;

/**
 * The bookings of some calendars that wait for a decision. They are due when their wait ends. A request for another time
 * appears as its booking.
 */
export const bookingsToDecide = mergedStatement<{ team: string; calendars: readonly string[]; titles: readonly string[] }>(
  `SELECT f.* FROM unnest($calendars::uuid[], $titles::text[]) AS c(id, title) CROSS JOIN LATERAL (
     SELECT f.*, c.title FROM (
       SELECT b.id, b.moves, b.calendar_id, b.ends_waiting AS due_at, b.created_at, false AS is_overdue FROM booking b
       WHERE b.team_id = $team AND b.calendar_id = c.id AND b.status = 'pending'
     ) f WHERE ${afterMerged} ORDER BY ${mergedOrder} LIMIT $limit + 1
   ) f`,
  "'booking'",
  {
    id: 'coalesce(f.moves, f.id)',
    title: 'f.title',
    dueAt: isoText('f.due_at'),
    createdAt: isoText('f.created_at'),
    interfaceId: 'f.calendar_id',
  },
);

/** Returns the appointments of a feed from a start time on, up to the limit. */
export const feedOf = sqlStatement<
  { team: string; calendar: string; from: Date; limit: number },
  Row<'booking', 'id' | 'version' | 'status' | 'starts_at' | 'ends_at' | 'visitor_name' | 'email' | 'updated_at'>
>(
  `SELECT id, version, status, starts_at, ends_at, visitor_name, email, updated_at FROM booking
   WHERE team_id = $team AND calendar_id = $calendar AND moves IS NULL AND starts_at >= $from
     AND status IN ('held', 'pending', 'confirmed', 'completed', 'no_show') ORDER BY starts_at, id LIMIT $limit`,
);
