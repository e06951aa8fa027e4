import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { Calendar } from './schemas.ts';

type Due = { now: Date; limit: number; ofEachTeam: number };
type Found = { team: string; id: string };

/** Returns the bookings that are due by a column, oldest first, with a limit for each team. */
const dueBy = (job: string, column: string, which: string) =>
  sqlStatement<Due, Found>(
    `SELECT team, id FROM (
       SELECT team_id AS team, id, ${column} AS due_at, row_number() OVER (PARTITION BY team_id ORDER BY ${column}) AS place
       FROM booking WHERE ${which} AND ${column} < $now AND NOT job_waits('${job}', booking.team_id, id::text)
         AND team_active(booking.team_id)
     ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
  );

export const dueReminders = dueBy('booking-reminder', 'reminder_at', 'reminder_at IS NOT NULL');
export const dueEnds = dueBy('booking-end', 'ends_waiting', 'ends_waiting IS NOT NULL');
export const dueCompletions = dueBy('booking-complete', 'ends_at', "status = 'confirmed'");

/** Claims a due reminder. The job then schedules the next one. */
export const takeReminder = sqlStatement<TeamScopedId & { now: Date }, Row<'booking', 'id' | 'starts_at' | 'reminders' | 'status'>>(
  `UPDATE booking SET reminder_at = NULL WHERE team_id = $team AND id = $id AND reminder_at < $now
   RETURNING id, starts_at, reminders, status`,
);
export const setReminder = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE booking SET reminder_at = $at WHERE team_id = $team AND id = $id',
);

/** Returns the calendars whose computed holidays end too early for the offered slots. */
export const dueHolidays = sqlStatement<Due, Found>(
  `SELECT team, id FROM (
     SELECT team_id AS team, id, holidays_until, row_number() OVER (PARTITION BY team_id ORDER BY holidays_until) AS place
     FROM calendar WHERE holidays_until IS NOT NULL AND NOT job_waits('calendar-holidays', calendar.team_id, id::text)
       AND team_active(calendar.team_id)
       AND holidays_until < ($now::timestamptz AT TIME ZONE 'UTC')::date + (definition ->> 'maxDaysAhead')::integer + 60
   ) due WHERE place <= $ofEachTeam ORDER BY holidays_until LIMIT $limit`,
);
export const calendarOf = sqlStatement<TeamScopedId, { definition: Calendar }>(
  'SELECT definition FROM calendar WHERE team_id = $team AND id = $id',
);
