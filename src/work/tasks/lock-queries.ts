import { joinDocumentSql } from '#documents';
import { sqlStatement } from '../../platform/database/statement.ts';
import { type FoundTask, type Own, taskColumns } from './queries.ts';

/**
 * The locks of the workflows that somebody who leaves owns or is given, and of those that are not over and name them or a role, or have a
 * task of theirs, in one order for all who take several; those of their documents before, as ever: what their tasks open is opened to others.
 */
export const lockWorkflowsOf = sqlStatement<{ team: string; user: string }, { id: string }>(
  `WITH theirs AS (
     SELECT w.id, w.linked_document_id FROM workflow w
     WHERE w.team_id = $team AND (w.assigned_to = $user OR w.owner_id = $user OR w.status IN ('draft', 'active', 'paused') AND (w.linked_by = $user
       OR EXISTS (SELECT FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = w.id AND ($user::uuid = ANY (s.assignees) OR s.roles <> '{}'))
       OR EXISTS (SELECT FROM task t WHERE t.team_id = $team AND t.workflow_id = w.id AND t.assigned_to = $user AND t.status = 'open')))
   ),
   documents_held AS (
     SELECT d.id FROM theirs ${joinDocumentSql('theirs.linked_document_id')} ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id IN (SELECT id FROM theirs) AND (SELECT count(*) FROM documents_held) >= 0
   ORDER BY w.id FOR NO KEY UPDATE OF w`,
);

type WorkflowLock = { team: string; workflow: string };

/**
 * The lock of a workflow, after that of its document. `first`: a query of what is locked before both, by the expression for which one it is.
 * `named`: a query of which one it is, where that is not told: nothing is locked where it finds none.
 */
export function lockWorkflowSql({ first, named }: { first?: (workflow: string) => string; named?: string } = {}): string {
  const workflow = named === undefined ? '$workflow' : '(SELECT id FROM named)';
  const parts = [
    ...(named === undefined ? [] : [`named AS (${named}), `]),
    ...(first === undefined ? [] : [`first_held AS (${first(workflow)}), `]),
  ];
  const condition = first === undefined ? '' : 'AND (SELECT count(*) FROM first_held) >= 0';
  return `WITH ${parts.join('')}document_held AS (
     SELECT d.id FROM workflow w ${joinDocumentSql('w.linked_document_id')}
     WHERE w.team_id = $team AND w.id = ${workflow} ${condition} FOR NO KEY UPDATE OF d
   )
   SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id = ${workflow} AND (SELECT count(*) FROM document_held) >= 0
   FOR NO KEY UPDATE OF w`;
}

/**
 * Puts the acts on one workflow and its tasks one after another: whoever changes any of them takes this first and reads
 * afterwards. A document of the team is locked before its workflow, since a new version goes that way too.
 */
export const lockWorkflow = sqlStatement<WorkflowLock, { id: string }>(lockWorkflowSql());

/** A task that somebody sees, as `mayView` and its barriers say: whose lock others took would be felt by who works on it, and tell them when that is. */
type VisibleTaskKey = Own & { principalId: string | null; system: boolean };
const visibleTaskSql = `task.team_id = $team AND task.id = $id AND ($principalId::uuid IS NULL OR is_related_to_task($principalId, task.owner_id, task.on_behalf_of, task.participant_id, task.assigned_to, task.status))
  AND ($system::boolean OR NOT document_excludes($team, task.about_document_id, $user::uuid))`;

/** The same for the workflow of a task, which stays the task's: nothing is locked where it has none, or where there is no such task to see. */
export const lockWorkflowOfTask = sqlStatement<VisibleTaskKey, { id: string }>(
  lockWorkflowSql({ named: `SELECT task.workflow_id AS id FROM task WHERE ${visibleTaskSql}` }),
);

/** The task as it is once nobody else changes it; one of a workflow is read after the workflow's lock. */
export const lockTask = sqlStatement<VisibleTaskKey, FoundTask>(
  `SELECT ${taskColumns}, hides_its_text(task.type, task.workflow_id, task.assigned_to, $user::uuid) AS hidden FROM task WHERE ${visibleTaskSql} FOR NO KEY UPDATE OF task`,
);

/**
 * The open tasks of the team whose assignees are outside of a barrier. Locks the workflows of these tasks, after their documents, so that
 * the tasks can be changed.
 */
export const lockTasksOfOutsiders = sqlStatement<{ team: string }, { id: string }>(
  `WITH named AS (
     SELECT t.id, t.workflow_id, t.assigned_to, t.about_document_id AS document FROM task t
     WHERE t.team_id = $team AND t.status = 'open' AND t.assigned_to IS NOT NULL
       AND t.about_document_id IS NOT NULL
   ),
   outside AS (SELECT n.id, n.workflow_id, n.document FROM named n WHERE document_outsider($team, n.document, n.assigned_to)),
   documents_held AS (
     SELECT d.id FROM (SELECT DISTINCT document FROM outside WHERE workflow_id IS NOT NULL) o ${joinDocumentSql('o.document')}
     ORDER BY d.id FOR NO KEY UPDATE OF d
   ),
   workflows_held AS (
     SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id IN (SELECT workflow_id FROM outside)
       AND (SELECT count(*) FROM documents_held) >= 0 ORDER BY w.id FOR NO KEY UPDATE OF w
   )
   SELECT o.id FROM outside o WHERE (SELECT count(*) FROM workflows_held) >= 0 ORDER BY o.id`,
);
