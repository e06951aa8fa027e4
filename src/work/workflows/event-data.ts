import type { Changes } from '../../platform/journal/changes.ts';
import type { Scope } from '../../platform/scope.ts';
import type { StepRow, WorkflowRow } from './queries.ts';

/** What is announced of a workflow: what it is, who acted, and which members changed from what to what. */
export function workflowEventData(
  scope: Scope,
  row: Pick<WorkflowRow, 'name' | 'type' | 'document_id'>,
  more: { reason?: string | undefined; changes?: Changes } = {},
) {
  return {
    name: row.name,
    type: row.type,
    documentId: row.document_id,
    actorType: scope.actor.type,
    ...(scope.actor.type === 'system' ? {} : { actorId: scope.actor.id }),
    ...(more.reason === undefined ? {} : { reason: more.reason }),
    ...(more.changes === undefined ? {} : { changes: more.changes }),
  };
}

/** How the task that ended a step was ended, as its event says it. */
export type EndedBy = {
  completedBy?: string;
  completedByType?: string;
  onBehalfOf?: string;
  documentVersion?: number;
  documentSha256?: string;
  /** The endpoint whose answer ended the step. */
  answeredBy?: string;
};

/** What is announced of a step, and of who ended it. */
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
