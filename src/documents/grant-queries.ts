import { memberText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';

export type GrantReason = 'task' | 'record';
export type GrantRow = {
  id: string;
  document_id: string;
  user_id: string;
  access: 'read' | 'write';
  reason: GrantReason;
  reason_id: string;
  /** Who put the document into the task. */
  granted_by: string | null;
  /** The version that a record covers. */
  version: number | null;
  created_at: string;
};

const columns = 'id, document_id, user_id, access, reason, reason_id, granted_by, version, created_at';

type NewGrant = {
  team: string;
  id: string;
  document: string;
  user: string;
  access: string;
  reason: GrantReason;
  reasonId: string;
  by: string | null;
  version: number | null;
  at: Date;
};

const revokedText = `EXISTS (
       SELECT FROM document_grant_revoked r WHERE r.team_id = $team AND r.document_id = d.id AND (r.task_id = $reasonId OR r.user_id = a.id AND EXISTS (
         SELECT FROM tasks_of_same_workflow($team, $reasonId) o WHERE o.id = r.task_id)))`;

/**
 * A row when something was given: none when the person has left, or has the same for the same reason already. A task opens
 * nothing to the owner of the document, and nothing to whoever put it there: what that one may read ends with their own right.
 * What was revoked of a task stays so, whoever has it, and for the same person in all later tasks of its workflow.
 */
export const insertGrant = sqlStatement<NewGrant, GrantRow>(
  `INSERT INTO document_grant (team_id, id, document_id, user_id, access, reason, reason_id, granted_by, version, created_at)
   SELECT $team, $id, d.id, a.id, $access, $reason, $reasonId, $by, $version, $at
   FROM document d CROSS JOIN (${memberText('a.id', '$user')}) a
   WHERE d.team_id = $team AND d.id = $document AND NOT ($reason = 'task' AND (a.id = d.user_id OR a.id = $by::uuid OR ${revokedText}))
   ON CONFLICT ON CONSTRAINT document_grant_once DO UPDATE SET access = excluded.access WHERE document_grant.access <> excluded.access
   RETURNING ${columns}`,
);

/** Ends the grants for tasks. */
export const deleteTaskGrants = sqlStatement<{ team: string; tasks: readonly string[] }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND reason_id = ANY ($tasks::uuid[]) AND reason = 'task' RETURNING ${columns}`,
);

/** Ends all that somebody who leaves the team was given. */
export const deleteGrantsOf = sqlStatement<{ team: string; user: string }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND user_id = $user RETURNING ${columns}`,
);

/**
 * Ends the grants for tasks by some persons, or by anybody if `by` is null: of a document, or of the documents in a folder and below it.
 * Grants by the owner of a document stay: they need no share.
 */
export const deleteGrantsBy = sqlStatement<{ team: string; by: string[] | null; document: string | null; folder: string | null }, GrantRow>(
  `DELETE FROM document_grant g USING (SELECT id AS document, user_id AS owner, folder_id FROM document WHERE team_id = $team) d
   WHERE g.team_id = $team AND g.reason = 'task' AND d.document = g.document_id
     AND g.granted_by <> d.owner AND ($by::uuid[] IS NULL OR g.granted_by = ANY ($by))
     AND (d.document = $document::uuid OR EXISTS (SELECT FROM access_above($team, d.folder_id) a WHERE a.id = $folder::uuid))
   RETURNING ${columns}`,
);

export const listGrants = sqlStatement<{ team: string; document: string }, GrantRow>(
  // Sorted outside of the inner query: in the order of its sort PostgreSQL would read the grants of all documents.
  `SELECT ${columns} FROM (SELECT * FROM document_grant WHERE team_id = $team AND document_id = $document OFFSET 0) g ORDER BY id LIMIT 10000`,
);

/** Ends a grant. That it was revoked is kept of one for a task. */
export const deleteGrant = sqlStatement<{ team: string; document: string; id: string }, GrantRow>(
  `WITH ended AS (
     DELETE FROM document_grant WHERE team_id = $team AND document_id = $document AND id = $id RETURNING ${columns}
   ), kept AS (
     INSERT INTO document_grant_revoked (team_id, document_id, task_id, user_id)
     SELECT $team, document_id, reason_id, user_id FROM ended WHERE reason = 'task' ON CONFLICT DO NOTHING
   ) SELECT ${columns} FROM ended`,
);
