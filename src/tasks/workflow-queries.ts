import { sqlStatement } from '../platform/database/statement.ts';
import { decidesText } from './eligible-queries.ts';

// What workflows ask about their tasks, as parts of their statements. `workflow`, `step` and `user` are expressions; `$team` is the team.

/** The tasks of a step, as a query of the `columns` of `t`. */
export const tasksOfStepText = (columns: string, workflow: string, step: string) =>
  `SELECT ${columns} FROM task t WHERE t.team_id = $team AND t.workflow_id = ${workflow} AND t.step_id = ${step}`;

/** The tasks of a workflow, as a query of the `columns` of `t`. */
export const tasksOfWorkflowText = (columns: string, workflow: string) =>
  `SELECT ${columns} FROM task t WHERE t.team_id = $team AND t.workflow_id = ${workflow}`;

/** Whether somebody of the team of a row stands in for another, now or later: a condition. Without, no task goes to another than it is given to. */
export const someStandInText = (row: string) => `EXISTS (SELECT FROM task_delegation d WHERE d.team_id = ${row}.team_id)`;

/** Whether a person has a task of a workflow, or has it as a record: a condition. */
export const participatesSql = (workflow: string, user: string) => `EXISTS (
  SELECT FROM task t WHERE t.team_id = $team AND t.workflow_id = ${workflow}
    AND (${user} IN (t.on_behalf_of, t.participant_id) OR t.assigned_to = ${user} AND t.status = 'open'))`;

/** Who has, or had and ended, or has done for them the tasks of a workflow, and since when, as a query of `id` and `since`. */
export const holdersText = (
  workflow: string,
) => `SELECT t.assigned_to AS id, t.assigned_at AS since FROM task t WHERE t.team_id = $team AND t.workflow_id = ${workflow} AND t.status = 'open'
     UNION ALL SELECT t.on_behalf_of, t.assigned_at FROM task t WHERE t.team_id = $team AND t.workflow_id = ${workflow} AND t.on_behalf_of IS NOT NULL
     UNION ALL SELECT t.participant_id, coalesce(t.completed_at, t.assigned_at) FROM task t WHERE t.team_id = $team AND t.workflow_id = ${workflow}`;

/** Whether a task of a workflow has approved the newest version of its document: a condition. */
export const approvedNewestText = (workflow: string) => `EXISTS (
       SELECT FROM task t CROSS JOIN LATERAL (SELECT d.current_version FROM filed_documents($team) d WHERE d.id = t.linked_document_id) d
       WHERE t.team_id = $team AND t.workflow_id = ${workflow} AND t.type = 'approval' AND t.outcome = 'approved'
         AND t.document_version IS NOT DISTINCT FROM nullif(d.current_version, 0))`;

/** Open decisions of a workflow on a document that had no file become decisions on its first version, where nobody has ended one of the same round. */
export const takeFirstVersion = sqlStatement<
  { team: string; workflow: string; document: string; version: number; sha256: string; at: Date },
  { id: string; step_id: string }
>(
  `UPDATE task t SET document_version = $version, document_sha256 = $sha256, version = version + 1, updated_at = $at
   WHERE t.team_id = $team AND t.workflow_id = $workflow AND t.status = 'open' AND t.linked_document_id = $document AND t.document_version IS NULL
     AND ${decidesText('t.type')} AND t.on_new_version <> 'ignore' AND t.step_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM task o WHERE o.team_id = $team AND o.workflow_id = t.workflow_id AND o.step_id = t.step_id
       AND o.round_id = t.round_id AND o.status IN ('completed', 'rejected'))
   RETURNING t.id, t.step_id`,
);
