import { sqlStatement } from '../../platform/database/statement.ts';

/** The role of an active member, or `client` for an active API client. */
export type ActorNow = { role: string; folder_ids: string[] | null; scopes: string[] | null };
export const actorNow = sqlStatement<{ team: string; id: string }, ActorNow>(
  `SELECT a.role, NULL::uuid[] AS folder_ids, NULL::text[] AS scopes FROM member a WHERE a.team_id = $team AND a.id = $id
   UNION ALL
   SELECT 'client', c.folder_ids, c.scopes FROM active_client c WHERE c.team_id = $team AND c.id = $id`,
);
