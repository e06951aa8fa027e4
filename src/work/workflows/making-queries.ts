import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { StepRow, WorkflowRow } from './queries.ts';

export type MakingRow = Pick<StepRow, 'id' | 'type' | 'config' | 'status'> &
  Pick<WorkflowRow, 'created_by' | 'owner_id'> & { position: number; started_at: string | null };

/** The unfinished steps of a type, and the failed ones among `corrected`. Most workflows have none, so this does not read the whole workflow. */
export const unfinishedOfType = sqlStatement<TeamScopedId & { type: string; corrected: readonly string[] }, MakingRow>(
  `SELECT s.id, s.type, s.config, s.status, s.position, w.created_by, w.owner_id, s.started_at
   FROM workflow_step s JOIN workflow w ON w.team_id = $team AND w.id = s.workflow_id
   WHERE s.team_id = $team AND s.workflow_id = $id AND s.type = $type
     AND (s.status IN ('pending', 'active') OR s.status = 'failed' AND s.id = ANY ($corrected::text[])) ORDER BY s.position`,
);

type MadeDocument = TeamScopedId & { name: string; document: string; by: string };

/** Adds the document that a step made, or replaces the one that an earlier run of the step made. */
export const addDocument = sqlStatement<MadeDocument & { position: number }, never>(
  `INSERT INTO workflow_document (team_id, workflow_id, name, position, document_id, linked_document_id, linked_by, about_document_id)
   VALUES ($team, $id, $name, $position, $document::text, $document::uuid, $by, $document::uuid)
   ON CONFLICT (team_id, workflow_id, name) DO UPDATE SET document_id = excluded.document_id, linked_document_id = excluded.linked_document_id,
     linked_by = excluded.linked_by, about_document_id = excluded.about_document_id, leads = false, status_before = NULL, result = NULL`,
);
