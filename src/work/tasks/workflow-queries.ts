import { sqlStatement } from '../../platform/database/statement.ts';
import { isDecisionSql } from './eligible-queries.ts';

/** Sets the first version of a document on the open decisions of a workflow that had none. Skips rounds in which a task has ended, and approval rounds,
 * which begin again. */
export const takeFirstVersion = sqlStatement<
  { team: string; workflow: string; document: string; version: number; sha256: string; at: Date },
  { id: string; step_id: string }
>(
  `UPDATE task t SET document_version = $version, document_sha256 = $sha256, version = version + 1, updated_at = $at
   WHERE t.team_id = $team AND t.workflow_id = $workflow AND t.status = 'open' AND t.linked_document_id = $document AND t.document_version IS NULL
     AND ${isDecisionSql('t.type')} AND t.on_new_version <> 'ignore' AND t.step_id IS NOT NULL AND t.approval_round_id IS NULL
     AND NOT EXISTS (SELECT FROM task o WHERE o.team_id = $team AND o.workflow_id = t.workflow_id AND o.step_id = t.step_id
       AND o.round_id = t.round_id AND o.status IN ('completed', 'rejected'))
   RETURNING t.id, t.step_id`,
);
