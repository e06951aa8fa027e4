import { bySort, changeSorts, type Cursor, sortedBy } from '../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamParams, type TeamScopedId } from '../../platform/database/statement.ts';
import type { Schedule } from './schedules/index.ts';

/** The settings of a job as parameters of a statement. */
export type JobSettings = {
  agent: string;
  name: string;
  description: string | null;
  enabled: boolean;
  /** As JSON. */
  schedule: string;
  message: string;
  model: string | null;
  timeout: number | null;
  policy: string;
  grace: number;
  overlap: string;
  deleteAfterRun: boolean;
  delivery: DeliveryMode;
  deliveryEndpoint: string | null;
  deliveryTo: string | null;
  onBehalfOf: string;
  due: Date | null;
  wake: Date | null;
};

/** The way to deliver the result of a run. */
export type DeliveryMode = 'none' | 'webhook' | 'task';
export type Overlap = 'skip' | 'queue' | 'replace';
export type EndedStatus = 'ok' | 'error' | 'skipped' | 'cancelled';
export type DisabledReason = 'consecutive_errors' | 'owner_inactive' | 'schedule_invalid';
export type JobRow = {
  id: string;
  agent_id: string;
  name: string;
  description: string | null;
  enabled: boolean;
  schedule: Schedule;
  message: string;
  model: string | null;
  timeout_seconds: number | null;
  misfire_policy: 'run_once' | 'skip';
  misfire_grace_seconds: number;
  overlap: Overlap;
  delete_after_run: boolean;
  delivery: DeliveryMode;
  delivery_endpoint: string | null;
  delivery_to: string | null;
  on_behalf_of: string;
  due_at: string | null;
  wake_at: string | null;
  last_run_at: string | null;
  last_status: EndedStatus | null;
  last_reason: string | null;
  last_duration_ms: number | null;
  consecutive_errors: number;
  disabled_reason: DisabledReason | null;
  disabled_at: string | null;
  created_by: string;
  version: number;
  created_at: string;
  updated_at: string;
  running_at: string | null;
};

const columns = `j.id, j.agent_id, j.name, j.description, j.enabled, j.schedule, j.message, j.model, j.timeout_seconds, j.misfire_policy,
     j.misfire_grace_seconds, j.overlap, j.delete_after_run, j.delivery, j.delivery_endpoint, j.delivery_to, j.on_behalf_of, j.due_at, j.wake_at, j.last_run_at, j.last_status, j.last_reason,
     j.last_duration_ms, j.consecutive_errors, j.disabled_reason, j.disabled_at, j.created_by, j.version, j.created_at, j.updated_at,
     (SELECT min(r.started_at) FROM agent_run r WHERE r.team_id = $team AND r.job_id = j.id AND r.finished_at IS NULL) AS running_at`;

export const findJob = sqlStatement<TeamScopedId, JobRow>(`SELECT ${columns} FROM agent_job j WHERE j.team_id = $team AND j.id = $id`);
/** Every change of a job acquires this lock before it reads the job. */
export const lockJob = sqlStatement<TeamScopedId, { id: string }>('SELECT id FROM agent_job WHERE team_id = $team AND id = $id FOR UPDATE');

type List = TeamParams & Cursor & { since: string | null; limit: number; agent: string | null };
/** The jobs of a team in a sort order. `sort_time` and the id are the cursor. */
export const listJobs = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'j');
  return sqlStatement<List, JobRow & { sort_time: string }>(
    `SELECT ${columns}, ${key[0]} AS sort_time FROM agent_job j
     WHERE j.team_id = $team AND ${after} AND ($agent::uuid IS NULL OR j.agent_id = $agent)
       AND ($since::timestamptz IS NULL OR j.updated_at >= $since)
     ORDER BY ${order} LIMIT $limit + 1`,
  );
});

type Written = TeamParams & JobSettings & { id: string; by: string; at: Date };
export const insertJob = sqlStatement<Written, never>(
  `INSERT INTO agent_job (team_id, id, agent_id, name, description, enabled, schedule, message, model, timeout_seconds, misfire_policy,
     misfire_grace_seconds, overlap, delete_after_run, delivery, delivery_endpoint, delivery_to, on_behalf_of, due_at, wake_at, created_by, created_at, updated_at)
   VALUES ($team, $id, $agent, $name, $description, $enabled, $schedule::jsonb, $message, $model, $timeout, $policy,
     $grace, $overlap, $deleteAfterRun, $delivery, $deliveryEndpoint, $deliveryTo, $onBehalfOf, $due, $wake, $by, $at, $at)`,
);

/** Enabling a disabled job resets its count of failures. */
export const updateJob = sqlStatement<Omit<Written, 'by'>, never>(
  `UPDATE agent_job SET agent_id = $agent, name = $name, description = $description, schedule = $schedule::jsonb, message = $message,
     model = $model, timeout_seconds = $timeout, misfire_policy = $policy, misfire_grace_seconds = $grace, overlap = $overlap,
     delete_after_run = $deleteAfterRun, delivery = $delivery, delivery_endpoint = $deliveryEndpoint, delivery_to = $deliveryTo, on_behalf_of = $onBehalfOf, due_at = $due, wake_at = $wake,
     consecutive_errors = CASE WHEN $enabled AND NOT enabled THEN 0 ELSE consecutive_errors END,
     disabled_reason = CASE WHEN $enabled THEN NULL ELSE disabled_reason END, disabled_at = CASE WHEN $enabled THEN NULL ELSE disabled_at END,
     enabled = $enabled, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export const deleteJob = sqlStatement<TeamScopedId, never>('DELETE FROM agent_job WHERE team_id = $team AND id = $id');

/** Disables an enabled job. */
export const disableJob = sqlStatement<TeamScopedId & { reason: DisabledReason; at: Date }, { id: string; name: string; agent_id: string }>(
  `UPDATE agent_job SET enabled = false, due_at = NULL, wake_at = NULL, disabled_reason = $reason, disabled_at = $at,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND enabled RETURNING id, name, agent_id`,
);

/** The jobs that run for a person, locked in the order of their ids. */
export const lockJobsOfPerson = sqlStatement<TeamParams & { user: string }, { id: string }>(
  'SELECT id FROM agent_job WHERE team_id = $team AND on_behalf_of = $user ORDER BY id FOR UPDATE',
);
/** The jobs of an agent, locked in the order of their ids. */
export const lockJobsOfAgent = sqlStatement<TeamParams & { agent: string }, { id: string; name: string; agent_id: string }>(
  'SELECT id, name, agent_id FROM agent_job WHERE team_id = $team AND agent_id = $agent ORDER BY id FOR UPDATE',
);

/** The state of the scheduler for a team. `lag_ms` is the longest delay of a due job or a queued run. */
export const statusOfTeam = sqlStatement<
  TeamParams & { now: Date },
  { jobs: number; running: number; queued: number; next_wake_at: string | null; lag_ms: number; nodes: number }
>(
  `SELECT (SELECT count(*) FROM agent_job WHERE team_id = $team AND enabled)::int AS jobs,
     (SELECT count(*) FROM agent_run WHERE team_id = $team AND in_flight AND status = 'running')::int AS running,
     (SELECT count(*) FROM agent_run WHERE team_id = $team AND status = 'queued' AND finished_at IS NULL)::int AS queued,
     (SELECT min(wake_at) FROM agent_job WHERE team_id = $team AND wake_at IS NOT NULL) AS next_wake_at,
     greatest(0, coalesce((extract(epoch FROM $now::timestamptz - least(
       (SELECT min(wake_at) FROM agent_job WHERE team_id = $team AND wake_at IS NOT NULL),
       (SELECT min(created_at) FROM agent_run WHERE team_id = $team AND status = 'queued' AND finished_at IS NULL))) * 1000)::int8, 0))::float8 AS lag_ms,
     live_job_workers() AS nodes`,
);
