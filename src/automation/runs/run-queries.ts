import { sqlStatement, type TeamParams, type TeamScopedId } from '../../platform/database/statement.ts';
import { contentErased } from './policy.ts';
import type { EndedStatus } from './queries.ts';
import type { Missed } from './schedules/index.ts';

/** The status of a run that waits for a person. */
export type WaitingStatus = 'awaiting_approval' | 'needs_attention';
export type Trigger = 'schedule' | 'misfire' | 'manual' | 'request' | 'workflow';
export type RunRow = {
  id: string;
  agent_id: string;
  /** Null for a run without a job. */
  job_id: string | null;
  trigger: Trigger;
  due_at: string | null;
  status: EndedStatus | 'queued' | 'running' | WaitingStatus;
  reason: string | null;
  missed: Missed | null;
  on_behalf_of: string;
  requested_by: string | null;
  owner_id: string;
  /** The workflow step of the run, and the start of that step. */
  workflow_id: string | null;
  step_id: string | null;
  step_begun_at: string | null;
  /** The number of runs that started each other before this one. */
  depth: number;
  attempts: number;
  interruptions: string[];
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** The instruction for the agent. A run of a job has it from its start on. */
  message: string | null;
  model: string | null;
  timeout_seconds: number | null;
  worked_ms: number;
  /** The delivery of the result; null if there is none, or before the start. */
  delivery: 'webhook' | 'task' | null;
  delivery_endpoint: string | null;
  delivery_status: 'pending' | 'sent' | 'failed' | null;
  delivery_error: string | null;
  delivery_id: string | null;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number | null;
  price_table: string | null;
  steps: number;
  summary: string | null;
  simulated: boolean;
};

const columns = `id, agent_id, job_id, trigger, due_at, status, reason, missed, on_behalf_of, requested_by, owner_id, workflow_id, step_id, step_begun_at, depth, attempts, interruptions,
     created_at, started_at, finished_at, message, model, timeout_seconds, worked_ms, delivery, delivery_endpoint, delivery_status, delivery_error, delivery_id, input_tokens, output_tokens, cost_micros, price_table, steps,
     summary, simulated`;

/** Whether barriers exclude a caller: a person, or null for an API client. */
const excluded = 'coalesce(agent_run_excludes($team, id, $person::uuid), true)';

type RunPage = TeamParams & { person: string | null; before: string; limit: number };
const newest = (which: string) =>
  `SELECT ${columns} FROM agent_run WHERE team_id = $team AND ${which} AND id < $before AND NOT ${excluded} ORDER BY id DESC LIMIT $limit + 1`;
/** The runs of a team, a job or an agent that no barrier hides from the caller, newest first. */
export const runsOfTeam = sqlStatement<RunPage, RunRow>(newest('true'));
export const runsOfJob = sqlStatement<RunPage & { job: string }, RunRow>(newest('job_id = $job'));
export const runsOfAgent = sqlStatement<RunPage & { agent: string }, RunRow>(newest('agent_id = $agent'));
export const findRun = sqlStatement<TeamScopedId, RunRow>(`SELECT ${columns} FROM agent_run WHERE team_id = $team AND id = $id`);
/** A run, and whether barriers exclude the caller. `erasing`: its transcript will be deleted when it ends, or in the night. */
export type SeenRun = RunRow & { excluded: boolean; erasing: boolean };
export const seenRun = sqlStatement<TeamScopedId & { person: string | null }, SeenRun>(
  `SELECT ${columns}, ${excluded} AS excluded, coalesce(finished_at IS NULL AND cancel_reason = '${contentErased}', false) OR EXISTS (
     SELECT FROM agent_run_subject s WHERE s.team_id = $team AND s.run_id = agent_run.id AND agent_run_subject_gone($team, s.type, s.id)
       AND EXISTS (SELECT FROM agent_run_step o WHERE o.team_id = $team AND o.run_id = agent_run.id)) AS erasing
   FROM agent_run WHERE team_id = $team AND id = $id`,
);
/** Transfers the runs of a member who leaves to their successor. */
export const handOverRuns = sqlStatement<{ team: string; from: string; to: string }, never>(
  'UPDATE agent_run SET owner_id = $to WHERE team_id = $team AND owner_id = $from',
);

/** The number of queued and in-flight runs of a job. A run that must end counts until it has ended. */
export const liveRuns = sqlStatement<TeamParams & { job: string }, { waiting: number; begun: number }>(
  `SELECT (count(*) FILTER (WHERE NOT in_flight))::int AS waiting, (count(*) FILTER (WHERE in_flight))::int AS begun
   FROM agent_run WHERE team_id = $team AND job_id = $job AND finished_at IS NULL`,
);

export const insertManual = sqlStatement<TeamScopedId & { job: string; agent: string; onBehalfOf: string; by: string; at: Date }, never>(
  `INSERT INTO agent_run (team_id, id, agent_id, job_id, trigger, on_behalf_of, requested_by, owner_id, created_at)
   VALUES ($team, $id, $agent, $job, 'manual', $onBehalfOf, $by, $by, $at)`,
);

export const insertRequested = sqlStatement<
  TeamScopedId & { agent: string; onBehalfOf: string; by: string; message: string; model: string | null; timeout: number | null; at: Date },
  never
>(
  `INSERT INTO agent_run (team_id, id, agent_id, trigger, on_behalf_of, requested_by, owner_id, message, model, timeout_seconds, created_at)
   VALUES ($team, $id, $agent, 'request', $onBehalfOf, $by, $onBehalfOf, $message, $model, $timeout, $at)`,
);

export const insertOfStep = sqlStatement<
  TeamScopedId & {
    agent: string;
    onBehalfOf: string;
    message: string;
    workflow: string;
    step: string;
    begun: Date;
    depth: number;
    cancel: string | null;
    at: Date;
  },
  never
>(
  `INSERT INTO agent_run (team_id, id, agent_id, trigger, on_behalf_of, owner_id, message, workflow_id, step_id, step_begun_at, depth, cancel_reason, created_at)
   VALUES ($team, $id, $agent, 'workflow', $onBehalfOf, $onBehalfOf, $message, $workflow, $step, $begun, $depth, $cancel, $at)`,
);

export const waitingRequests = sqlStatement<TeamParams, { waiting: number }>(
  "SELECT count(*)::int AS waiting FROM agent_run WHERE team_id = $team AND trigger = 'request' AND finished_at IS NULL AND NOT in_flight",
);

/** Locks a run. The caller locks its job before. */
export const lockRun = sqlStatement<TeamScopedId, RunRow & { end_emitted: boolean; cancel_reason: string | null; paused: boolean }>(
  `SELECT ${columns}, end_emitted, cancel_reason, paused FROM agent_run WHERE team_id = $team AND id = $id FOR UPDATE`,
);

/** Returns an SQL expression for a value from the job of a run. */
const ofJob = (what: string) => `(SELECT ${what} FROM agent_job j WHERE j.team_id = $team AND j.id = agent_run.job_id)`;
/** A setting that a run copies from its job at its first start and keeps in later attempts. */
const copiedOnce = (column: string, jobValue: string) => `CASE WHEN message IS NULL THEN ${jobValue} ELSE ${column} END`;
/** Starts a run or its next attempt: writes of an earlier attempt fail from now on. */
export const beginRun = sqlStatement<TeamScopedId & { at: Date; iso: string }, RunRow>(
  `UPDATE agent_run SET status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, $at),
     interruptions = CASE WHEN status = 'running' THEN interruptions || to_jsonb($iso::text) ELSE interruptions END,
     message = coalesce(message, ${ofJob('j.message')}),
     model = ${copiedOnce('model', ofJob('j.model'))}, timeout_seconds = ${copiedOnce('timeout_seconds', ofJob('j.timeout_seconds'))},
     delivery = ${copiedOnce('delivery', ofJob("nullif(j.delivery, 'none')"))},
     delivery_endpoint = ${copiedOnce('delivery_endpoint', ofJob('j.delivery_endpoint'))}, delivery_to = ${copiedOnce('delivery_to', ofJob('j.delivery_to'))}
   WHERE team_id = $team AND id = $id AND finished_at IS NULL RETURNING ${columns}`,
);

/** Ends a run, but only in the given attempt. */
export const endRun = sqlStatement<
  TeamScopedId & { attempt: number; status: EndedStatus; reason: string | null; at: Date },
  RunRow & { duration_ms: number | null }
>(
  `UPDATE agent_run SET status = $status, reason = $reason, finished_at = $at, in_flight = false, end_emitted = true,
     delivery_status = CASE WHEN delivery IS NOT NULL AND $status IN ('ok', 'error') THEN 'pending' END
   WHERE team_id = $team AND id = $id AND finished_at IS NULL AND attempts = $attempt AND (NOT paused OR cancel_reason IS NOT NULL)
   RETURNING ${columns}, (extract(epoch FROM finished_at - started_at) * 1000)::int AS duration_ms`,
);

/** Records that the event of a skipped run was emitted. Returns no row if it was emitted before. */
export const markEndEmitted = sqlStatement<TeamScopedId, RunRow>(
  `UPDATE agent_run SET end_emitted = true WHERE team_id = $team AND id = $id AND NOT end_emitted RETURNING ${columns}`,
);

/** Selects runs to end: one run, or those of a job, an agent, a person, a workflow or a step; with nothing set, all. */
type Which = {
  run: string | null;
  jobs: readonly string[] | null;
  agent: string | null;
  person: string | null;
  workflow: string | null;
  step: string | null;
};
export const cancelRuns = sqlStatement<TeamParams & Which & { reason: string }, { id: string; in_flight: boolean }>(
  `WITH locked AS MATERIALIZED (
     SELECT c.id FROM agent_run c WHERE c.team_id = $team AND c.finished_at IS NULL AND c.cancel_reason IS NULL
       AND ($run::uuid IS NULL OR c.id = $run) AND ($agent::uuid IS NULL OR c.agent_id = $agent)
       AND ($jobs::uuid[] IS NULL AND $person::uuid IS NULL OR c.job_id = ANY ($jobs) OR c.on_behalf_of = $person)
       AND ($workflow::uuid IS NULL OR c.workflow_id = $workflow) AND ($step::text IS NULL OR c.step_id = $step) ORDER BY c.id FOR UPDATE
   )
   UPDATE agent_run SET cancel_reason = $reason FROM locked
   WHERE agent_run.team_id = $team AND agent_run.id = locked.id RETURNING agent_run.id, agent_run.in_flight`,
);

/**
 * Locks the running and waiting runs of an agent or a person, and returns their owners and agents. Includes runs with a call that the person approved
 * and that is not executed yet. Excludes runs that must end.
 */
export const lockPeopleOfRuns = sqlStatement<
  TeamParams & { agent: string | null; person: string | null },
  { agent_id: string; on_behalf_of: string }
>(
  `WITH locked AS MATERIALIZED (
     SELECT agent_id, on_behalf_of FROM agent_run WHERE team_id = $team AND finished_at IS NULL AND cancel_reason IS NULL
       AND ($agent::uuid IS NULL OR agent_id = $agent) AND ($person::uuid IS NULL OR on_behalf_of = $person OR EXISTS (
         SELECT FROM agent_run_call c WHERE c.team_id = $team AND c.run_id = agent_run.id AND c.status = 'ready' AND c.decided_by = $person))
     ORDER BY id FOR UPDATE
   )
   SELECT DISTINCT agent_id, on_behalf_of FROM locked ORDER BY agent_id, on_behalf_of`,
);

type OfWorkflow = TeamParams & { workflow: string };
/** Pauses the runs of a workflow. In-flight runs stop on their nodes and start again when the workflow resumes. */
export const pauseRuns = sqlStatement<OfWorkflow, { id: string }>(
  `WITH live AS MATERIALIZED (
     SELECT c.id FROM agent_run c WHERE c.team_id = $team AND c.workflow_id = $workflow AND c.finished_at IS NULL AND c.cancel_reason IS NULL
     ORDER BY c.id FOR UPDATE
   )
   UPDATE agent_run SET paused = true, in_flight = false, status = CASE WHEN status = 'running' THEN 'queued' ELSE status END FROM live
   WHERE agent_run.team_id = $team AND agent_run.id = live.id RETURNING agent_run.id`,
);
export const releaseRuns = sqlStatement<OfWorkflow, { id: string }>(
  `WITH live AS MATERIALIZED (
     SELECT c.id FROM agent_run c WHERE c.team_id = $team AND c.workflow_id = $workflow AND c.finished_at IS NULL AND c.paused ORDER BY c.id FOR UPDATE
   )
   UPDATE agent_run SET paused = false FROM live WHERE agent_run.team_id = $team AND agent_run.id = live.id RETURNING agent_run.id`,
);

/** The last ended run of each step of a workflow. */
export const endedOfSteps = sqlStatement<OfWorkflow, { id: string }>(
  `SELECT DISTINCT ON (step_id) id FROM agent_run WHERE team_id = $team AND workflow_id = $workflow AND finished_at IS NOT NULL
   ORDER BY step_id, id DESC`,
);

/** Whether a team is neither suspended nor closed. */
export const teamIsActive = sqlStatement<TeamParams, { active: boolean }>(`SELECT team_active($team) AS active`);

/** The attempts that must stop, because their run must end, their team is suspended or closed, or another attempt owns the run (`lost`). */
export const attemptsToStop = sqlStatement<
  { teams: readonly string[]; ids: readonly string[]; attempts: readonly number[] },
  { id: string; attempt: number; lost: boolean }
>(
  `SELECT w.id, w.attempt, r.cancel_reason IS NULL AS lost
   FROM unnest($teams::uuid[], $ids::uuid[], $attempts::integer[]) AS w (team, id, attempt)
   LEFT JOIN LATERAL (
     SELECT coalesce(c.cancel_reason, CASE WHEN team_active(c.team_id) THEN '' ELSE 'team_inactive' END) AS cancel_reason FROM agent_run c
     WHERE c.team_id = w.team AND c.id = w.id AND c.status = 'running' AND c.attempts = w.attempt OFFSET 0
   ) r ON true
   WHERE r.cancel_reason IS DISTINCT FROM ''`,
);

export const jobOfRun = sqlStatement<TeamScopedId, { job_id: string | null; agent_id: string }>(
  'SELECT job_id, agent_id FROM agent_run WHERE team_id = $team AND id = $id',
);

/** Stores the last result of a job and counts its consecutive failures. */
export const recordLastRun = sqlStatement<
  TeamScopedId & { status: EndedStatus; reason: string | null; begunAt: string | null; durationMs: number | null; failed: boolean },
  { consecutive_errors: number; delete_after_run: boolean }
>(
  `UPDATE agent_job SET last_status = $status, last_reason = $reason, last_run_at = coalesce($begunAt, last_run_at),
     last_duration_ms = coalesce($durationMs, last_duration_ms),
     consecutive_errors = CASE WHEN $failed THEN consecutive_errors + 1 WHEN $status = 'ok' THEN 0 ELSE consecutive_errors END
   WHERE team_id = $team AND id = $id RETURNING consecutive_errors, delete_after_run`,
);

/** Serializes the callers that assign slots, since the slots of a team are counted. */
export const lockPlaces = sqlStatement<{ teams: readonly string[] }, { locked: unknown }>(
  `SELECT pg_advisory_xact_lock(hashtextextended('agent runs ' || t.team, 0)) AS locked
   FROM (SELECT team FROM unnest($teams::text[]) AS u (team) ORDER BY team) t`,
);

/**
 * Gives the free slots of teams to queued runs, the oldest first, with at most one run per job. Skips a run that another transaction is changing,
 * because that transaction will request a slot for it.
 */
export const assignRunSlots = sqlStatement<{ teams: readonly string[]; most: number }, { team_id: string; id: string }>(
  `WITH load AS (
     SELECT t.team, (SELECT count(*) FROM agent_run r WHERE r.team_id = t.team AND r.in_flight) AS taken FROM unnest($teams::uuid[]) AS t (team)
   ),
   pick AS (
     SELECT q.team_id, q.id FROM load l CROSS JOIN LATERAL (
       SELECT r.team_id, r.id FROM agent_run r
       WHERE r.team_id = l.team AND r.status = 'queued' AND NOT r.in_flight AND NOT r.paused
         AND NOT EXISTS (
           SELECT FROM agent_run p WHERE p.team_id = r.team_id AND p.job_id = r.job_id AND p.finished_at IS NULL AND (p.in_flight OR p.id < r.id)
         )
       ORDER BY r.id LIMIT greatest(0, $most - l.taken) FOR UPDATE OF r SKIP LOCKED
     ) q
   )
   UPDATE agent_run r SET in_flight = true FROM pick p WHERE r.team_id = p.team_id AND r.id = p.id RETURNING r.team_id, r.id`,
);
