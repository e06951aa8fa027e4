import { joinRoundSql } from '#approvals';
import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

export type ApprovalRow = Row<'mcp_approval', 'id' | 'round_id' | 'task_id' | 'status' | 'decided_by' | 'expires_at'> & {
  /** The hash of the exact request. */
  hash: string;
  /** The result of the executed call as JSON. */
  result: string | null;
  /** The policy of the round. */
  policy: string | null;
  /** Whether the round is open and has expired. */
  expired: boolean;
};

/** Serializes the approvals of one client, or of all apps of one person. */
export const lockApprovals = sqlStatement<{ caller: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('mcp approvals ' || $caller, 0)) AS locked",
);
/** The state of the approval `m` with the round `r`. The previous version does not store the end of a round in `status`. */
const statusSql = `CASE WHEN m.status <> 'waiting' THEN m.status WHEN r.status = 'rejected' THEN 'denied' WHEN r.status = 'voided' THEN 'stale'
       WHEN r.status IN ('approved', 'expired') THEN r.status ELSE 'waiting' END`;
const latestOf = (column: 'client_id' | 'connection_id') =>
  sqlStatement<{ team: string } & { asker: string; tool: string; argsHash: string; now: Date }, ApprovalRow>(
    `SELECT m.id, m.round_id, m.task_id, m.hash, m.decided_by, m.result, m.expires_at, r.policy_name AS policy,
       coalesce(r.status = 'open' AND r.expires_at <= now(), false) AS expired, ${statusSql} AS status
     FROM mcp_approval m ${joinRoundSql('m.round_id')}
     WHERE m.team_id = $team AND m.${column} = $asker AND m.args_hash = $argsHash AND m.tool = $tool
       AND (m.expires_at > $now OR r.status = 'open') AND m.status <> 'ended'
     ORDER BY m.id DESC LIMIT 1`,
    { status: 'both states are not null where they are used' },
  );
/** The latest approval of a call that has not expired, or whose round is still open. */
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
  round: string;
  task: string | null;
  at: Date;
  expires: Date;
};
export const insertApproval = sqlStatement<NewApproval, never>(
  `INSERT INTO mcp_approval (team_id, id, client_id, connection_id, account_id, tool, args_hash, hash, round_id, task_id, created_at, expires_at)
   VALUES ($team, $id, $client, $connection, $account, $tool, $argsHash, $hash, $round, $task, $at, $expires)`,
);
type Requested = Row<'mcp_approval', 'round_id' | 'task_id'>;
export const findApproval = sqlStatement<TeamScopedId, Requested>(
  'SELECT round_id, task_id FROM mcp_approval WHERE team_id = $team AND id = $id',
);
export type DecidedApproval = Requested & { id: string; asker: string; tool: string };
const decidedSql =
  'SELECT id, coalesce(client_id, connection_id) AS asker, tool, round_id, task_id FROM mcp_approval WHERE team_id = $team';
const oneAsker = { asker: 'an approval has a client or a connection' };
/** The approval of a round, with its client or its app connection. */
export const approvalOfRound = sqlStatement<{ team: string; round: string }, DecidedApproval>(
  `${decidedSql} AND round_id = $round`,
  oneAsker,
);
/** The approval of a task without a round. */
export const approvalOfTask = sqlStatement<{ team: string; task: string }, DecidedApproval>(
  `${decidedSql} AND task_id = $task AND round_id IS NULL`,
  oneAsker,
);
/**
 * Stores the decision about an approval; `by` is null if it has expired. Returns no row if it was decided before. The same applies to the decision of a
 * person if the approval has expired or the app connection has ended.
 */
export const decideApproval = sqlStatement<TeamScopedId & { status: string; by: string | null; at: Date }, { id: string }>(
  `UPDATE mcp_approval m SET status = $status, decided_by = $by, ended_at = $at
   WHERE m.team_id = $team AND m.id = $id AND m.status = 'waiting' AND ($by::uuid IS NULL OR m.expires_at > $at
     AND (m.connection_id IS NULL OR connected_app_session_lives(m.team_id, m.connection_id))) RETURNING m.id`,
);
/** Ends the approval of a voided round. */
export const voidApproval = sqlStatement<{ team: string; round: string; status: 'ended' | 'stale'; at: Date }, never>(
  `UPDATE mcp_approval SET status = $status, ended_at = $at WHERE team_id = $team AND round_id = $round AND status IN ('waiting', 'approved')`,
);
/**
 * The open approvals of a client or connection. They wait for a decision, or are approved and their call was not
 * executed.
 */
export const openApprovals = sqlStatement<{ team: string; caller: string }, Requested & { policy: string | null }>(
  `SELECT m.round_id, m.task_id, r.policy_name AS policy FROM mcp_approval m ${joinRoundSql('m.round_id')}
   WHERE m.team_id = $team AND (m.client_id = $caller OR m.connection_id = $caller) AND m.status IN ('waiting', 'approved') ORDER BY m.round_id, m.id`,
);
/** Ends the open approvals of a client or connection that has ended, and deletes the stored results. */
export const endOpenApprovals = sqlStatement<{ team: string; caller: string; at: Date }, never>(
  `UPDATE mcp_approval SET result = NULL, status = CASE WHEN status IN ('waiting', 'approved') THEN 'ended' ELSE status END,
     ended_at = CASE WHEN status IN ('waiting', 'approved') THEN $at ELSE ended_at END
   WHERE team_id = $team AND (client_id = $caller OR connection_id = $caller) AND (result IS NOT NULL OR status IN ('waiting', 'approved'))`,
);
/** The connections that have ended for any reason and still have open approvals. */
export const overConnections = sqlStatement<{ limit: number }, { team: string; id: string }>(
  `SELECT DISTINCT m.team_id AS team, m.connection_id AS id FROM mcp_approval m
   WHERE m.connection_id IS NOT NULL AND m.status IN ('waiting', 'approved') AND NOT connected_app_session_lives(m.team_id, m.connection_id)
     AND NOT job_waits('mcp-connections-over', m.team_id, m.connection_id::text)
   ORDER BY m.team_id, m.connection_id LIMIT $limit`,
);
/** Ends an approval that was used, or one without a round that no longer matches the target. */
export const endApproval = sqlStatement<TeamScopedId & { status: string; at: Date }, never>(
  "UPDATE mcp_approval SET status = $status, ended_at = $at WHERE team_id = $team AND id = $id AND status IN ('waiting', 'approved')",
);
export const keepResult = sqlStatement<TeamScopedId & { result: string }, never>(
  'UPDATE mcp_approval SET result = $result WHERE team_id = $team AND id = $id',
);
/** Expires an approval and deletes its stored result. */
export const expireApproval = sqlStatement<TeamScopedId & { at: Date }, never>(
  `UPDATE mcp_approval SET result = NULL, status = CASE status WHEN 'waiting' THEN 'expired' ELSE status END,
     ended_at = CASE status WHEN 'waiting' THEN $at ELSE ended_at END WHERE team_id = $team AND id = $id`,
);
/** Deletes approvals that are more than 30 days old and have expired. */
export const dropOldApprovals = sqlStatement<{ limit: number }, { id: string }>(
  `DELETE FROM mcp_approval a USING (
     SELECT team_id, id FROM mcp_approval WHERE created_at < now() - interval '30 days' AND expires_at < now() ORDER BY created_at LIMIT $limit
   ) old WHERE a.team_id = old.team_id AND a.id = old.id RETURNING a.id`,
);
