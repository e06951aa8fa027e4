import { sqlStatement } from '../../../platform/database/statement.ts';

type Team = { team: string };
type Run = Team & { run: string };
type Call = Run & { id: string };

const waits = "status IN ('awaiting_approval', 'unknown')";

/** How many calls of a run, and of its team, wait for somebody. */
export const waitingCalls = sqlStatement<Run, { of_run: number; of_team: number }>(
  `SELECT (count(*) FILTER (WHERE run_id = $run))::int AS of_run, count(*)::int AS of_team FROM agent_run_call
   WHERE team_id = $team AND ${waits}`,
);

/** A call of a run that waits for somebody: of those whose outcome is unknown, where there is one. */
export const awaitingOf = sqlStatement<Run, { id: string; is_unknown: boolean }>(
  `SELECT id, status = 'unknown' AS is_unknown FROM agent_run_call WHERE team_id = $team AND run_id = $run AND ${waits} ORDER BY is_unknown DESC, id LIMIT 1`,
);

export const askForCall = sqlStatement<Call & { task: string; hash: string; expires: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'awaiting_approval', task_id = $task, asked_hash = $hash, expires_at = $expires
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'ready' RETURNING id`,
);

/** A call that was sent, and of which nobody knows what came of it, waits for somebody. */
export const askForOutcome = sqlStatement<Call & { task: string; hash: string; expires: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'unknown', task_id = $task, asked_hash = $hash, expires_at = $expires
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'ready' AND sent_at IS NOT NULL RETURNING id`,
);

export type AskedCall = {
  id: string;
  run_id: string;
  job_id: string | null;
  agent_id: string;
  on_behalf_of: string;
  tool: string;
  arguments: unknown;
  status: string;
  task_id: string;
  expires_at: string;
  sent_at: string | null;
};
const askedColumns =
  'c.id, c.run_id, r.job_id, r.agent_id, r.on_behalf_of, c.tool, c.arguments, c.status, c.task_id, c.expires_at, c.sent_at';
const askedNulls = { expires_at: 'whoever is asked is asked until a time' };
/** The call that a task asks about. */
export const callOfTask = sqlStatement<Team & { task: string }, AskedCall>(
  `SELECT ${askedColumns} FROM agent_run_call c JOIN agent_run r ON r.team_id = c.team_id AND r.id = c.run_id
   WHERE c.team_id = $team AND c.task_id = $task`,
  askedNulls,
);

/** The calls of a run that somebody is asked about. */
export const askedOfRun = sqlStatement<Run, { task_id: string }>(
  `SELECT task_id FROM agent_run_call WHERE team_id = $team AND run_id = $run AND ${waits} AND task_id IS NOT NULL ORDER BY task_id`,
);

/** A call that was approved is carried out next. */
export const approveCall = sqlStatement<Call & { by: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'ready', decided_by = $by, decided_at = $at
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'awaiting_approval' RETURNING id`,
);

/** A call that waits is not carried out. */
export const refuseCall = sqlStatement<Call & { by: string | null; decidedAt: Date | null; result: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = 'refused', result = $result, finished_at = $at, decided_by = $by, decided_at = $decidedAt
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'awaiting_approval' RETURNING id`,
);

/** Ends a call whose outcome was unknown, by what is said of it. */
export const settleCall = sqlStatement<Call & { status: 'done' | 'refused'; result: string; at: Date }, { id: string }>(
  `UPDATE agent_run_call SET status = $status, result = $result, finished_at = $at
   WHERE team_id = $team AND run_id = $run AND id = $id AND status = 'unknown' RETURNING id`,
);

/** None of the calls of a run that wait is carried out; of those that were sent, what came of them stays unknown. */
export const endWaiting = sqlStatement<Run & { refused: string; unknown: string; at: Date }, never>(
  `UPDATE agent_run_call SET status = CASE status WHEN 'unknown' THEN 'done' ELSE 'refused' END,
     result = CASE status WHEN 'unknown' THEN $unknown ELSE $refused END, finished_at = $at
   WHERE team_id = $team AND run_id = $run AND ${waits}`,
);

/** A run that waited goes on with one of the next places. */
export const wakeRun = sqlStatement<Run, { id: string }>(
  `UPDATE agent_run SET status = 'queued' WHERE team_id = $team AND id = $run AND status IN ('awaiting_approval', 'needs_attention') AND cancel_reason IS NULL RETURNING id`,
);
