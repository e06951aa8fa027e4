import { sqlStatement } from '../platform/database/statement.ts';

export type GrantReason = 'task' | 'record' | 'share';
export type GrantRow = {
  id: string;
  document_id: string;
  user_id: string;
  access: 'read' | 'write';
  reason: GrantReason;
  reason_id: string | null;
  granted_by: string | null;
  created_at: string;
};

const columns = 'id, document_id, user_id, access, reason, reason_id, granted_by, created_at';

type NewGrant = {
  team: string;
  id: string;
  document: string;
  user: string;
  access: string;
  reason: GrantReason;
  reasonId: string | null;
  by: string | null;
  at: Date;
};

/** A row when something was given: none when the person has left, or has the same for the same reason already. */
export const insertGrant = sqlStatement<NewGrant, GrantRow>(
  `INSERT INTO document_grant (team_id, id, document_id, user_id, access, reason, reason_id, granted_by, created_at)
   SELECT $team, $id, d.id, a.id, $access, $reason, $reasonId, $by, $at
   FROM document d JOIN account a ON a.team_id = $team AND a.id = $user AND a.status = 'active' AND a.deleted_at IS NULL
   WHERE d.team_id = $team AND d.id = $document
   ON CONFLICT ON CONSTRAINT document_grant_once DO UPDATE SET access = excluded.access WHERE document_grant.access <> excluded.access
   RETURNING ${columns}`,
);

/** Ends what tasks had opened. */
export const deleteTaskGrants = sqlStatement<{ team: string; tasks: readonly string[] }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND reason_id = ANY ($tasks::uuid[]) AND reason = 'task' RETURNING ${columns}`,
);

/** Ends all that somebody who leaves the team was given. */
export const deleteGrantsOf = sqlStatement<{ team: string; user: string }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND user_id = $user RETURNING ${columns}`,
);

export const listGrants = sqlStatement<{ team: string; document: string }, GrantRow>(
  `SELECT ${columns} FROM document_grant WHERE team_id = $team AND document_id = $document ORDER BY id LIMIT 10000`,
);

export const deleteGrant = sqlStatement<{ team: string; document: string; id: string }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND document_id = $document AND id = $id RETURNING ${columns}`,
);
