import { memberText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import { opensText } from './giver-queries.ts';

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
/** `opens`: whether whoever gave it may let others read the document still. */
export type JudgedGrant = GrantRow & { opens: boolean };

const columns = 'id, document_id, user_id, access, reason, reason_id, granted_by, version, created_at';
const ofGrant = columns.replaceAll(/\w+/g, (column) => `g.${column}`);

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

/** Ends what tasks had opened. */
export const deleteTaskGrants = sqlStatement<{ team: string; tasks: readonly string[] }, JudgedGrant>(
  `WITH ended AS (
     DELETE FROM document_grant WHERE team_id = $team AND reason_id = ANY ($tasks::uuid[]) AND reason = 'task' RETURNING ${columns}
   ) SELECT ${ofGrant}, ${opensText('g', 'd')} AS opens FROM ended g JOIN document d ON d.team_id = $team AND d.id = g.document_id`,
);

/** Ends all that somebody who leaves the team was given. */
export const deleteGrantsOf = sqlStatement<{ team: string; user: string }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND user_id = $user RETURNING ${columns}`,
);

/** Of what somebody who leaves gave for tasks, what these documents had open ends. */
export const deleteGiven = sqlStatement<{ team: string; from: string; documents: readonly string[] }, GrantRow>(
  `DELETE FROM document_grant WHERE team_id = $team AND granted_by = $from AND reason = 'task' AND document_id = ANY ($documents::uuid[])
   RETURNING ${columns}`,
);

/** What somebody who leaves gave for tasks is answered for by another: it lasts if that one may let others read. */
export const handOverGiven = sqlStatement<{ team: string; from: string; to: string }, never>(
  "UPDATE document_grant SET granted_by = $to WHERE team_id = $team AND granted_by = $from AND reason = 'task'",
);

export const listGrants = sqlStatement<{ team: string; document: string }, JudgedGrant>(
  // Ordered outside of where they are found: in their order the grants of all documents would be looked through.
  `SELECT ${ofGrant}, ${opensText('g', 'd')} AS opens
   FROM (SELECT * FROM document_grant WHERE team_id = $team AND document_id = $document OFFSET 0) g
   JOIN document d ON d.team_id = $team AND d.id = g.document_id
   ORDER BY g.id LIMIT 10000`,
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
