import { sqlStatement } from '../../platform/database/statement.ts';
import type { HolidayAt } from '../../platform/holidays.ts';
import type { WorkingTimeBody } from './schemas.ts';

type WorkingTimeKey = { team: string };
export type WorkingTimeRow = {
  definition: Required<Pick<WorkingTimeBody, 'free'>> & WorkingTimeBody;
  holidays: HolidayAt[];
  version: number;
};

export const workingTimeOf = sqlStatement<WorkingTimeKey, WorkingTimeRow>(
  'SELECT definition, holidays, version FROM working_time WHERE team_id = $team',
);

/** Serializes changes to the working time. */
export const lockWorkingTime = sqlStatement<WorkingTimeKey, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('working time ' || $team, 0)) AS locked",
);

type StoredWorkingTime = WorkingTimeKey & { definition: string; holidays: string; until: string | null; at: Date };

export const putWorkingTime = sqlStatement<StoredWorkingTime, never>(
  `INSERT INTO working_time AS w (team_id, definition, holidays, holidays_until, created_at, updated_at)
   VALUES ($team, $definition, $holidays, $until, $at, $at)
   ON CONFLICT (team_id) DO UPDATE SET definition = excluded.definition, holidays = excluded.holidays,
     holidays_until = excluded.holidays_until, version = w.version + 1, updated_at = excluded.updated_at`,
);

/** Stores calculated holidays. The version of the working time stays, because no user changed it. */
export const setHolidays = sqlStatement<WorkingTimeKey & { holidays: string; until: string | null }, never>(
  'UPDATE working_time SET holidays = $holidays, holidays_until = $until WHERE team_id = $team',
);

/** Teams whose holidays are calculated for less than two years ahead. */
export const dueHolidays = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, team_id AS id FROM working_time
   WHERE holidays_until < ($now::timestamptz AT TIME ZONE 'UTC')::date + 730 AND $ofEachTeam::int > 0
     AND NOT job_waits('working-time-holidays', working_time.team_id, working_time.team_id::text) AND team_active(working_time.team_id)
   ORDER BY holidays_until LIMIT $limit`,
);
