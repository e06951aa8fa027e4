import type { Row, RowWithout } from '../../platform/database/row.ts';
import { undeliverableOf } from '../../platform/mail/undeliverable-queries.ts';
import type { Undeliverable } from '../../platform/schema-parts.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { BookingState } from './states.ts';

export type BookingRow = RowWithout<
  'booking',
  'blocks_from' | 'blocks_until' | 'during' | 'email_key' | 'erased_at' | 'reminder_at' | 'seat' | 'team_id' | 'token_hash'
>;
const columns = `id, calendar_id, submission_id, status, starts_at, ends_at, moves, moved, ends_waiting, token_sealed, email, visitor_name,
  locale, visitor_zone, reminders, ended_via, reason, version, created_at, updated_at`;

/** Returns the booking of a link token. Runs before the tenant is known. */
export const bookingByToken = sqlStatement<{ team: string; hash: Buffer }, { id: string }>(
  'SELECT id FROM booking_by_token($team, $hash) AS id WHERE id IS NOT NULL',
);

export const findBooking = sqlStatement<TeamScopedId, BookingRow>(`SELECT ${columns} FROM booking WHERE team_id = $team AND id = $id`);

/** Returns a booking for the team, with the state of the visitor’s address. */
export const findTeamBooking = sqlStatement<TeamScopedId, BookingRow & { undeliverable: Undeliverable | null }>(
  `SELECT ${columns}, ${undeliverableOf('email')} AS undeliverable FROM booking WHERE team_id = $team AND id = $id`,
);

/** Returns the pending reschedule request of a booking, if any. */
export const findWish = sqlStatement<TeamScopedId, BookingRow>(`SELECT ${columns} FROM booking WHERE team_id = $team AND moves = $id`);

/** Locks the calendar of a booking: see `lockCalendar`. */
export const lockCalendarOf = sqlStatement<TeamScopedId, { id: string }>(
  `SELECT c.id FROM calendar c WHERE c.team_id = $team
     AND c.id = (SELECT b.calendar_id FROM booking b WHERE b.team_id = $team AND b.id = $id) FOR NO KEY UPDATE`,
);

/** Counts the future bookings of an email address. */
export const aheadOfAddress = sqlStatement<{ team: string; calendar: string; address: string; now: Date }, { ahead: number }>(
  `SELECT count(*)::int AS ahead FROM booking
   WHERE team_id = $team AND calendar_id = $calendar AND email_key = $address AND email_key IS NOT NULL AND ends_at > $now
     AND booking_holds_place(status) AND moves IS NULL`,
);

export type NewBooking = {
  team: string;
  id: string;
  calendar: string;
  submission: string | null;
  status: BookingState;
  start: Date;
  end: Date;
  blocksFrom: Date;
  blocksUntil: Date;
  seat: number;
  moves: string | null;
  waits: Date | null;
  tokenHash: Buffer;
  token: Buffer;
  email: string | null;
  emailKey: string | null;
  name: string | null;
  locale: string;
  zone: string | null;
  reminders: readonly number[];
  reminderAt: Date | null;
  at: Date;
};

export const insertBooking = sqlStatement<NewBooking, never>(
  `INSERT INTO booking (team_id, id, calendar_id, submission_id, status, starts_at, ends_at, blocks_from, blocks_until, seat, moves,
     ends_waiting, token_hash, token_sealed, email, email_key, visitor_name, locale, visitor_zone, reminders, reminder_at, created_at, updated_at)
   VALUES ($team, $id, $calendar, $submission, $status, $start, $end, $blocksFrom, $blocksUntil, $seat, $moves, $waits, $tokenHash, $token,
     $email, $emailKey, $name, $locale, $zone, $reminders, $reminderAt, $at, $at)`,
);

/** Changes the status of a booking. Returns no row if its status is not in `from`. */
export const setStatus = sqlStatement<
  TeamScopedId & {
    from: readonly BookingState[];
    to: BookingState;
    waits: Date | null;
    reminderAt: Date | null;
    by: 'visitor' | 'team' | 'time' | null;
    reason: string | null;
    at: Date;
  },
  BookingRow
>(
  `UPDATE booking SET status = $to, ends_waiting = $waits, reminder_at = $reminderAt, ended_via = $by, reason = $reason,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = ANY ($from) RETURNING ${columns}`,
);

/** Reschedules an active booking. An exclusion constraint rejects an occupied seat. */
export const rescheduleBooking = sqlStatement<
  TeamScopedId & {
    start: Date;
    end: Date;
    blocksFrom: Date;
    blocksUntil: Date;
    seat: number;
    counted: number;
    waits: Date | null;
    reminders: readonly number[];
    reminderAt: Date | null;
    at: Date;
  },
  BookingRow
>(
  `UPDATE booking SET starts_at = $start, ends_at = $end, blocks_from = $blocksFrom, blocks_until = $blocksUntil, seat = $seat,
     moved = moved + $counted, ends_waiting = $waits, reminders = $reminders, reminder_at = $reminderAt, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND booking_holds_place(status) RETURNING ${columns}`,
);

export const dropWish = sqlStatement<TeamScopedId, BookingRow & Row<'booking', 'blocks_from' | 'blocks_until' | 'seat'>>(
  `DELETE FROM booking WHERE team_id = $team AND moves = $id RETURNING ${columns}, blocks_from, blocks_until, seat`,
);

/** Counts a change of the time. A reschedule request counts when it is created. */
export const countMove = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE booking SET moved = moved + 1, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

export const cancelOfCalendar = sqlStatement<
  { team: string; calendar: string; reason: string | null; now: Date; limit: number },
  BookingRow
>(
  `UPDATE booking SET status = 'cancelled', ends_waiting = NULL, reminder_at = NULL, ended_via = 'team', reason = $reason,
     version = version + 1, updated_at = $now
   WHERE team_id = $team AND id = ANY (ARRAY(
     SELECT b.id FROM booking b WHERE b.team_id = $team AND b.calendar_id = $calendar AND booking_holds_place(b.status) AND b.moves IS NULL
       AND b.ends_at > $now AND b.blocks_until > $now ORDER BY b.id LIMIT $limit
   )) RETURNING ${columns}`,
);
export const dropWishesOf = sqlStatement<{ team: string; ids: readonly string[] }, never>(
  'DELETE FROM booking WHERE team_id = $team AND moves = ANY ($ids::uuid[])',
);

/** Erases the personal data of the visitor from the bookings of a submission. The times stay occupied. */
export const eraseOfSubmission = sqlStatement<{ team: string; submission: string; at: Date }, { id: string }>(
  `UPDATE booking SET email = NULL, email_key = NULL, visitor_name = NULL, visitor_zone = NULL, reason = NULL, reminder_at = NULL,
     erased_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND submission_id = $submission AND erased_at IS NULL RETURNING id`,
);

/** Locks a booking whose visitor is not erased. Concurrent changes and erasure wait for the end of the transaction. */
export const lockUnerasedBooking = sqlStatement<TeamScopedId, BookingRow>(
  `SELECT ${columns} FROM booking WHERE team_id = $team AND id = $id AND erased_at IS NULL FOR SHARE`,
);

export const storeReason = sqlStatement<TeamScopedId & { reason: string | null }, never>(
  'UPDATE booking SET reason = $reason, version = version + 1 WHERE team_id = $team AND id = $id',
);

export const bookingOfSubmission = sqlStatement<{ team: string; submission: string }, BookingRow>(
  `SELECT ${columns} FROM booking WHERE team_id = $team AND submission_id = $submission ORDER BY id DESC LIMIT 1`,
);
