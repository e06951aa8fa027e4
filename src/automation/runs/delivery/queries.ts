import { sqlStatement } from '../../../platform/database/statement.ts';

type One = { team: string; id: string };

/** A run of which somebody is still to be told what came of it. */
export type Untold = {
  id: string;
  job_id: string;
  agent_id: string;
  trigger: 'schedule' | 'misfire' | 'manual';
  due_at: string | null;
  status: 'ok' | 'error';
  reason: string | null;
  on_behalf_of: string;
  finished_at: string;
  delivery: 'webhook' | 'task';
  delivery_endpoint: string | null;
  delivery_to: string | null;
};
const columns =
  'id, job_id, agent_id, trigger, due_at, status, reason, on_behalf_of, finished_at, delivery, delivery_endpoint, delivery_to';
const untoldText = `SELECT ${columns} FROM agent_run WHERE team_id = $team AND id = $id AND delivery_status = 'pending' AND job_id IS NOT NULL`;
const nulls = {
  finished_at: 'it has ended',
  delivery: 'it says who is told',
  trigger: 'a run of a job is none of a request or a workflow',
  status: 'whoever is told is told of these alone',
};
export const findUntold = sqlStatement<One, Untold>(untoldText, nulls);
/** The same, which nobody else tells of before this transaction ends. */
export const holdUntold = sqlStatement<One, Untold>(`${untoldText} FOR UPDATE`, nulls);

/** Notes that somebody was told, by which task or delivery; no row where that is noted already. */
export const noteTold = sqlStatement<One & { by: string }, { id: string }>(
  `UPDATE agent_run SET delivery_status = 'sent', delivery_id = $by
   WHERE team_id = $team AND id = $id AND delivery_status = 'pending' RETURNING id`,
);
export const noteUntold = sqlStatement<One & { error: string }, { id: string }>(
  `UPDATE agent_run SET delivery_status = 'failed', delivery_error = $error
   WHERE team_id = $team AND id = $id AND delivery_status = 'pending' RETURNING id`,
);
