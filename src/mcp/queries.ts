import { sqlStatement } from '../platform/database/statement.ts';

type Team = { team: string };
type One = Team & { id: string };

export type ApprovalStatus = 'waiting' | 'approved' | 'denied' | 'expired' | 'stale' | 'used';
export type ApprovalRow = {
  id: string;
  task_id: string;
  status: ApprovalStatus;
  /** What exactly was asked. */
  hash: string;
  decided_by: string | null;
  /** What the call answered when it was carried out, as JSON. */
  result: string | null;
  expires_at: string;
};

/** What one client asks comes one after the other. */
export const lockApprovals = sqlStatement<{ client: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('mcp approvals ' || $client, 0)) AS locked",
);
/** What was asked last about a call, where the time for it is not up. */
export const latestApproval = sqlStatement<Team & { client: string; tool: string; argsHash: string; now: Date }, ApprovalRow>(
  `SELECT id, task_id, status, hash, decided_by, result, expires_at FROM mcp_approval
   WHERE team_id = $team AND client_id = $client AND args_hash = $argsHash AND tool = $tool AND expires_at > $now ORDER BY id DESC LIMIT 1`,
);
export const waitingApprovals = sqlStatement<Team & { client: string; now: Date }, { of_client: number; of_team: number }>(
  `SELECT (count(*) FILTER (WHERE client_id = $client))::int AS of_client, count(*)::int AS of_team FROM mcp_approval
   WHERE team_id = $team AND status = 'waiting' AND expires_at > $now`,
);
export const insertApproval = sqlStatement<
  One & { client: string; tool: string; argsHash: string; hash: string; task: string; at: Date; expires: Date },
  never
>(
  `INSERT INTO mcp_approval (team_id, id, client_id, tool, args_hash, hash, task_id, created_at, expires_at)
   VALUES ($team, $id, $client, $tool, $argsHash, $hash, $task, $at, $expires)`,
);
export const findApproval = sqlStatement<One, { task_id: string }>('SELECT task_id FROM mcp_approval WHERE team_id = $team AND id = $id');
export const approvalOfTask = sqlStatement<Team & { task: string }, { id: string; client_id: string; tool: string }>(
  'SELECT id, client_id, tool FROM mcp_approval WHERE team_id = $team AND task_id = $task',
);
export const decideApproval = sqlStatement<One & { status: string; by: string; at: Date }, { id: string }>(
  `UPDATE mcp_approval SET status = $status, decided_by = $by, ended_at = $at
   WHERE team_id = $team AND id = $id AND status = 'waiting' AND expires_at > $at RETURNING id`,
);
/** An approval that was used, or that is not for what is there now. */
export const endApproval = sqlStatement<One & { status: string; at: Date }, never>(
  "UPDATE mcp_approval SET status = $status, ended_at = $at WHERE team_id = $team AND id = $id AND status = 'approved'",
);
export const keepResult = sqlStatement<One & { result: string }, never>(
  'UPDATE mcp_approval SET result = $result WHERE team_id = $team AND id = $id',
);
/** The time of a question is up: nobody answers it any more, and what came of it is not kept. */
export const expireApproval = sqlStatement<One & { at: Date }, never>(
  `UPDATE mcp_approval SET result = NULL, status = CASE status WHEN 'waiting' THEN 'expired' ELSE status END,
     ended_at = CASE status WHEN 'waiting' THEN $at ELSE ended_at END WHERE team_id = $team AND id = $id`,
);
/** Drops what was asked more than 30 days ago. */
export const dropOldApprovals = sqlStatement<{ limit: number }, { id: string }>(
  `DELETE FROM mcp_approval a USING (
     SELECT team_id, id FROM mcp_approval WHERE created_at < now() - interval '30 days' ORDER BY created_at LIMIT $limit
   ) old WHERE a.team_id = old.team_id AND a.id = old.id RETURNING a.id`,
);
