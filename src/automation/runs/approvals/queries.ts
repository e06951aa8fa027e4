import { sqlStatement } from '../../../platform/database/statement.ts';

type CallsOfRun = { team: string; run: string };
type CallId = CallsOfRun & { id: string };

const waits = "status IN ('awaiting_approval', 'unknown')";

/** The number of calls that wait for a person, in a run and in its team. */
export const waitingCalls = sqlStatement<CallsOfRun, { run_count: number; team_count: number }>(
  `SELECT (count(*) FILTER (WHERE run_id = $run))::int AS run_count, count(*)::int AS team_count FROM agent_run_call
   WHERE team_id = $team AND ${waits}`,
);

/** A call of a run that waits for a person. A call with an unknown outcome comes first. */
export const awaitingOf = sqlStatement<CallsOfRun, { id: string; is_unknown: boolean }>(
  `SELECT id, status = 'unknown' AS is_unknown FROM agent_run_call WHERE team_id = $team AND run_id = $run AND ${waits} ORDER BY is_unknown DESC, id LIMIT 1`,
);

export const askForCall = sqlStatement<CallId & { task: string; hash: string; expires: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'awaiting_approval', task_id = $task, request_hash = $hash, expires_at = $expires
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'ready' RETURNING id`,
);

/** Makes a call wait for an approval round. */
export const askRoundForCall = sqlStatement<CallId & { round: string; hash: string; expires: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'awaiting_approval', approval_round_id = $round, request_hash = $hash, expires_at = $expires
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'ready' RETURNING id`,
);

/** Makes a call ask again after its round was voided. */
export const askAgain = sqlStatement<CallId & { round: string }, { id: string }>(
  `UPDATE agent_run_call SET status = 'ready', approval_round_id = NULL, request_hash = NULL, expires_at = NULL, decided_by = NULL, decided_at = NULL
   WHERE team_id = $team AND run_id = $run AND id = $id AND approval_round_id = $round AND status IN ('awaiting_approval', 'ready') RETURNING id`,
);

/** The open approval rounds of a run. */
export const openRoundsOfRun = sqlStatement<CallsOfRun, { id: string }>(
  `SELECT approval_round_id AS id FROM agent_run_call
   WHERE team_id = $team AND run_id = $run AND status = 'awaiting_approval' AND approval_round_id IS NOT NULL ORDER BY approval_round_id`,
);

/** Makes a sent call with an unknown outcome wait for a person. */
export const askForOutcome = sqlStatement<CallId & { task: string; hash: string; expires: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'unknown', task_id = $task, request_hash = $hash, expires_at = $expires
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'ready' AND sent_at IS NOT NULL RETURNING id`,
);

export type PendingCall = {
  id: string;
  run_id: string;
  job_id: string | null;
  agent_id: string;
  on_behalf_of: string;
  tool: string;
  arguments: unknown;
  status: string;
  task_id: string | null;
  approval_round_id: string | null;
  expires_at: string;
  sent_at: string | null;
};
const pendingColumns =
  'c.id, c.run_id, r.job_id, r.agent_id, r.on_behalf_of, c.tool, c.arguments, c.status, c.task_id, c.approval_round_id, c.expires_at, c.sent_at';
const pendingNotNull = { expires_at: 'a call with a task has an expiry time' };
/** The call that belongs to a task. */
export const callOfTask = sqlStatement<{ team: string; task: string }, PendingCall>(
  `SELECT ${pendingColumns} FROM agent_run_call c JOIN agent_run r ON r.team_id = c.team_id AND r.id = c.run_id
   WHERE c.team_id = $team AND c.task_id = $task`,
  pendingNotNull,
);

/** The call that belongs to an approval round. */
export const callOfRound = sqlStatement<{ team: string; round: string }, PendingCall>(
  `SELECT ${pendingColumns} FROM agent_run_call c JOIN agent_run r ON r.team_id = c.team_id AND r.id = c.run_id
   WHERE c.team_id = $team AND c.approval_round_id = $round`,
  pendingNotNull,
);

/** The tasks of the waiting calls of a run. */
export const openTasksOfRun = sqlStatement<CallsOfRun, { task_id: string }>(
  `SELECT task_id FROM agent_run_call WHERE team_id = $team AND run_id = $run AND ${waits} AND task_id IS NOT NULL ORDER BY task_id`,
);

/** Approves a call, which is executed next. */
export const approveCall = sqlStatement<CallId & { by: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'ready', decided_by = $by, decided_at = $at
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'awaiting_approval' RETURNING id`,
);

/** Rejects a waiting call, which is not executed. */
export const refuseCall = sqlStatement<CallId & { by: string | null; decidedAt: Date | null; result: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'refused', result = $result, finished_at = $at, decided_by = $by, decided_at = $decidedAt
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'awaiting_approval' RETURNING id`,
);

/** Ends a call of unknown outcome with the reported outcome. */
export const endCallRow = sqlStatement<CallId & { status: 'done' | 'refused'; result: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = $status, result = $result, finished_at = $at
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'unknown' RETURNING id`,
);

/** Ends all waiting calls of a run. Calls that were sent get an unknown outcome; the others are rejected. */
export const endWaiting = sqlStatement<CallsOfRun & { refused: string; unknown: string; at: Date }, never>(
  `UPDATE agent_run_call SET status = CASE status WHEN 'unknown' THEN 'done' ELSE 'refused' END,
     result = CASE status WHEN 'unknown' THEN $unknown ELSE $refused END, finished_at = $at
   WHERE team_id = $team AND run_id = $run AND ${waits}`,
);

/** Queues a run that waited for a person. */
export const wakeRun = sqlStatement<CallsOfRun, { id: string }>(
  `UPDATE agent_run SET status = 'queued' WHERE team_id = $team AND id = $run AND status IN ('awaiting_approval', 'needs_attention') AND cancel_reason IS NULL RETURNING id`,
);
