import type { DocumentStatus } from '#documents';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

/** Workflows under way that are about a document, whose lock the caller holds. */
export const runningAbout = sqlStatement<{ team: string; document: string }, { id: string; leads_document: boolean }>(
  // Ordered outside of where they are found, as the tasks of a step are.
  `SELECT o.id, o.leads_document FROM (
     SELECT id, leads_document FROM workflow WHERE team_id = $team AND linked_document_id = $document AND status IN ('active', 'paused')
   ) o ORDER BY o.id`,
);

/** Workflows under way that are named, or about one of these documents. */
export const workflowsInProgress = sqlStatement<{ team: string; ids: readonly string[]; documents: readonly string[] }, { id: string }>(
  `SELECT id FROM workflow WHERE team_id = $team AND id = ANY ($ids::uuid[]) AND status IN ('active', 'paused')
   UNION SELECT id FROM workflow WHERE team_id = $team AND linked_document_id = ANY ($documents::uuid[]) AND status IN ('active', 'paused')`,
);

/** A workflow leads the state of its document from here on, which was `before` where that changed. */
export const setLeadsDocument = sqlStatement<TeamScopedId & { before: DocumentStatus | null }, never>(
  'UPDATE workflow SET leads_document = true, document_status_before = $before WHERE team_id = $team AND id = $id',
);

/** What a workflow that has ended led its document to: approved where the newest version was, a draft where it was refused. */
export const noteDocumentResult = sqlStatement<TeamScopedId, never>(
  `UPDATE workflow w SET document_result = CASE
     WHEN w.status = 'rejected' THEN 'draft'
     WHEN w.status = 'completed' AND newest_is_approved($team, w.id) THEN 'approved' END
   WHERE w.team_id = $team AND w.id = $id`,
);

/** Nobody has approved the newest version of a document: no workflow about it leads it back to that any more. */
export const forgetApprovals = sqlStatement<{ team: string; document: string }, never>(
  `UPDATE workflow SET document_result = nullif(document_result, 'approved'),
     document_status_before = CASE WHEN document_status_before = 'approved' THEN 'draft' ELSE document_status_before END
   WHERE team_id = $team AND linked_document_id = $document AND (document_result = 'approved' OR document_status_before = 'approved')`,
);

/** Whether a workflow on a document is under way still, and what those led to that ended since a time. */
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

/** The workflows on a document, the newest, at most so many: all of them without `principalId`, or those that its owner sees, whose drafts are none of others. */
export const workflowsOn = sqlStatement<{ team: string; document: string; principalId: string | null; limit: number }, { id: string }>(
  `SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.linked_document_id = $document
     AND ($principalId::uuid IS NULL OR w.status <> 'draft' OR w.owner_id = $principalId)
   ORDER BY w.id DESC LIMIT $limit`,
);
