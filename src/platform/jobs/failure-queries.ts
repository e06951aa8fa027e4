import { sqlStatement } from '../database/statement.ts';

/** After so many failures in a row a thing is set aside. */
export const failuresUntilSetAside = 10;

export type JobFailure = { team_id: string; thing: string; failures: number; waits: boolean };

/** What a job failed at of these things and has not done since: `teams` says of each of `things` whose it is. */
export const troublesOf = sqlStatement<{ job: string; teams: readonly string[]; things: readonly string[] }, JobFailure>(
  `SELECT t.team_id, t.thing, t.failures, t.next_at > now() AS waits
   FROM unnest($teams::uuid[], $things::text[]) AS asked(team, thing)
   JOIN job_trouble t ON t.team_id = asked.team AND t.job = $job AND t.thing = asked.thing`,
);

/** How many things of a job are set aside, as far as anybody counts. */
export const countSetAside = sqlStatement<{ job: string }, { things: number }>(
  `SELECT count(*)::int AS things FROM (
     SELECT FROM job_trouble WHERE job = $job AND failures >= ${failuresUntilSetAside} LIMIT 100000
   ) aside`,
);

/** Counts one more failure. The next try waits a minute, then twice as long each time; once set aside, a day. */
export const recordJobFailure = sqlStatement<{ team: string; job: string; thing: string; reason: string }, { failures: number }>(
  `INSERT INTO job_trouble AS t (team_id, job, thing, failures, reason, next_at) VALUES ($team, $job, $thing, 1, $reason, now() + interval '1 minute')
   ON CONFLICT (team_id, job, thing) DO UPDATE SET failures = t.failures + 1, reason = excluded.reason,
     next_at = now() + CASE WHEN t.failures + 1 >= ${failuresUntilSetAside} THEN interval '1 day' ELSE interval '1 minute' * power(2, t.failures) END
   RETURNING failures`,
);

export const clearJobFailure = sqlStatement<{ team: string; job: string; thing: string }, never>(
  'DELETE FROM job_trouble WHERE team_id = $team AND job = $job AND thing = $thing',
);
