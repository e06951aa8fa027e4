import { asAssignee } from './roles.ts';
import type { StepRow, WorkflowRow } from './queries.ts';
import type { Workflow } from './schemas.ts';

function presentStep(row: StepRow): Workflow['steps'][number] {
  return {
    id: row.id,
    type: row.type,
    ...(row.name === null ? {} : { name: row.name }),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.assignees.length + row.roles.length === 0 ? {} : { assignees: [...row.roles.map(asAssignee), ...row.assignees] }),
    ...(row.groups.length === 0 ? {} : { groups: row.groups }),
    mode: row.mode,
    dependsOn: row.depends_on,
    ...(row.due_in_days === null ? {} : { dueInDays: row.due_in_days }),
    ...(Object.keys(row.config).length === 0 ? {} : { config: row.config }),
    status: row.status,
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.completed_at === null ? {} : { completedAt: row.completed_at }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(row.detail === null ? {} : { detail: row.detail }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    taskIds: row.task_ids,
  };
}

/** Returns the workflow in the form of a response. Omits members without a value. */
export function presentWorkflow(row: Omit<WorkflowRow, 'some_stand_in'>): Workflow {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: row.status,
    documentId: row.document_id,
    documentLinked: row.linked_document_id !== null,
    documents: row.documents.map(({ name, document_id: documentId }) => ({ name, documentId })),
    ...(row.assigned_to === null ? {} : { assignedTo: row.assigned_to }),
    ...(row.container_id === null ? {} : { matterId: row.container_id }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    ...(row.template_version === null ? {} : { templateVersion: row.template_version }),
    ...(row.due_at === null ? {} : { dueDate: row.due_at }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.paused_at === null ? {} : { pausedAt: row.paused_at }),
    ...(row.completed_at === null ? {} : { completedAt: row.completed_at }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    steps: row.steps.map(presentStep),
  };
}
