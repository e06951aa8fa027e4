import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

const scope = 'agents:read';
const target = 'agentJob';
const data = Type.Object({ name: Type.String(), agentId: Type.String() });
const example = { name: 'Weekly check of open reviews', agentId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11' };

export const jobCreated = defineEvent({
  type: 'agent.job.created',
  target,
  scope,
  description: 'A job of an agent was created.',
  data,
  example,
});
export const jobUpdated = defineEvent({
  type: 'agent.job.updated',
  target,
  scope,
  description: 'A job of an agent changed.',
  data: Type.Object({ ...data.properties, members: Type.Array(Type.String(), { description: 'The members that changed' }) }),
  example: { ...example, members: ['schedule'] },
});
export const jobDeleted = defineEvent({
  type: 'agent.job.deleted',
  target,
  scope,
  description: 'A job of an agent was deleted.',
  data,
  example,
});
export const jobPaused = defineEvent({
  type: 'agent.job.paused',
  target,
  scope,
  description: 'A job of an agent was paused.',
  data,
  example,
});
export const jobResumed = defineEvent({
  type: 'agent.job.resumed',
  target,
  scope,
  description: 'A paused or disabled job of an agent was resumed.',
  data,
  example,
});
export const jobDisabled = defineEvent({
  type: 'agent.job.disabled',
  target,
  scope,
  description: 'A job of an agent was disabled automatically: after consecutive failures, or because no person is responsible for it.',
  data: Type.Object({ ...data.properties, reason: Type.Enum(['consecutive_errors', 'owner_inactive', 'schedule_invalid']) }),
  example: { ...example, reason: 'consecutive_errors' },
});
export const jobTakenOver = defineAuditAction('agent.job.taken_over', target, { from: Type.String() });

export const runRequested = defineAuditAction('agent.run.requested', 'agentRun', {
  jobId: Type.Optional(Type.String()),
  agentId: Type.Optional(Type.String()),
});
/** A user cancelled a run. */
export const runCancelled = defineAuditAction('agent.run.cancelled', 'agentRun', {});
/** The transcript of a run was deleted because the run had read content that was erased. */
export const runErased = defineAuditAction('agent.run.erased', 'agentRun', {});
/** A user read the transcript of a run. */
export const runRead = defineAuditAction('agent.run.read', 'agentRun', { via: Type.Optional(Type.Literal('role')) });
/** A run called a tool, or the call was rejected: `result` is `ok` or an error code. */
export const toolCalled = defineAuditAction('agent.tool.called', 'agentRun', {
  callId: Type.String(),
  tool: Type.String(),
  targets: Type.Array(Type.String()),
  argsHash: Type.String(),
  result: Type.String(),
  onBehalfOf: Type.String(),
});
const approvalData = {
  agentId: Type.String(),
  callId: Type.String({ description: 'The identifier of the call in the transcript' }),
  tool: Type.String({ description: 'The tool to call' }),
  taskId: Type.Optional(Type.String({ description: 'The approval task' })),
  roundId: Type.Optional(Type.String({ description: 'The approval round, if the agent has an approval policy' })),
};
const approvalExample = {
  agentId: example.agentId,
  callId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f14',
  tool: 'create_task',
  taskId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f15',
};
const sentExample = { ...approvalExample, tool: 'crm__create_invoice' };
export const approvalRequested = defineEvent({
  type: 'agent.approval.requested',
  target: 'agentRun',
  scope,
  description: 'An agent requested approval of a tool call. The call waits until the task is completed or the approval round is decided.',
  data: Type.Object({ ...approvalData, assignedTo: Type.Optional(Type.String()), expiresAt: Type.String() }),
  example: { ...approvalExample, assignedTo: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f13', expiresAt: '2026-03-11T09:00:00.000Z' },
});
export const approvalDecided = defineEvent({
  type: 'agent.approval.decided',
  target: 'agentRun',
  scope,
  description: 'A tool call of an agent was approved or denied. Without a decision in time it is denied.',
  data: Type.Object({ ...approvalData, outcome: Type.Enum(['approved', 'denied', 'expired']), decidedBy: Type.Optional(Type.String()) }),
  example: { ...approvalExample, outcome: 'approved', decidedBy: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f13' },
});
export const outcomeRequested = defineEvent({
  type: 'agent.outcome.requested',
  target: 'agentRun',
  scope,
  description: 'The outcome of a tool call at an external server is unknown. The run needs attention until a person reports the outcome.',
  data: Type.Object({ ...approvalData, assignedTo: Type.Optional(Type.String()), expiresAt: Type.String() }),
  example: { ...sentExample, assignedTo: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f13', expiresAt: '2026-03-17T09:00:00.000Z' },
});
export const outcomeDecided = defineEvent({
  type: 'agent.outcome.decided',
  target: 'agentRun',
  scope,
  description: 'A person reported the outcome of a tool call at an external server. Without a report in time it stays unknown.',
  data: Type.Object({
    ...approvalData,
    outcome: Type.Enum(['happened', 'not_happened', 'expired']),
    decidedBy: Type.Optional(Type.String()),
  }),
  example: { ...sentExample, outcome: 'happened', decidedBy: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f13' },
});
/** An administrator allowed or stopped sending content of the team to a model. */
export const settingsChanged = defineAuditAction('agent.settings.changed', 'team', {
  enabled: Type.Boolean(),
  origin: Type.Optional(Type.String()),
  models: Type.Array(Type.String()),
  maxCostMicrosPerDay: Type.Optional(Type.Integer()),
});
export const runDelivered = defineEvent({
  type: 'agent.run.delivered',
  target: 'agentRun',
  scope,
  description: 'A run of a job with a delivery endpoint ended. Only that endpoint gets the event, regardless of its subscriptions.',
  toEndpoint: 'endpointId',
  data: Type.Object({
    endpointId: Type.String(),
    jobId: Type.String(),
    agentId: Type.String(),
    trigger: Type.Enum(['schedule', 'misfire', 'manual']),
    dueAt: Type.Optional(Type.String({ description: 'The due time in the schedule' })),
    status: Type.Enum(['ok', 'error']),
    reason: Type.Optional(Type.String({ description: 'The code of the failure' })),
    finishedAt: Type.String(),
  }),
  example: {
    endpointId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f16',
    jobId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12',
    agentId: example.agentId,
    trigger: 'schedule',
    dueAt: '2026-03-10T06:30:00.000Z',
    status: 'ok',
    finishedAt: '2026-03-10T06:30:09.000Z',
  },
});
export const deliveryFailed = defineEvent({
  type: 'agent.run.delivery_failed',
  target: 'agentRun',
  scope,
  description: 'The delivery of a run’s result failed; `error` has the reason.',
  data: Type.Object({ jobId: Type.String(), agentId: Type.String(), mode: Type.Enum(['webhook', 'task']), error: Type.String() }),
  example: { jobId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12', agentId: example.agentId, mode: 'webhook', error: 'endpoint_not_usable' },
});
export const runFinished = defineEvent({
  type: 'agent.run.finished',
  target: 'agentRun',
  scope,
  description: 'A run of an agent ended or was skipped; a skipped run has a reason.',
  data: Type.Object({
    jobId: Type.Optional(Type.String({ description: 'Absent for a run that a user or a workflow requested' })),
    workflowId: Type.Optional(Type.String({ description: 'The workflow of the step' })),
    stepId: Type.Optional(Type.String({ description: 'The step of the run' })),
    agentId: Type.String(),
    trigger: Type.Enum(['schedule', 'misfire', 'manual', 'request', 'workflow']),
    status: Type.Enum(['ok', 'error', 'skipped', 'cancelled']),
    reason: Type.Optional(Type.String()),
    onBehalfOf: Type.String(),
    attempts: Type.Integer(),
  }),
  example: {
    jobId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12',
    agentId: example.agentId,
    trigger: 'schedule',
    status: 'skipped',
    reason: 'previous_run_in_progress',
    onBehalfOf: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f13',
    attempts: 0,
  },
});
