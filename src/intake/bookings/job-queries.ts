import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { Calendar } from './schemas.ts';

type Due = { now: Date; limit: number; ofEachTeam: number };
type Found = { team: string; id: string };

/** Bookings that are due by a column, by age, and of each team a few. */
const dueBy = (job: string, column: string, which: string) =>
  sqlStatement<Due, Found>(
    `SELECT team, id FROM (
       SELECT team_id AS team, id, ${column} AS due_at, row_number() OVER (PARTITION BY team_id ORDER BY ${column}) AS place
       FROM booking WHERE ${which} AND ${column} < $now AND NOT job_waits('${job}', booking.team_id, id::text)
         AND team_goes_on(booking.team_id)
     ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
  );

export const dueReminders = dueBy('booking-reminder', 'reminder_at', 'reminder_at IS NOT NULL');
export const dueEnds = dueBy('booking-end', 'ends_waiting', 'ends_waiting IS NOT NULL');
export const dueCompletions = dueBy('booking-complete', 'ends_at', "status = 'confirmed'");

/** Takes a reminder that is due, of a booking that stands and has not begun; the next one is due after it. */
export const takeReminder = sqlStatement<TeamScopedId & { now: Date }, Row<'booking', 'id' | 'starts_at' | 'reminders' | 'status'>>(
  `UPDATE booking SET reminder_at = NULL WHERE team_id = $team AND id = $id AND reminder_at < $now
   RETURNING id, starts_at, reminders, status`,
);
export const setReminder = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE booking SET reminder_at = $at WHERE team_id = $team AND id = $id',
);

/** Calendars whose holidays were worked out for too short a time by now. */
export const dueHolidays = sqlStatement<Due, Found>(
  `SELECT team, id FROM (
     SELECT team_id AS team, id, holidays_until, row_number() OVER (PARTITION BY team_id ORDER BY holidays_until) AS place
     FROM calendar WHERE holidays_until IS NOT NULL AND NOT job_waits('calendar-holidays', calendar.team_id, id::text)
       AND team_goes_on(calendar.team_id)
       AND holidays_until < ($now::timestamptz AT TIME ZONE 'UTC')::date + (definition ->> 'maxDaysAhead')::integer + 60
   ) due WHERE place <= $ofEachTeam ORDER BY holidays_until LIMIT $limit`,
);
export const calendarOf = sqlStatement<TeamScopedId, { definition: Calendar }>(
  'SELECT definition FROM calendar WHERE team_id = $team AND id = $id',
);
