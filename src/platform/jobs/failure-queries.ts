import { sqlStatement } from '../database/statement.ts';

/** Number of consecutive failures after which an item is discarded. */
export const failuresUntilSetAside = 10;

export type JobFailure = { team_id: string; thing: string; failures: number; waits: boolean };

/** Returns the failures of a job for the given items. `teams` has the team of each item in `things`. */
export const failuresOf = sqlStatement<{ job: string; teams: readonly string[]; things: readonly string[] }, JobFailure>(
  `SELECT t.team_id, t.thing, t.failures, t.next_at > now() AS waits
   FROM unnest($teams::uuid[], $things::text[]) AS asked(team, thing)
   JOIN job_failure t ON t.team_id = asked.team AND t.job = $job AND t.thing = asked.thing`,
);

/** Counts the discarded items of a job, up to 100 000. */
export const countSetAside = sqlStatement<{ job: string }, { things: number }>(
  `SELECT count(*)::int AS things FROM (
     SELECT FROM job_failure WHERE job = $job AND failures >= ${failuresUntilSetAside} LIMIT 100000
   ) aside`,
);

/** Records a failure. The next attempt follows after a minute, and each further wait is twice as long. A discarded item is tried once a day. */
export const recordJobFailure = sqlStatement<{ team: string; job: string; thing: string; reason: string }, { failures: number }>(
  `INSERT INTO job_failure AS t (team_id, job, thing, failures, reason, next_at) VALUES ($team, $job, $thing, 1, $reason, now() + interval '1 minute')
   ON CONFLICT (team_id, job, thing) DO UPDATE SET failures = t.failures + 1, reason = excluded.reason,
     next_at = now() + CASE WHEN t.failures + 1 >= ${failuresUntilSetAside} THEN interval '1 day' ELSE interval '1 minute' * power(2, t.failures) END
   RETURNING failures`,
);

export const clearJobFailure = sqlStatement<{ team: string; job: string; thing: string }, never>(
  'DELETE FROM job_failure WHERE team_id = $team AND job = $job AND thing = $thing',
);
