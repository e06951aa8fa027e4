import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

/** A run with a result that is still to be delivered. */
export type PendingDelivery = {
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
const pendingDeliverySql = `SELECT ${columns} FROM agent_run WHERE team_id = $team AND id = $id AND delivery_status = 'pending' AND job_id IS NOT NULL`;
const nulls = {
  finished_at: 'the run has ended',
  delivery: 'a pending delivery has a mode',
  trigger: 'a run of a job has no other trigger',
  status: 'only these results are delivered',
};
export const findPendingDelivery = sqlStatement<TeamScopedId, PendingDelivery>(pendingDeliverySql, nulls);
/** Like `pendingDelivery`, but locks the run against a concurrent delivery until the transaction ends. */
export const lockPendingDelivery = sqlStatement<TeamScopedId, PendingDelivery>(`${pendingDeliverySql} FOR UPDATE`, nulls);

/** Marks a result as delivered, by a task or a webhook. Returns no row if it was marked before. */
export const markDelivered = sqlStatement<TeamScopedId & { by: string }, { id: string }>(
  `UPDATE agent_run SET delivery_status = 'sent', delivery_id = $by
   WHERE team_id = $team AND id = $id AND delivery_status = 'pending' RETURNING id`,
);
export const markDeliveryFailed = sqlStatement<TeamScopedId & { error: string }, { id: string }>(
  `UPDATE agent_run SET delivery_status = 'failed', delivery_error = $error
   WHERE team_id = $team AND id = $id AND delivery_status = 'pending' RETURNING id`,
);
