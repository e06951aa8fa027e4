import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

export type ApprovalRow = Row<'mcp_approval', 'id' | 'task_id' | 'status' | 'decided_by' | 'expires_at'> & {
  /** The hash of the exact request. */
  hash: string;
  /** The result of the executed call as JSON. */
  result: string | null;
};

/** Serializes the approvals of one client, or of all apps of one person. */
export const lockApprovals = sqlStatement<{ caller: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('mcp approvals ' || $caller, 0)) AS locked",
);
const latestOf = (column: 'client_id' | 'connection_id') =>
  sqlStatement<{ team: string } & { asker: string; tool: string; argsHash: string; now: Date }, ApprovalRow>(
    `SELECT id, task_id, status, hash, decided_by, result, expires_at FROM mcp_approval
     WHERE team_id = $team AND ${column} = $asker AND args_hash = $argsHash AND tool = $tool AND expires_at > $now AND status <> 'ended'
     ORDER BY id DESC LIMIT 1`,
  );
/** The latest approval of a call that has not expired. */
export const latestApproval = { client: latestOf('client_id'), connectedApp: latestOf('connection_id') };
export const waitingApprovals = sqlStatement<
  { team: string } & { caller: string; now: Date },
  { caller_count: number; team_count: number }
>(
  `SELECT (count(*) FILTER (WHERE coalesce(client_id, account_id) = $caller))::int AS caller_count, count(*)::int AS team_count FROM mcp_approval
   WHERE team_id = $team AND status = 'waiting' AND expires_at > $now`,
);
type NewApproval = TeamScopedId & {
  client: string | null;
  connection: string | null;
  account: string | null;
  tool: string;
  argsHash: string;
  hash: string;
  task: string;
  at: Date;
  expires: Date;
};
export const insertApproval = sqlStatement<NewApproval, never>(
  `INSERT INTO mcp_approval (team_id, id, client_id, connection_id, account_id, tool, args_hash, hash, task_id, created_at, expires_at)
   VALUES ($team, $id, $client, $connection, $account, $tool, $argsHash, $hash, $task, $at, $expires)`,
);
export const findApproval = sqlStatement<TeamScopedId, { task_id: string }>(
  'SELECT task_id FROM mcp_approval WHERE team_id = $team AND id = $id',
);
/** The approval of a task, with its client or its app connection. */
export const approvalOfTask = sqlStatement<{ team: string } & { task: string }, { id: string; asker: string | null; tool: string }>(
  'SELECT id, coalesce(client_id, connection_id) AS asker, tool FROM mcp_approval WHERE team_id = $team AND task_id = $task',
);
/** Stores the decision about an approval. Returns no row if it was decided before, has expired, or its app connection has ended. */
export const decideApproval = sqlStatement<TeamScopedId & { status: string; by: string; at: Date }, { id: string }>(
  `UPDATE mcp_approval m SET status = $status, decided_by = $by, ended_at = $at
   WHERE m.team_id = $team AND m.id = $id AND m.status = 'waiting' AND m.expires_at > $at
     AND (m.connection_id IS NULL OR (m.account_id = $by AND connected_app_session_lives(m.team_id, m.connection_id))) RETURNING m.id`,
);
/** The open approvals of a connection with their tasks: those that wait for a decision, and approved ones whose call was not executed. */
export const openApprovals = sqlStatement<{ team: string } & { connection: string }, { id: string; task_id: string }>(
  `SELECT id, task_id FROM mcp_approval WHERE team_id = $team AND connection_id = $connection AND status IN ('waiting', 'approved') ORDER BY id`,
);
/** Ends the open approvals of a connection that has ended, and deletes the stored results. */
export const endOpenApprovals = sqlStatement<{ team: string } & { connection: string; at: Date }, never>(
  `UPDATE mcp_approval SET result = NULL, status = CASE WHEN status IN ('waiting', 'approved') THEN 'ended' ELSE status END,
     ended_at = CASE WHEN status IN ('waiting', 'approved') THEN $at ELSE ended_at END
   WHERE team_id = $team AND connection_id = $connection AND (result IS NOT NULL OR status IN ('waiting', 'approved'))`,
);
/** The connections that have ended for any reason and still have open approvals. */
export const overConnections = sqlStatement<{ limit: number }, { team: string; id: string }>(
  `SELECT DISTINCT m.team_id AS team, m.connection_id AS id FROM mcp_approval m
   WHERE m.connection_id IS NOT NULL AND m.status IN ('waiting', 'approved') AND NOT connected_app_session_lives(m.team_id, m.connection_id)
     AND NOT job_waits('mcp-connections-over', m.team_id, m.connection_id::text)
   ORDER BY m.team_id, m.connection_id LIMIT $limit`,
);
/** Ends an approval that was used or no longer matches the target. */
export const endApproval = sqlStatement<TeamScopedId & { status: string; at: Date }, never>(
  "UPDATE mcp_approval SET status = $status, ended_at = $at WHERE team_id = $team AND id = $id AND status = 'approved'",
);
export const keepResult = sqlStatement<TeamScopedId & { result: string }, never>(
  'UPDATE mcp_approval SET result = $result WHERE team_id = $team AND id = $id',
);
/** Expires an approval and deletes its stored result. */
export const expireApproval = sqlStatement<TeamScopedId & { at: Date }, never>(
  `UPDATE mcp_approval SET result = NULL, status = CASE status WHEN 'waiting' THEN 'expired' ELSE status END,
     ended_at = CASE status WHEN 'waiting' THEN $at ELSE ended_at END WHERE team_id = $team AND id = $id`,
);
/** Deletes approvals that are more than 30 days old. */
export const dropOldApprovals = sqlStatement<{ limit: number }, { id: string }>(
  `DELETE FROM mcp_approval a USING (
     SELECT team_id, id FROM mcp_approval WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT $limit
   ) old WHERE a.team_id = old.team_id AND a.id = old.id RETURNING a.id`,
);
