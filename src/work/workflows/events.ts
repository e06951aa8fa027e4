import { Type } from 'typebox';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { changes } from '../../platform/journal/changes.ts';

const about = Type.Object({
  name: Type.String(),
  type: Type.String(),
  documentId: Type.String(),
  documents: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), documentId: Type.String() }), {
      description: 'The documents by name; the first is `documentId`',
    }),
  ),
  actorType: Type.Optional(Type.String({ description: 'The type of the actor: user, client, agent or system' })),
  actorId: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  changes: Type.Optional(changes),
});
const example = {
  name: 'Supplier agreement',
  type: 'contract-review-and-signature',
  documentId: '01999999-0000-7000-8000-000000000000',
  documents: [{ name: 'document', documentId: '01999999-0000-7000-8000-000000000000' }],
  actorType: 'user',
  actorId: '01999999-0000-7000-8000-000000000001',
};
const scope = 'workflows:read';
const texts = ['name', 'reason'] as const;
const event = (type: string, description: string) =>
  defineEvent({ type, target: 'workflow', scope, description, data: about, texts, example });

export const workflowCreated = event('workflow.created', 'A draft workflow was created.');
export const workflowStarted = event('workflow.started', 'A workflow was started.');
export const workflowPaused = event('workflow.paused', 'A workflow was paused.');
export const workflowResumed = event('workflow.resumed', 'A paused workflow was resumed.');
export const workflowUpdated = defineEvent({
  type: 'workflow.updated',
  target: 'workflow',
  scope,
  description: 'The name, assignees, due date, document or steps of a workflow were changed.',
  data: Type.Object({
    changes,
    stepsReplaced: Type.Optional(
      Type.Boolean({ description: 'The steps were replaced; `changes` names those with another type or other people' }),
    ),
    correctedSteps: Type.Optional(Type.Array(Type.String(), { description: 'The failed steps whose settings were replaced' })),
  }),
  texts: ['changes'],
  example: { changes: { name: { from: 'Supplier agreement', to: 'Supplier agreement, second draft' } } },
});
export const workflowCancelled = event('workflow.cancelled', 'A workflow was cancelled.');
export const workflowCompleted = event('workflow.completed', 'All steps of a workflow are done.');
export const workflowRejected = event('workflow.rejected', 'A review or approval was rejected, and the workflow ended.');
export const workflowOverdue = event('workflow.overdue', 'A workflow is past its due date. The event is sent once.');

const aboutStep = Type.Object({
  stepId: Type.String(),
  type: Type.String(),
  name: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.String()),
  completedBy: Type.Optional(Type.String()),
  completedByType: Type.Optional(Type.String()),
  onBehalfOf: Type.Optional(Type.String()),
  answeredBy: Type.Optional(Type.String({ description: 'The webhook endpoint whose answer ended the step' })),
  documentVersion: Type.Optional(Type.Integer()),
  documentSha256: Type.Optional(Type.String()),
});
export const stepActivated = defineEvent({
  type: 'workflow.step.activated',
  target: 'workflow',
  scope,
  description: 'A step of a workflow has begun.',
  data: aboutStep,
  texts,
  example: { stepId: 'review', type: 'review' },
});
export const stepCompleted = defineEvent({
  type: 'workflow.step.completed',
  target: 'workflow',
  scope,
  description: 'A step of a workflow has ended.',
  data: aboutStep,
  texts: [...texts, 'outcome'],
  example: {
    stepId: 'review',
    type: 'review',
    outcome: 'approved',
    completedBy: example.actorId,
    completedByType: 'user',
    documentVersion: 2,
  },
});

export const stepFailed = defineEvent({
  type: 'workflow.step.failed',
  target: 'workflow',
  scope,
  description: 'An automatic step has failed. `outcome` has the reason, and a task asks an administrator how to continue.',
  data: aboutStep,
  texts,
  example: { stepId: 'erp', type: 'webhook', outcome: 'timed_out' },
});
export const answerRequested = defineEvent({
  type: 'workflow.step.callback_requested',
  target: 'workflow',
  scope,
  description: 'A step waits for the answer of an endpoint. Only that endpoint gets the event, regardless of its subscriptions.',
  toEndpoint: 'endpointId',
  data: Type.Object({
    endpointId: Type.String(),
    stepId: Type.String(),
    name: Type.Optional(Type.String()),
    documentId: Type.String(),
    nonce: Type.String({ description: 'The `webhook-id` of the answer, valid only for this run of the step' }),
    answerTo: Type.String({ description: 'The path that accepts the answer' }),
    outcomes: Type.Array(Type.String(), { description: 'The accepted outcomes' }),
    answerBefore: Type.String({ format: 'date-time' }),
  }),
  texts,
  example: {
    endpointId: '01999999-0000-7000-8000-000000000002',
    stepId: 'erp',
    documentId: example.documentId,
    nonce: '01999999-0000-7000-8000-000000000003.q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA',
    answerTo: '/api/v1/workflows/01999999-0000-7000-8000-000000000004/steps/erp/answer',
    outcomes: ['entered', 'refused'],
    answerBefore: '2026-12-01T09:30:00.000Z',
  },
});

export const workflowCommented = defineAuditAction('workflow.commented', 'workflow', {
  commentId: Type.String(),
  stepId: Type.Optional(Type.String()),
});
/** A newer version of the document restarted these decisions and their dependents. */
export const stepsRestarted = defineAuditAction('workflow.steps_restarted', 'workflow', {
  steps: Type.Array(Type.String()),
  documentVersion: Type.Integer(),
  documentSha256: Type.String(),
});
/** A timer of a workflow failed ten times. It is retried only after the workflow is changed or resumed. */
export const timerFailed = defineAuditAction('workflow.timer_failed', 'workflow', discardedMembers);
export const workflowDeleted = defineAuditAction('workflow.deleted', 'workflow', { name: Type.String() }, ['name']);
export const templateCreated = defineAuditAction('workflow_template.created', 'workflow_template');
export const templateUpdated = defineAuditAction('workflow_template.updated', 'workflow_template', { changes });
export const templateDeleted = defineAuditAction('workflow_template.deleted', 'workflow_template');

/** A key date of a document did not start its workflow. `code`: the reason. */
export const dateStartFailed = defineAuditAction('workflow.date_start_failed', 'document', {
  template: Type.String(),
  date: Type.String(),
  code: Type.String(),
});
