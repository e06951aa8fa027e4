import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { Status } from './states.ts';

export type BookingRow = RowWithout<
  'booking',
  'blocks_from' | 'blocks_until' | 'during' | 'email_key' | 'erased_at' | 'reminder_at' | 'seat' | 'team_id' | 'token_hash'
>;
const columns = `id, calendar_id, submission_id, status, starts_at, ends_at, moves, moved, ends_waiting, token_sealed, email, visitor_name,
  locale, visitor_zone, reminders, ended_via, reason, version, created_at, updated_at`;

/** Which booking a link manages, and of which calendar; asked before the team is entered. */
export const bookingByToken = sqlStatement<{ team: string; hash: Buffer }, { id: string }>(
  'SELECT id FROM booking_by_token($team, $hash) AS id WHERE id IS NOT NULL',
);

export const findBooking = sqlStatement<TeamScopedId, BookingRow>(`SELECT ${columns} FROM booking WHERE team_id = $team AND id = $id`);

/** The wish to move a booking, if there is one. */
export const findWish = sqlStatement<TeamScopedId, BookingRow>(`SELECT ${columns} FROM booking WHERE team_id = $team AND moves = $id`);

/** The lock of the calendar of a booking: see `lockCalendar`. */
export const lockCalendarOf = sqlStatement<TeamScopedId, { id: string }>(
  `SELECT c.id FROM calendar c WHERE c.team_id = $team
     AND c.id = (SELECT b.calendar_id FROM booking b WHERE b.team_id = $team AND b.id = $id) FOR NO KEY UPDATE`,
);

/** How many bookings there are ahead of this address. */
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
  status: Status;
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

/** Another status, of one that has it not yet; no row of one that is none of `from` any more. */
export const setStatus = sqlStatement<
  TeamScopedId & {
    from: readonly Status[];
    to: Status;
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

/** Another time, of one that stands. Its place is looked at by the database. */
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

/** A wish counts as a move when it is made. */
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

/** What bookings of a submission tell of a visitor is emptied; the times stay, and count. */
export const eraseOfSubmission = sqlStatement<{ team: string; submission: string; at: Date }, { id: string }>(
  `UPDATE booking SET email = NULL, email_key = NULL, visitor_name = NULL, visitor_zone = NULL, reason = NULL, reminder_at = NULL,
     erased_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND submission_id = $submission AND erased_at IS NULL RETURNING id`,
);

/** Holds a booking whose visitor is not erased: whoever wants to change it, or to erase them, waits. */
export const holdVisitor = sqlStatement<TeamScopedId, BookingRow>(
  `SELECT ${columns} FROM booking WHERE team_id = $team AND id = $id AND erased_at IS NULL FOR SHARE`,
);

export const noteReason = sqlStatement<TeamScopedId & { reason: string | null }, never>(
  'UPDATE booking SET reason = $reason, version = version + 1 WHERE team_id = $team AND id = $id',
);

export const bookingOfSubmission = sqlStatement<{ team: string; submission: string }, BookingRow>(
  `SELECT ${columns} FROM booking WHERE team_id = $team AND submission_id = $submission ORDER BY id DESC LIMIT 1`,
);
