import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { Calendar } from '../schemas.ts';
import type { SkippedEvent } from './busy-times.ts';

type OfCalendar = { team: string; calendar: string };

export type BusyRow = Row<'calendar_busy', 'id' | 'name' | 'url' | 'read_at' | 'tried_at' | 'error'> & { skipped: SkippedEvent[] };

export const busyOfCalendar = sqlStatement<OfCalendar, BusyRow>(
  'SELECT id, name, url, read_at, tried_at, error, skipped FROM calendar_busy WHERE team_id = $team AND calendar_id = $calendar ORDER BY id',
);

export const insertBusy = sqlStatement<TeamScopedId & { calendar: string; name: string; url: Buffer; at: Date }, never>(
  'INSERT INTO calendar_busy (team_id, id, calendar_id, name, url, due_at) VALUES ($team, $id, $calendar, $name, $url, $at)',
);
export const renameBusy = sqlStatement<TeamScopedId & { name: string }, never>(
  'UPDATE calendar_busy SET name = $name WHERE team_id = $team AND id = $id',
);
export const dropBusy = sqlStatement<{ team: string; ids: readonly string[] }, never>(
  'DELETE FROM calendar_busy WHERE team_id = $team AND id = ANY ($ids::uuid[])',
);

export const dueBusy = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team, id FROM (
     SELECT team_id AS team, id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM calendar_busy WHERE due_at < $now AND NOT job_waits('calendar-busy', calendar_busy.team_id, id::text)
       AND team_active(calendar_busy.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

/** Claims a due address and schedules its next read in `everySeconds` seconds. */
export const takeDueBusy = sqlStatement<TeamScopedId & { now: Date; everySeconds: number }, { id: string; calendar_id: string }>(
  `UPDATE calendar_busy SET due_at = $now::timestamptz + make_interval(secs => $everySeconds)
   WHERE team_id = $team AND id = $id AND due_at < $now RETURNING id, calendar_id`,
);

export const busyToRead = sqlStatement<TeamScopedId, { calendar_id: string; name: string; url: Buffer; definition: Calendar }>(
  `SELECT y.calendar_id, y.name, y.url, c.definition FROM calendar_busy y JOIN calendar c ON c.team_id = y.team_id AND c.id = y.calendar_id
   WHERE y.team_id = $team AND y.id = $id`,
);

/** Stores the busy times and the skipped events. Returns the previously skipped events, or no row if the address was removed. */
export const busyRead = sqlStatement<TeamScopedId & { spans: string; skipped: string; at: Date }, { before: SkippedEvent[] }>(
  `WITH old AS (SELECT team_id, id, skipped FROM calendar_busy WHERE team_id = $team AND id = $id FOR UPDATE)
   UPDATE calendar_busy y SET spans = $spans::text::tstzmultirange, skipped = $skipped, read_at = $at, tried_at = $at, failures = 0, error = NULL
   FROM old WHERE y.team_id = old.team_id AND y.id = old.id RETURNING old.skipped AS before`,
);
/** Stores an error. The busy times of the last read still apply. Returns the previous error, or no row if the address was removed. */
export const busyFailed = sqlStatement<TeamScopedId & { error: string; at: Date }, { before: string | null }>(
  `WITH old AS (SELECT team_id, id, error FROM calendar_busy WHERE team_id = $team AND id = $id FOR UPDATE)
   UPDATE calendar_busy y SET tried_at = $at, failures = failures + 1, error = $error
   FROM old WHERE y.team_id = old.team_id AND y.id = old.id RETURNING old.error AS before`,
);
