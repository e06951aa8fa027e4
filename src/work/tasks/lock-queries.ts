import { joinDocumentSql } from '#documents';
import { sqlStatement } from '../../platform/database/statement.ts';
import { foundColumns, type FoundTask, isRelatedSql, type Own } from './queries.ts';

/** Joins the documents `d` of a workflow. `workflow` is a column. */
const joinDocumentsSql = (workflow: string) =>
  `CROSS JOIN LATERAL documents_of_workflow($team, ${workflow}) of ${joinDocumentSql('of.id')}`;

/**
 * Locks the workflows of a member who leaves, as owner or assignee. Also locks unfinished workflows that name the member or a role, or have approval
 * rules. Also locks workflows with an open task or a document of the member. Locks the documents of the workflows first, because their grants change. The order of
 * identifiers prevents deadlocks.
 */
export const lockWorkflowsOf = sqlStatement<{ team: string; user: string }, { id: string }>(
  `WITH theirs AS (
     SELECT w.id FROM workflows_of_leaver($team, $user) w
   ),
   documents_held AS (
     SELECT d.id FROM theirs ${joinDocumentsSql('theirs.id')} ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id IN (SELECT id FROM theirs) AND (SELECT count(*) FROM documents_held) >= 0
   ORDER BY w.id FOR NO KEY UPDATE OF w`,
);

/**
 * Condition: a person or API client is related to the workflow `w`. It owns `w`, is the assignee, has a task of `w`,
 * owns a document of `w`, or may view the matter.
 */
export const relatedToWorkflowSql = `($principalId IN (w.owner_id, w.assigned_to) OR (w.status <> 'draft' AND owns_document_of_workflow($team, w.id, $principalId)) OR participates($team, w.id, $principalId)
  OR w.container_id IS NOT NULL AND w.container_id IN (SELECT viewed_matters($team, $principalId)))`;

/**
 * Condition: a person or API client is related to the workflow with this identifier. See {@link relatedToWorkflowSql}.
 */
export const isRelatedToWorkflowSql = (id: string) =>
  `EXISTS (SELECT FROM workflow w WHERE w.team_id = $team AND w.id = ${id} AND ${relatedToWorkflowSql})`;

type WorkflowLock = { team: string; workflow: string };

/**
 * Builds a query that locks a workflow after its documents. `first` returns a query of rows to lock before both. `named` is a query that finds the
 * workflow. If it finds none, nothing is locked.
 */
export function lockWorkflowSql({ first, named }: { first?: (workflow: string) => string; named?: string } = {}): string {
  const workflow = named === undefined ? '$workflow' : '(SELECT id FROM named)';
  const parts = [
    ...(named === undefined ? [] : [`named AS (${named}), `]),
    ...(first === undefined ? [] : [`first_held AS (${first(workflow)}), `]),
  ];
  const condition = first === undefined ? '' : 'AND (SELECT count(*) FROM first_held) >= 0';
  return `WITH ${parts.join('')}document_held AS (
     SELECT d.id FROM workflow w ${joinDocumentsSql('w.id')}
     WHERE w.team_id = $team AND w.id = ${workflow} ${condition} ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id = ${workflow} AND (SELECT count(*) FROM document_held) >= 0
   FOR NO KEY UPDATE OF w`;
}

/**
 * Serializes changes to one workflow and its tasks: each change locks the workflow first and reads afterwards. The documents are locked before
 * their workflow, in the same order as for a new version.
 */
export const lockWorkflow = sqlStatement<WorkflowLock, { id: string }>(lockWorkflowSql());

/**
 * A task that the actor may see, by the rules of `mayView` and the barriers. Invisible tasks are not locked: the lock would delay other users, and
 * the actor could conclude from delays that the task exists.
 */
type VisibleTaskKey = Own & { principalId: string | null; system: boolean };
const visibleTaskSql = `task.team_id = $team AND task.id = $id AND ($principalId::uuid IS NULL OR ${isRelatedSql('task')})
  AND ($system::boolean OR NOT document_excludes($team, task.about_document_id, $user::uuid))`;

/**
 * Locks the workflow of a task that the actor may see. Locks nothing if the task has no workflow or is invisible. A task always stays in the same
 * workflow.
 */
export const lockWorkflowOfTask = sqlStatement<VisibleTaskKey, { id: string }>(
  lockWorkflowSql({ named: `SELECT task.workflow_id AS id FROM task WHERE ${visibleTaskSql}` }),
);

/** Locks the approval round of a task that the actor may see, if the task is a vote. The caller must have locked the workflow of the task. */
export const lockRoundOfTask = sqlStatement<VisibleTaskKey, { open: boolean | null }>(
  `SELECT lock_approval_round($team, task.approval_round_id) AS open FROM task WHERE ${visibleTaskSql} AND task.approval_round_id IS NOT NULL`,
);

/** Locks an approval round. Returns whether it accepts votes: it is open and has not expired. */
export const lockRound = sqlStatement<{ team: string; round: string }, { open: boolean | null }>(
  'SELECT lock_approval_round($team, $round) AS open',
);

/** Locks a task and returns its current row. The caller must have locked the workflow of the task. */
export const lockTask = sqlStatement<VisibleTaskKey, FoundTask>(
  `SELECT ${foundColumns} FROM task WHERE ${visibleTaskSql} FOR NO KEY UPDATE OF task`,
);

/** Completes a query that finds tasks: locks the documents and then the workflows of the tasks `found`, and returns the tasks. */
const lockTasksSql = (found: string) => `${found},
   documents_held AS (
     SELECT d.id FROM (SELECT DISTINCT workflow_id FROM found WHERE workflow_id IS NOT NULL) o ${joinDocumentsSql('o.workflow_id')}
     ORDER BY d.id FOR NO KEY UPDATE OF d
   ),
   workflows_held AS (
     SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id IN (SELECT workflow_id FROM found)
       AND (SELECT count(*) FROM documents_held) >= 0 ORDER BY w.id FOR NO KEY UPDATE OF w
   )
   SELECT o.id FROM found o WHERE (SELECT count(*) FROM workflows_held) >= 0 ORDER BY o.id`;

/**
 * Returns the open tasks of the team whose assignees a barrier excludes. Locks the documents and then the workflows of these tasks, so that the
 * caller can change them.
 */
export const lockTasksOfOutsiders = sqlStatement<{ team: string }, { id: string }>(
  lockTasksSql(`WITH named AS (
     SELECT t.id, t.workflow_id, t.assigned_to, t.about_document_id AS document FROM task t
     WHERE t.team_id = $team AND t.status = 'open' AND t.assigned_to IS NOT NULL
       AND t.about_document_id IS NOT NULL
   ),
   found AS (SELECT n.id, n.workflow_id FROM named n WHERE document_outsider($team, n.document, n.assigned_to))`),
);

/**
 * Returns the open tasks that a member has claimed, from one group or from any. Locks the documents and then the
 * workflows of these tasks, so that the caller can change them.
 */
export const lockClaims = sqlStatement<{ team: string; user: string; group: string | null }, { id: string }>(
  lockTasksSql(`WITH found AS (
     SELECT t.id, t.workflow_id FROM task t
     WHERE t.team_id = $team AND t.assigned_to = $user AND t.status = 'open' AND t.assigned_group_id IS NOT NULL
       AND ($group::uuid IS NULL OR t.assigned_group_id = $group)
   )`),
);

/**
 * Returns the open tasks of a group that is deleted. Locks the documents and then the workflows of these tasks, and the
 * unfinished workflows with steps of the group.
 */
export const lockTasksOfGroup = sqlStatement<{ team: string; group: string }, { id: string }>(
  `WITH tasks AS (
     SELECT t.id, t.workflow_id FROM task t
     WHERE t.team_id = $team AND t.assigned_group_id = $group AND t.status = 'open'
   ),
   workflows AS (
     SELECT w.id FROM workflow w WHERE w.team_id = $team AND (w.id IN (SELECT workflow_id FROM tasks)
       OR w.status IN ('draft', 'active', 'paused') AND w.id IN (
         SELECT s.workflow_id FROM workflow_step s WHERE s.team_id = $team AND s.groups <> '{}' AND $group::uuid = ANY (s.groups)))
   ),
   documents_held AS (
     SELECT d.id FROM workflows o ${joinDocumentsSql('o.id')} ORDER BY d.id FOR NO KEY UPDATE OF d
   ),
   workflows_held AS (
     SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id IN (SELECT id FROM workflows)
       AND (SELECT count(*) FROM documents_held) >= 0 ORDER BY w.id FOR NO KEY UPDATE OF w
   )
   SELECT t.id FROM tasks t WHERE (SELECT count(*) FROM workflows_held) >= 0 ORDER BY t.id`,
);
