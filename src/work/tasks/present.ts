import { optionalMembers, type SeenTask, type TaskRow } from './queries.ts';
import type { Task } from './schemas.ts';

/** Returns the task in the form of a response. Omits members without a value. */
export function presentTask(row: TaskRow & Pick<SeenTask, 'hidden'>): Task {
  const known = Object.entries(optionalMembers)
    .filter(([member]) => !(row.hidden && member === 'description'))
    .map(([member, column]) => [member, row[column]] as const)
    .filter(([, value]) => value !== null);
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    status: row.status,
    outcomes: row.outcomes,
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    ...(Object.fromEntries(known) as Partial<Task>),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export type Announced = Pick<
  TaskRow,
  | 'title'
  | 'type'
  | 'assigned_to'
  | 'assigned_group_id'
  | 'workflow_id'
  | 'step_id'
  | 'approval_round_id'
  | 'document_id'
  | 'document_version'
  | 'document_sha256'
  | 'on_behalf_of'
>;

/** Returns the event data of a task. It never has the description or comments. */
export function taskEventData(row: Announced) {
  return {
    title: row.title,
    type: row.type,
    ...(row.assigned_to === null ? {} : { assignedTo: row.assigned_to }),
    ...(row.assigned_group_id === null ? {} : { assignedGroupId: row.assigned_group_id }),
    ...(row.workflow_id === null ? {} : { workflowId: row.workflow_id }),
    ...(row.step_id === null ? {} : { stepId: row.step_id }),
    ...(row.approval_round_id === null ? {} : { roundId: row.approval_round_id }),
    ...(row.document_id === null ? {} : { documentId: row.document_id }),
    ...(row.document_version === null ? {} : { documentVersion: row.document_version }),
    ...(row.document_sha256 === null ? {} : { documentSha256: row.document_sha256 }),
    ...(row.on_behalf_of === null ? {} : { onBehalfOf: row.on_behalf_of }),
  };
}

/** Returns the event data of an ended task, with its outcome and the actor who ended it. */
export function taskEndEventData(row: TaskRow) {
  return {
    ...taskEventData(row),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(row.completed_by === null ? {} : { completedBy: row.completed_by }),
    ...(row.completed_by_type === null ? {} : { completedByType: row.completed_by_type }),
    ...(row.delegated_from === null ? {} : { onBehalfOf: row.delegated_from }),
    changes: { status: { from: 'open', to: row.status } },
  };
}
