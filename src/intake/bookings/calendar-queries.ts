import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import { type Holiday } from './calendar.ts';
import { type Calendar } from './schemas.ts';

export type CalendarRow = Row<'calendar', 'id' | 'accepting' | 'feed_sealed' | 'version'> & {
  definition: Calendar;
  holidays: Holiday[];
  /** The user who created the address of the feed. */
  feed_by: string | null;
};
const columns = 'id, definition, holidays, accepting, feed_sealed, feed_by, version';

export const findCalendar = sqlStatement<TeamScopedId, CalendarRow>(`SELECT ${columns} FROM calendar WHERE team_id = $team AND id = $id`);

/**
 * Serializes all changes of a calendar and its bookings. Acquire this lock before you create or reschedule a booking or change the calendar, and read
 * the data afterwards.
 */
export const lockCalendar = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM calendar WHERE team_id = $team AND id = $id FOR NO KEY UPDATE',
);

type CalendarValues = TeamScopedId & { definition: string; holidays: string; until: string | null; at: Date };

export const putCalendar = sqlStatement<CalendarValues, { version: number }>(
  `INSERT INTO calendar AS c (team_id, id, definition, holidays, holidays_until, created_at, updated_at)
   VALUES ($team, $id, $definition, $holidays, $until, $at, $at)
   ON CONFLICT (team_id, id) DO UPDATE SET definition = excluded.definition, holidays = excluded.holidays,
     holidays_until = excluded.holidays_until, version = c.version + 1, updated_at = excluded.updated_at
   RETURNING version`,
);

export const setHolidays = sqlStatement<TeamScopedId & { holidays: string; until: string | null }, never>(
  'UPDATE calendar SET holidays = $holidays, holidays_until = $until WHERE team_id = $team AND id = $id',
);

export const setAccepting = sqlStatement<TeamScopedId & { accepting: boolean; at: Date }, never>(
  `UPDATE calendar SET accepting = $accepting, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND accepting <> $accepting`,
);

const ms = (time: string) => `(extract(epoch FROM ${time}) * 1000)::float8`;
/** The maximum length of a booking with its buffers. */
const longestBlock = "interval '3 days'";

export type OccupiedSeat = readonly [from: number, until: number, seat: number];
export type Busy = readonly [from: number, until: number];
export type Around = TeamScopedId & {
  low: Date;
  high: Date;
  /** A booking to ignore: it is being rescheduled, so its own time counts as free. */
  without: string | null;
};
/** A calendar with the occupied times of a period, in milliseconds. */
export type CalendarAround = CalendarRow & { booked: OccupiedSeat[]; busy: Busy[] };

const bookedAround = (item: string) => `(SELECT coalesce(jsonb_agg(${item}), '[]') FROM booking b
  WHERE b.team_id = $team AND b.calendar_id = $id AND booking_holds_place(b.status) AND b.blocks_until > $low
    AND b.blocks_until < $high::timestamptz + ${longestBlock} AND b.blocks_from < $high
    AND ($without::uuid IS NULL OR (b.id <> $without AND b.moves IS DISTINCT FROM $without)))`;
const busyAround = (item: string) => `(SELECT coalesce(jsonb_agg(${item}), '[]')
  FROM calendar_busy y CROSS JOIN LATERAL unnest(y.spans * tstzmultirange(tstzrange($low, $high))) AS span
  WHERE y.team_id = $team AND y.calendar_id = $id)`;
const blockOfBooking = `${ms('b.blocks_from')}, ${ms('b.blocks_until')}`;
const spanOfBusy = `${ms('lower(span)')}, ${ms('upper(span)')}`;

/** A calendar with the bookings and busy times around a range. Lists of slots and bookings both use this query. */
export const calendarAround = sqlStatement<Around, CalendarAround>(
  `SELECT ${columns}, ${bookedAround(`jsonb_build_array(${blockOfBooking}, b.seat)`)} AS booked,
     ${busyAround(`jsonb_build_array(${spanOfBusy})`)} AS busy
   FROM calendar WHERE team_id = $team AND id = $id`,
);

/** A calendar with the details that explain each occupied time to its managers. */
export type ExplainedAround = CalendarRow & {
  booked: { from: number; until: number; id: string; moves: string | null }[];
  busy: { from: number; until: number; name: string; readAt: string | null }[];
};
export const calendarExplained = sqlStatement<Around, ExplainedAround>(
  `SELECT ${columns},
     ${bookedAround(`jsonb_build_object('from', ${ms('b.blocks_from')}, 'until', ${ms('b.blocks_until')}, 'id', b.id, 'moves', b.moves)`)} AS booked,
     ${busyAround(`jsonb_build_object('from', ${ms('lower(span)')}, 'until', ${ms('upper(span)')}, 'name', y.name, 'readAt', y.read_at)`)} AS busy
   FROM calendar WHERE team_id = $team AND id = $id`,
);

/** Returns the bookings of a calendar that are not over, ordered by their end, up to `limit`. */
export const activeBookingsAhead = sqlStatement<
  TeamScopedId & { now: Date; limit: number },
  Row<'booking', 'id' | 'starts_at' | 'ends_at' | 'blocks_from' | 'blocks_until' | 'seat' | 'moves'>
>(
  `SELECT id, starts_at, ends_at, blocks_from, blocks_until, seat, moves FROM booking
   WHERE team_id = $team AND calendar_id = $id AND booking_holds_place(status) AND blocks_until > $now ORDER BY blocks_until, id LIMIT $limit`,
);

export const countAhead = sqlStatement<TeamScopedId & { now: Date }, { ahead: number }>(
  `SELECT count(*)::int AS ahead FROM booking
   WHERE team_id = $team AND calendar_id = $id AND booking_holds_place(status) AND moves IS NULL AND blocks_until > $now AND ends_at > $now`,
);

/**
 * Sets seats to negative values before they are reassigned. Other bookings have no negative seats, so each row passes the exclusion constraint, which
 * is checked separately for each row.
 */
export const clearSeats = sqlStatement<{ team: string; ids: readonly string[] }, never>(
  'UPDATE booking SET seat = -seat WHERE team_id = $team AND id = ANY ($ids::uuid[])',
);
export const setSeats = sqlStatement<{ team: string; ids: readonly string[]; seats: readonly number[] }, never>(
  `UPDATE booking b SET seat = s.seat FROM unnest($ids::uuid[], $seats::integer[]) AS s (id, seat)
   WHERE b.team_id = $team AND b.id = s.id`,
);

/** Returns the calendar of a feed token. Runs before the tenant is known. */
export const calendarByFeed = sqlStatement<{ team: string; hash: Buffer }, { id: string }>(
  'SELECT id FROM calendar_by_feed($team, $hash) AS id WHERE id IS NOT NULL',
);
export const setFeed = sqlStatement<TeamScopedId & { hash: Buffer; sealed: Buffer; by: string }, { id: string }>(
  'UPDATE calendar SET feed_hash = $hash, feed_sealed = $sealed, feed_by = $by, version = version + 1 WHERE team_id = $team AND id = $id RETURNING id',
);
export const endFeed = sqlStatement<TeamScopedId, { id: string }>(
  `UPDATE calendar SET feed_hash = NULL, feed_sealed = NULL, feed_by = NULL, version = version + 1
   WHERE team_id = $team AND id = $id AND feed_hash IS NOT NULL RETURNING id`,
);
