import { sqlStatement } from '../../platform/database/statement.ts';
import { contentErased } from './policy.ts';
import type { EndedStatus } from './queries.ts';
import type { Missed } from './schedules/index.ts';

/** How a run stands that waits for a person. */
export type WaitingStatus = 'awaiting_approval' | 'needs_attention';
export type Trigger = 'schedule' | 'misfire' | 'manual' | 'request' | 'workflow';
export type RunRow = {
  id: string;
  agent_id: string;
  /** None where somebody has asked for the run itself. */
  job_id: string | null;
  trigger: Trigger;
  due_at: string | null;
  status: EndedStatus | 'queued' | 'running' | WaitingStatus;
  reason: string | null;
  missed: Missed | null;
  on_behalf_of: string;
  requested_by: string | null;
  owner_id: string;
  /** The step of a workflow that it does, and when that began. */
  workflow_id: string | null;
  step_id: string | null;
  step_begun_at: string | null;
  /** In how many runs it was begun, one within the other. */
  depth: number;
  attempts: number;
  interruptions: string[];
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** What the agent is told; a run of a job has it once it was begun. */
  message: string | null;
  model: string | null;
  timeout_seconds: number | null;
  worked_ms: number;
  /** Who is told what came of it; none where nobody is, or before it was begun. */
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

type Team = { team: string };
type One = Team & { id: string };

/** Whether barriers exclude a caller: a person, or null for a program. */
const excluded = 'coalesce(agent_run_excludes($team, id, $person::uuid), true)';

type Page = Team & { person: string | null; before: string; limit: number };
const newest = (which: string) =>
  `SELECT ${columns} FROM agent_run WHERE team_id = $team AND ${which} AND id < $before AND NOT ${excluded} ORDER BY id DESC LIMIT $limit + 1`;
/** The runs of a team, a job or an agent that no barrier hides from the caller, the newest first. */
export const runsOfTeam = sqlStatement<Page, RunRow>(newest('true'));
export const runsOfJob = sqlStatement<Page & { job: string }, RunRow>(newest('job_id = $job'));
export const runsOfAgent = sqlStatement<Page & { agent: string }, RunRow>(newest('agent_id = $agent'));
export const findRun = sqlStatement<One, RunRow>(`SELECT ${columns} FROM agent_run WHERE team_id = $team AND id = $id`);
/** A run, and whether barriers exclude the caller. `erasing`: what was said is deleted when it ends, or by night. */
export type SeenRun = RunRow & { excluded: boolean; erasing: boolean };
export const seenRun = sqlStatement<One & { person: string | null }, SeenRun>(
  `SELECT ${columns}, ${excluded} AS excluded, coalesce(finished_at IS NULL AND cancel_reason = '${contentErased}', false) OR EXISTS (
     SELECT FROM agent_run_subject s WHERE s.team_id = $team AND s.run_id = agent_run.id AND agent_run_subject_gone($team, s.type, s.id)
       AND EXISTS (SELECT FROM agent_run_step o WHERE o.team_id = $team AND o.run_id = agent_run.id)) AS erasing
   FROM agent_run WHERE team_id = $team AND id = $id`,
);
/** Transfers the runs of a member who leaves to their successor. */
export const handOverRuns = sqlStatement<{ team: string; from: string; to: string }, never>(
  'UPDATE agent_run SET owner_id = $to WHERE team_id = $team AND owner_id = $from',
);

/** Whether runs of a job are under way or wait; those that are to end count, since a run is over when it has ended. */
export const liveRuns = sqlStatement<Team & { job: string }, { waiting: number; begun: number }>(
  `SELECT (count(*) FILTER (WHERE NOT in_hand))::int AS waiting, (count(*) FILTER (WHERE in_hand))::int AS begun
   FROM agent_run WHERE team_id = $team AND job_id = $job AND finished_at IS NULL`,
);

export const insertManual = sqlStatement<One & { job: string; agent: string; onBehalfOf: string; by: string; at: Date }, never>(
  `INSERT INTO agent_run (team_id, id, agent_id, job_id, trigger, on_behalf_of, requested_by, owner_id, created_at)
   VALUES ($team, $id, $agent, $job, 'manual', $onBehalfOf, $by, $by, $at)`,
);

export const insertRequested = sqlStatement<
  One & { agent: string; onBehalfOf: string; message: string; model: string | null; timeout: number | null; at: Date },
  never
>(
  `INSERT INTO agent_run (team_id, id, agent_id, trigger, on_behalf_of, requested_by, owner_id, message, model, timeout_seconds, created_at)
   VALUES ($team, $id, $agent, 'request', $onBehalfOf, $onBehalfOf, $onBehalfOf, $message, $model, $timeout, $at)`,
);

export const insertOfStep = sqlStatement<
  One & {
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

export const waitingRequests = sqlStatement<Team, { waiting: number }>(
  "SELECT count(*)::int AS waiting FROM agent_run WHERE team_id = $team AND trigger = 'request' AND finished_at IS NULL AND NOT in_hand",
);

/** The run under its lock; its job is locked before. */
export const lockRun = sqlStatement<One, RunRow & { announced: boolean; cancel_reason: string | null; held: boolean }>(
  `SELECT ${columns}, announced, cancel_reason, held FROM agent_run WHERE team_id = $team AND id = $id FOR UPDATE`,
);

/** Of the job of a run. */
const ofJob = (what: string) => `(SELECT ${what} FROM agent_job j WHERE j.team_id = $team AND j.id = agent_run.job_id)`;
/** What a run takes from its job when it is begun, and keeps when it is taken up again. */
const asTold = (column: string, told: string) => `CASE WHEN message IS NULL THEN ${told} ELSE ${column} END`;
/** Begins a run, or takes it up again: what an earlier attempt writes is refused from now on. */
export const beginRun = sqlStatement<One & { at: Date; iso: string }, RunRow>(
  `UPDATE agent_run SET status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, $at),
     interruptions = CASE WHEN status = 'running' THEN interruptions || to_jsonb($iso::text) ELSE interruptions END,
     message = coalesce(message, ${ofJob('j.message')}),
     model = ${asTold('model', ofJob('j.model'))}, timeout_seconds = ${asTold('timeout_seconds', ofJob('j.timeout_seconds'))},
     delivery = ${asTold('delivery', ofJob("nullif(j.delivery, 'none')"))},
     delivery_endpoint = ${asTold('delivery_endpoint', ofJob('j.delivery_endpoint'))}, delivery_to = ${asTold('delivery_to', ofJob('j.delivery_to'))}
   WHERE team_id = $team AND id = $id AND finished_at IS NULL RETURNING ${columns}`,
);

/** Ends a run that is under way: in the attempt that has it in hand, and no other. */
export const endRun = sqlStatement<
  One & { attempt: number; status: EndedStatus; reason: string | null; at: Date },
  RunRow & { duration_ms: number | null }
>(
  `UPDATE agent_run SET status = $status, reason = $reason, finished_at = $at, in_hand = false, announced = true,
     delivery_status = CASE WHEN delivery IS NOT NULL AND $status IN ('ok', 'error') THEN 'pending' END
   WHERE team_id = $team AND id = $id AND finished_at IS NULL AND attempts = $attempt AND (NOT held OR cancel_reason IS NOT NULL)
   RETURNING ${columns}, (extract(epoch FROM finished_at - started_at) * 1000)::int AS duration_ms`,
);

/** Notes that it was said that a run was skipped; no row where it was said. */
export const announceRun = sqlStatement<One, RunRow>(
  `UPDATE agent_run SET announced = true WHERE team_id = $team AND id = $id AND NOT announced RETURNING ${columns}`,
);

/** Runs that are not over are to end: one, those of a job, of an agent, for a person, or all. */
type Which = {
  run: string | null;
  job: string | null;
  agent: string | null;
  person: string | null;
  workflow: string | null;
  step: string | null;
};
export const cancelRuns = sqlStatement<Team & Which & { reason: string }, { id: string; in_hand: boolean }>(
  `WITH held AS MATERIALIZED (
     SELECT c.id FROM agent_run c WHERE c.team_id = $team AND c.finished_at IS NULL
       AND ($run::uuid IS NULL OR c.id = $run) AND ($job::uuid IS NULL OR c.job_id = $job) AND ($agent::uuid IS NULL OR c.agent_id = $agent)
       AND ($person::uuid IS NULL OR c.on_behalf_of = $person)
       AND ($workflow::uuid IS NULL OR c.workflow_id = $workflow) AND ($step::text IS NULL OR c.step_id = $step) ORDER BY c.id FOR UPDATE
   )
   UPDATE agent_run SET cancel_reason = coalesce(cancel_reason, $reason) FROM held
   WHERE agent_run.team_id = $team AND agent_run.id = held.id RETURNING agent_run.id, agent_run.in_hand`,
);

/**
 * For whom there are runs that are not over nor to end, and of which agents: of one agent, or for one person, or with a call that the person has
 * approved and that is to be carried out. The runs are locked.
 */
export const holdPeopleOfRuns = sqlStatement<
  Team & { agent: string | null; person: string | null },
  { agent_id: string; on_behalf_of: string }
>(
  `WITH held AS MATERIALIZED (
     SELECT agent_id, on_behalf_of FROM agent_run WHERE team_id = $team AND finished_at IS NULL AND cancel_reason IS NULL
       AND ($agent::uuid IS NULL OR agent_id = $agent) AND ($person::uuid IS NULL OR on_behalf_of = $person OR EXISTS (
         SELECT FROM agent_run_call c WHERE c.team_id = $team AND c.run_id = agent_run.id AND c.status = 'ready' AND c.decided_by = $person))
     ORDER BY id FOR UPDATE
   )
   SELECT DISTINCT agent_id, on_behalf_of FROM held ORDER BY agent_id, on_behalf_of`,
);

type OfWorkflow = Team & { workflow: string };
/** The runs of a workflow stand still: whoever has one in hand has it no more, and it is begun again when they go on. */
export const holdRuns = sqlStatement<OfWorkflow, { id: string }>(
  `WITH live AS MATERIALIZED (
     SELECT c.id FROM agent_run c WHERE c.team_id = $team AND c.workflow_id = $workflow AND c.finished_at IS NULL AND c.cancel_reason IS NULL
     ORDER BY c.id FOR UPDATE
   )
   UPDATE agent_run SET held = true, in_hand = false, status = CASE WHEN status = 'running' THEN 'queued' ELSE status END FROM live
   WHERE agent_run.team_id = $team AND agent_run.id = live.id RETURNING agent_run.id`,
);
export const releaseRuns = sqlStatement<OfWorkflow, { id: string }>(
  `WITH live AS MATERIALIZED (
     SELECT c.id FROM agent_run c WHERE c.team_id = $team AND c.workflow_id = $workflow AND c.finished_at IS NULL AND c.held ORDER BY c.id FOR UPDATE
   )
   UPDATE agent_run SET held = false FROM live WHERE agent_run.team_id = $team AND agent_run.id = live.id RETURNING agent_run.id`,
);

/** The last run that has ended of each step of a workflow. */
export const endedOfSteps = sqlStatement<OfWorkflow, { id: string }>(
  `SELECT DISTINCT ON (step_id) id FROM agent_run WHERE team_id = $team AND workflow_id = $workflow AND finished_at IS NOT NULL
   ORDER BY step_id, id DESC`,
);

/** Whether a team is neither suspended nor closed. */
export const teamStands = sqlStatement<Team, { stands: boolean }>(`SELECT team_goes_on($team) AS stands`);

/** Of attempts at runs those that are to stop: the run is to end, as with its team, or is not that attempt's any more (`lost`). */
export const runsToLeave = sqlStatement<
  { teams: readonly string[]; ids: readonly string[]; attempts: readonly number[] },
  { id: string; attempt: number; lost: boolean }
>(
  `SELECT w.id, w.attempt, r.cancel_reason IS NULL AS lost
   FROM unnest($teams::uuid[], $ids::uuid[], $attempts::integer[]) AS w (team, id, attempt)
   LEFT JOIN LATERAL (
     SELECT coalesce(c.cancel_reason, CASE WHEN team_goes_on(c.team_id) THEN '' ELSE 'team_inactive' END) AS cancel_reason FROM agent_run c
     WHERE c.team_id = w.team AND c.id = w.id AND c.status = 'running' AND c.attempts = w.attempt OFFSET 0
   ) r ON true
   WHERE r.cancel_reason IS DISTINCT FROM ''`,
);

export const jobOfRun = sqlStatement<One, { job_id: string | null; agent_id: string }>(
  'SELECT job_id, agent_id FROM agent_run WHERE team_id = $team AND id = $id',
);

/** What came of the last run, and how many have failed in a row. */
export const noteEnd = sqlStatement<
  One & { status: EndedStatus; reason: string | null; begunAt: string | null; durationMs: number | null; failed: boolean },
  { consecutive_errors: number; delete_after_run: boolean }
>(
  `UPDATE agent_job SET last_status = $status, last_reason = $reason, last_run_at = coalesce($begunAt, last_run_at),
     last_duration_ms = coalesce($durationMs, last_duration_ms),
     consecutive_errors = CASE WHEN $failed THEN consecutive_errors + 1 WHEN $status = 'ok' THEN 0 ELSE consecutive_errors END
   WHERE team_id = $team AND id = $id RETURNING consecutive_errors, delete_after_run`,
);

/** Whoever gives places to runs takes these first: a team’s places are counted. */
export const lockPlaces = sqlStatement<{ teams: readonly string[] }, { locked: unknown }>(
  `SELECT pg_advisory_xact_lock(hashtextextended('agent runs ' || t.team, 0)) AS locked
   FROM (SELECT team FROM unnest($teams::text[]) AS u (team) ORDER BY team) t`,
);

/**
 * Gives the free places of teams to runs that wait, the oldest first, and to one of a job at a time. A run that another
 * transaction changes just now is passed over: it asks for its place itself.
 */
export const givePlaces = sqlStatement<{ teams: readonly string[]; most: number }, { team_id: string; id: string }>(
  `WITH load AS (
     SELECT t.team, (SELECT count(*) FROM agent_run r WHERE r.team_id = t.team AND r.in_hand) AS taken FROM unnest($teams::uuid[]) AS t (team)
   ),
   pick AS (
     SELECT q.team_id, q.id FROM load l CROSS JOIN LATERAL (
       SELECT r.team_id, r.id FROM agent_run r
       WHERE r.team_id = l.team AND r.status = 'queued' AND NOT r.in_hand AND NOT r.held
         AND NOT EXISTS (
           SELECT FROM agent_run p WHERE p.team_id = r.team_id AND p.job_id = r.job_id AND p.finished_at IS NULL AND (p.in_hand OR p.id < r.id)
         )
       ORDER BY r.id LIMIT greatest(0, $most - l.taken) FOR UPDATE OF r SKIP LOCKED
     ) q
   )
   UPDATE agent_run r SET in_hand = true FROM pick p WHERE r.team_id = p.team_id AND r.id = p.id RETURNING r.team_id, r.id`,
);
