import { commentList, type CommentParams } from '../../../platform/comment-queries.ts';
import { jsonThing, pageStatement } from '../../../platform/database/json-page.ts';
import { isoText } from '../../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type WorkflowKey = { team: string; workflow: string };

/** Maximum number of tasks in a history: the newest ones. A workflow that is sent back repeatedly creates tasks without limit. */
const maxTasks = 2_000;

const ofWorkflow = (member: string) => `CASE WHEN e.task_id IS NULL THEN e.data -> '${member}' END`;

const entry = jsonThing({
  id: 'e.id',
  at: isoText('e.at'),
  type: 'e.type',
  actorType: 'e.actor_type',
  actorId: 'e.actor_id',
  stepId: "coalesce(e.step_id, e.data ->> 'stepId')",
  stepType: ofWorkflow('type').replace('CASE WHEN', "CASE WHEN e.data ? 'stepId' AND"),
  taskId: 'e.task_id',
  status: "e.data -> 'changes' -> 'status'",
  outcome: "e.data -> 'outcome'",
  reason: ofWorkflow('reason'),
  assignedTo: "e.data -> 'assignedTo'",
  assignedFrom: "e.data -> 'assignedFrom'",
  completedBy: "e.data -> 'completedBy'",
  completedByType: "e.data -> 'completedByType'",
  onBehalfOf: "e.data -> 'onBehalfOf'",
  documentVersion: "e.data -> 'documentVersion'",
  documentSha256: "e.data -> 'documentSha256'",
  changed: "CASE WHEN e.type = 'workflow.updated' THEN to_json(ARRAY(SELECT jsonb_object_keys(e.data -> 'changes'))) END",
  restarted: "CASE WHEN e.type = 'workflow.steps_restarted' THEN e.data -> 'steps' END",
  text: `CASE WHEN e.type = 'workflow.commented' THEN (SELECT c.text FROM workflow_comment c
      WHERE c.team_id = $team AND c.id = (e.data ->> 'commentId')::uuid AND c.workflow_id = $workflow) END`,
});

/** The journal entries about a workflow and its tasks, the newest first. */
export const workflowHistory = pageStatement<WorkflowKey & { before: string | null; beforeId: string | null; limit: number }>(
  `WITH thing AS (
     SELECT ($workflow::uuid)::text AS target, NULL::uuid AS task_id, NULL::text AS step_id
     UNION ALL (SELECT t.id::text, t.id, t.step_id FROM (SELECT t.id, t.step_id FROM tasks_of_workflow($team, $workflow) t) t ORDER BY t.id DESC LIMIT ${maxTasks})
   ),
   page AS (
     SELECT e.*, thing.task_id, thing.step_id FROM thing CROSS JOIN LATERAL entries_about($team, thing.target, $before, $beforeId, $limit + 1) e
     ORDER BY e.at DESC, e.id DESC LIMIT $limit + 1
   )`,
  { from: 'page e', item: entry, order: 'e.at DESC, e.id DESC', key: ['e.at::text', 'e.id'] },
);

export const listComments = commentList('workflow_comment', { member: 'workflowId', column: 'workflow_id' }, { stepId: 'c.step_id' });

export const insertComment = sqlStatement<CommentParams & { workflow: string; step: string | null }, never>(
  `INSERT INTO workflow_comment (team_id, id, workflow_id, step_id, user_id, created_by_type, text, created_at)
   VALUES ($team, $id, $workflow, $step, $by, $byType, $text, $at)`,
);
