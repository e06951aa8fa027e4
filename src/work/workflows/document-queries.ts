import type { DocumentStatus } from '#documents';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

type OfDocument = { team: string; document: string };
type WorkflowDocument = TeamScopedId & { document: string };

/**
 * Query: the persons with a conflict of interest in a decision of the step `s` of the workflow `w`. The decision is
 * about the newest version of its document.
 */
export const conflictedOfStepSql = `SELECT conflicted_of_workflow($team, w.created_by, document_of_step($team, w.id, s.config ->> 'document'))`;

/** The workflows in progress about a document. `leads`: the workflow controls its status. The caller must have locked the document. */
export const runningAbout = sqlStatement<OfDocument, { id: string; leads: boolean }>(
  // The sort is outside of the search, as for the tasks of a step.
  `SELECT o.id, o.leads FROM (
     SELECT w.id, d.leads FROM workflow_document d JOIN workflow w ON w.team_id = $team AND w.id = d.workflow_id
     WHERE d.team_id = $team AND d.linked_document_id = $document AND w.status IN ('active', 'paused')
   ) o ORDER BY o.id`,
);

/** The workflows in progress that are in `ids` or about `documents`. */
export const workflowsInProgress = sqlStatement<{ team: string; ids: readonly string[]; documents: readonly string[] }, { id: string }>(
  `SELECT id FROM workflow WHERE team_id = $team AND id = ANY ($ids::uuid[]) AND status IN ('active', 'paused')
   UNION SELECT w.id FROM workflow_document d JOIN workflow w ON w.team_id = $team AND w.id = d.workflow_id
     WHERE d.team_id = $team AND d.linked_document_id = ANY ($documents::uuid[]) AND w.status IN ('active', 'paused')`,
);

/** The documents of a workflow by name, in their order. `document_id`: the document, if it is one of the team. */
export const documentsOfWorkflow = sqlStatement<TeamScopedId, { name: string; document_id: string | null }>(
  `SELECT name, linked_document_id AS document_id FROM workflow_document WHERE team_id = $team AND workflow_id = $id ORDER BY position`,
);

/** Records that a workflow controls the status of a document. `before`: the previous status of the document, if the status changed. */
export const setLeadsDocument = sqlStatement<WorkflowDocument & { before: DocumentStatus | null }, never>(
  `UPDATE workflow_document SET leads = true, status_before = $before WHERE team_id = $team AND workflow_id = $id AND linked_document_id = $document`,
);

/** Stores the result of an ended workflow for a document: approved if the newest version was approved, draft after a rejection. */
export const recordDocumentResult = sqlStatement<WorkflowDocument, never>(
  `UPDATE workflow_document d SET result = CASE
     WHEN w.status = 'rejected' THEN 'draft'
     WHEN w.status = 'completed' AND newest_is_approved($team, w.id, $document) THEN 'approved' END
   FROM workflow w WHERE w.team_id = $team AND w.id = $id AND d.team_id = $team AND d.workflow_id = $id AND d.linked_document_id = $document`,
);

/** Clears the stored approvals of a document. Its newest version is not approved, so workflows must not restore the status `approved`. */
export const forgetApprovals = sqlStatement<OfDocument, never>(
  `UPDATE workflow_document SET result = nullif(result, 'approved'),
     status_before = CASE WHEN status_before = 'approved' THEN 'draft' ELSE status_before END
   WHERE team_id = $team AND linked_document_id = $document AND (result = 'approved' OR status_before = 'approved')`,
);

/** Whether a workflow on a document is still in progress, and the results of workflows that ended since a time. */
export const documentSettled = sqlStatement<
  OfDocument & { since: string },
  { running: boolean; result: DocumentStatus | null; before: DocumentStatus | null }
>(
  `WITH about AS (
     SELECT w.id, w.status, w.started_at, w.completed_at, d.result, d.status_before
     FROM workflow_document d JOIN workflow w ON w.team_id = $team AND w.id = d.workflow_id
     WHERE d.team_id = $team AND d.linked_document_id = $document AND d.leads
   )
   SELECT EXISTS (SELECT FROM about WHERE status IN ('active', 'paused')) AS running,
     (SELECT result FROM about WHERE result IS NOT NULL AND completed_at >= $since
      ORDER BY completed_at DESC, id DESC LIMIT 1) AS result,
     (SELECT status_before FROM about WHERE status_before IS NOT NULL AND completed_at >= $since
      ORDER BY started_at LIMIT 1) AS before`,
);

/**
 * The newest workflows on a document, at most `limit`. `principalId`: the owner of the document, who does not see the drafts of others; null for all.
 */
export const workflowsOn = sqlStatement<OfDocument & { principalId: string | null; limit: number }, { id: string }>(
  `SELECT w.id FROM workflow_document d JOIN workflow w ON w.team_id = $team AND w.id = d.workflow_id
   WHERE d.team_id = $team AND d.linked_document_id = $document
     AND ($principalId::uuid IS NULL OR w.status <> 'draft' OR w.owner_id = $principalId)
   ORDER BY w.id DESC LIMIT $limit`,
);

const documentColumns = `name text, position integer, document_id text, linked_document_id uuid, linked_by uuid, about_document_id uuid`;

/** Replaces the documents of a draft. `documents` is a JSON array of rows. */
export const dropDocuments = sqlStatement<TeamScopedId, never>('DELETE FROM workflow_document WHERE team_id = $team AND workflow_id = $id');

/** Inserts documents of the workflow `workflow` (an expression), from `$documents`, a JSON array of rows. */
export const insertDocumentsSql = (workflow: string, from = '') =>
  `INSERT INTO workflow_document (team_id, workflow_id, name, position, document_id, linked_document_id, linked_by, about_document_id)
   SELECT $team, ${workflow}, d.name, d.position, d.document_id, d.linked_document_id, d.linked_by, d.about_document_id
   FROM ${from}jsonb_to_recordset($documents) AS d(${documentColumns})`;

export const insertDocuments = sqlStatement<TeamScopedId & { documents: string }, never>(insertDocumentsSql('$id'));
