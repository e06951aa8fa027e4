import type { DocumentStatus } from '#documents';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** The workflows in progress about a document. The caller must have locked the document. */
export const runningAbout = sqlStatement<{ team: string; document: string }, { id: string; leads_document: boolean }>(
  // The sort is outside of the search, as for the tasks of a step.
  `SELECT o.id, o.leads_document FROM (
     SELECT id, leads_document FROM workflow WHERE team_id = $team AND linked_document_id = $document AND status IN ('active', 'paused')
   ) o ORDER BY o.id`,
);

/** The workflows in progress among `ids`, and those about `documents`. */
export const workflowsInProgress = sqlStatement<{ team: string; ids: readonly string[]; documents: readonly string[] }, { id: string }>(
  `SELECT id FROM workflow WHERE team_id = $team AND id = ANY ($ids::uuid[]) AND status IN ('active', 'paused')
   UNION SELECT id FROM workflow WHERE team_id = $team AND linked_document_id = ANY ($documents::uuid[]) AND status IN ('active', 'paused')`,
);

/** Records that a workflow controls the status of its document. `before`: the previous status of the document, if the status changed. */
export const setLeadsDocument = sqlStatement<TeamScopedId & { before: DocumentStatus | null }, never>(
  'UPDATE workflow SET leads_document = true, document_status_before = $before WHERE team_id = $team AND id = $id',
);

/** Stores the result of an ended workflow for its document: approved if the newest version was approved, draft after a rejection. */
export const recordDocumentResult = sqlStatement<TeamScopedId, never>(
  `UPDATE workflow w SET document_result = CASE
     WHEN w.status = 'rejected' THEN 'draft'
     WHEN w.status = 'completed' AND newest_is_approved($team, w.id) THEN 'approved' END
   WHERE w.team_id = $team AND w.id = $id`,
);

/** Clears the stored approvals of a document. Its newest version is not approved, so workflows must not restore the status `approved`. */
export const forgetApprovals = sqlStatement<{ team: string; document: string }, never>(
  `UPDATE workflow SET document_result = nullif(document_result, 'approved'),
     document_status_before = CASE WHEN document_status_before = 'approved' THEN 'draft' ELSE document_status_before END
   WHERE team_id = $team AND linked_document_id = $document AND (document_result = 'approved' OR document_status_before = 'approved')`,
);

/** Whether a workflow on a document is still in progress, and the results of workflows that ended since a time. */
export const documentSettled = sqlStatement<
  { team: string; document: string; since: string },
  { running: boolean; result: DocumentStatus | null; before: DocumentStatus | null }
>(
  `WITH about AS (SELECT * FROM workflow WHERE team_id = $team AND linked_document_id = $document AND leads_document)
   SELECT EXISTS (SELECT FROM about WHERE status IN ('active', 'paused')) AS running,
     (SELECT document_result FROM about WHERE document_result IS NOT NULL AND completed_at >= $since
      ORDER BY completed_at DESC, id DESC LIMIT 1) AS result,
     (SELECT document_status_before FROM about WHERE document_status_before IS NOT NULL AND completed_at >= $since
      ORDER BY started_at LIMIT 1) AS before`,
);

/**
 * The newest workflows on a document, at most `limit`. `principalId`: the owner of the document, who does not see the drafts of others; null for all.
 */
export const workflowsOn = sqlStatement<{ team: string; document: string; principalId: string | null; limit: number }, { id: string }>(
  `SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.linked_document_id = $document
     AND ($principalId::uuid IS NULL OR w.status <> 'draft' OR w.owner_id = $principalId)
   ORDER BY w.id DESC LIMIT $limit`,
);
