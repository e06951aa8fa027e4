import type { Changes } from '../../platform/journal/changes.ts';
import type { Scope } from '../../platform/scope.ts';
import type { StepRow, WorkflowRow } from './queries.ts';

/** Returns the event data of a workflow, with the actor and the changed members. */
export function workflowEventData(
  scope: Scope,
  row: Pick<WorkflowRow, 'name' | 'type' | 'document_id'> & { documents?: WorkflowRow['documents'] },
  more: { reason?: string | undefined; changes?: Changes } = {},
) {
  return {
    name: row.name,
    type: row.type,
    documentId: row.document_id,
    ...(row.documents === undefined ? {} : { documents: row.documents.map(({ name, document_id: documentId }) => ({ name, documentId })) }),
    actorType: scope.actor.type,
    ...(scope.actor.type === 'system' ? {} : { actorId: scope.actor.id }),
    ...(more.reason === undefined ? {} : { reason: more.reason }),
    ...(more.changes === undefined ? {} : { changes: more.changes }),
  };
}

/** The end of a step by a task, in the form of the event of the task. */
export type EndedBy = {
  completedBy?: string;
  completedByType?: string;
  onBehalfOf?: string;
  documentVersion?: number;
  documentSha256?: string;
  /** The endpoint whose callback ended the step. */
  answeredBy?: string;
};

/** Returns the event data of a step, with the actor who ended it. */
export function aboutStep(step: StepRow, by: EndedBy = {}) {
  const { completedBy, completedByType, onBehalfOf, documentVersion, documentSha256, answeredBy } = by;
  return {
    stepId: step.id,
    type: step.type,
    ...(step.name === null ? {} : { name: step.name }),
    ...(step.outcome === null ? {} : { outcome: step.outcome }),
    ...(completedBy === undefined ? {} : { completedBy }),
    ...(completedByType === undefined ? {} : { completedByType }),
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
    ...(answeredBy === undefined ? {} : { answeredBy }),
    ...(documentVersion === undefined ? {} : { documentVersion }),
    ...(documentSha256 === undefined ? {} : { documentSha256 }),
  };
}
