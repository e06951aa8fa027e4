import { sqlStatement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';

/**
 * What a team holds, by table, children before what they point to. Its journal stays, and with it the team's row and the
 * tombstones of its people, without a name in any of them: entries name them by identifier. A new table belongs here or
 * to `kept`: purge.test.ts asks.
 */
export const purged = [
  'webhook_attempt',
  'webhook_delivery',
  'webhook_queue',
  'webhook_pace',
  'webhook_endpoint_state',
  'webhook_endpoint',
  'task_comment',
  'task_digest',
  'task',
  'workflow_step',
  'workflow',
  'workflow_template',
  'document_grant_revoked',
  'document_grant',
  'document_version',
  'document',
  'folder_wall_opening',
  'folder_wall_member',
  'folder_wall',
  'folder_share',
  'folder',
  'api_client_revoked_token',
  'api_client_secret',
  'api_client',
  'former_client',
  'invitation',
  'sso_domain',
  'federated_identity',
  'sso_connection',
  'passkey',
  'backup_code',
  'two_factor',
  'two_factor_setup',
  'sign_in_challenge',
  'email_change',
  'password_reset',
  'session',
  'idempotent_answer',
  'event',
  'job',
  'job_trouble',
  'team_usage',
  'team_quota',
  'team_budget',
] as const;
export const kept = ['audit_entry', 'account', 'team'] as const;

/** One statement a table, in the order they run; each erases some rows and is repeated until there are none. */
export const eraseStatements = purged.map((table) =>
  // By their places, which no plan can turn into a walk over the rows of others. A place of another partition may be meant as well: of this team all are.
  sqlStatement<{ team: string }, { erased: number }>(
    `WITH gone AS (
       DELETE FROM ${table} WHERE team_id = $team AND ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE team_id = $team LIMIT 5000)) RETURNING 1
     ) SELECT count(*)::int AS erased FROM gone`,
  ),
);
export const teamPurge = 'team-purge';
export const dueTeams = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT team_id FROM team WHERE closed_at < $before AND purged_at IS NULL AND ${notWaitingAfterFailure(teamPurge, 'team.team_id', "''")}
   ORDER BY closed_at LIMIT 100`,
);
export const filesOf = sqlStatement<{ team: string }, { storage_key: string }>(
  'SELECT storage_key FROM document_version WHERE team_id = $team',
);
export const forgetTeam = sqlStatement<{ team: string; at: Date }, never>(
  "UPDATE team SET name = '', purged_at = $at, updated_at = $at, version = version + 1 WHERE team_id = $team",
);
