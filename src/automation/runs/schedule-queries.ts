import { type Columns, sqlStatement } from '../../platform/database/statement.ts';
import type { Overlap } from './queries.ts';
import type { Schedule } from './schedules/index.ts';

/** A due job, locked. */
export type DueJob = {
  team_id: string;
  id: string;
  agent_id: string;
  schedule: Schedule;
  due_at: string;
  misfire_policy: 'run_once' | 'skip';
  misfire_grace_seconds: number;
  overlap: Overlap;
  on_behalf_of: string;
  /** The number of in-flight and of queued runs of the job. */
  begun: number;
  waiting: number;
  /** Whether an in-flight run waits for a person. */
  asking: boolean;
};

/** The due jobs, oldest first, without those that another node has locked. */
export const dueJobs = sqlStatement<{ now: Date; limit: number }, DueJob>(
  `SELECT j.team_id, j.id, j.agent_id, j.schedule, j.due_at, j.misfire_policy, j.misfire_grace_seconds, j.overlap, j.on_behalf_of,
     (SELECT count(*) FROM agent_run r WHERE r.team_id = j.team_id AND r.job_id = j.id AND r.finished_at IS NULL AND r.in_flight)::int AS begun,
     (SELECT count(*) FROM agent_run r WHERE r.team_id = j.team_id AND r.job_id = j.id AND r.finished_at IS NULL AND NOT r.in_flight)::int AS waiting,
     EXISTS (SELECT FROM agent_run r WHERE r.team_id = j.team_id AND r.job_id = j.id AND r.status IN ('awaiting_approval', 'needs_attention')) AS asking
   FROM agent_job j WHERE j.wake_at <= $now AND team_active(j.team_id)
   ORDER BY j.wake_at LIMIT $limit FOR UPDATE OF j SKIP LOCKED`,
  { due_at: 'a job with a wake time has a due time' },
);

/**
 * The time of the next check: the next wake time of a job. It is at the earliest in 250 ms, because a due job can be
 * locked.
 */
export const nextWake = sqlStatement<{ now: Date }, { wake_at: string }>(
  `SELECT greatest(wake_at, $now::timestamptz + interval '250 milliseconds') AS wake_at
   FROM agent_job WHERE wake_at IS NOT NULL AND team_active(team_id) ORDER BY agent_job.wake_at LIMIT 1`,
);

/** Sets the next due times of jobs. */
export const moveOn = sqlStatement<
  Columns<{ team: string; id: string; due: Date | null; wake: Date | null; status: string | null; reason: string | null }>,
  never
>(
  `UPDATE agent_job j SET due_at = n.due, wake_at = n.wake, last_status = coalesce(n.status, last_status),
     last_reason = CASE WHEN n.status IS NULL THEN last_reason ELSE n.reason END
   FROM unnest($team::uuid[], $id::uuid[], $due::timestamptz[], $wake::timestamptz[], $status::text[], $reason::text[])
     AS n (team, id, due, wake, status, reason)
   WHERE j.team_id = n.team AND j.id = n.id`,
);

export type NewRun = {
  team: string;
  id: string;
  agent: string;
  job: string;
  trigger: string;
  due: Date;
  status: string;
  reason: string | null;
  missed: string | null;
  onBehalfOf: string;
  finishedAt: Date | null;
};
/** Inserts the runs of due times. A due time that already has a run gets no second one. */
export const insertRuns = sqlStatement<Columns<NewRun> & { at: Date }, { team_id: string; id: string; job_id: string; status: string }>(
  `INSERT INTO agent_run (team_id, id, agent_id, job_id, trigger, due_at, status, reason, missed, on_behalf_of, finished_at, owner_id, created_at)
   SELECT n.*, n.on_behalf_of, $at FROM unnest($team::uuid[], $id::uuid[], $agent::uuid[], $job::uuid[], $trigger::text[], $due::timestamptz[], $status::text[],
     $reason::text[], $missed::jsonb[], $onBehalfOf::uuid[], $finishedAt::timestamptz[])
     AS n (team, id, agent, job, trigger, due, status, reason, missed, on_behalf_of, finished_at)
   ON CONFLICT (team_id, job_id, due_at) DO NOTHING RETURNING team_id, id, job_id, status`,
);

/** Requests that the unfinished runs of these jobs end, because new runs replace them. */
export const replaceRuns = sqlStatement<
  Columns<{ team: string; job: string; run: string }>,
  { team_id: string; id: string; in_flight: boolean }
>(
  `WITH locked AS MATERIALIZED (
     SELECT h.team_id, h.id FROM agent_run h JOIN unnest($team::uuid[], $job::uuid[], $run::uuid[]) AS n (team, job, run) ON h.team_id = n.team AND h.job_id = n.job
     WHERE h.finished_at IS NULL AND h.id <> n.run ORDER BY h.team_id, h.id FOR UPDATE OF h
   )
   UPDATE agent_run r SET cancel_reason = coalesce(r.cancel_reason, 'replaced') FROM locked
   WHERE r.team_id = locked.team_id AND r.id = locked.id RETURNING r.team_id, r.id, r.in_flight`,
);

/** Deletes runs that ended more than a year ago. */
export const dropOldRuns = sqlStatement<{ limit: number }, { id: string }>(
  `DELETE FROM agent_run r USING (
     SELECT team_id, id FROM agent_run WHERE finished_at < now() - interval '1 year' ORDER BY finished_at LIMIT $limit
   ) old WHERE r.team_id = old.team_id AND r.id = old.id RETURNING r.id`,
);
