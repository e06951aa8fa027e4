import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { changes } from '../../platform/journal/changes.ts';

const about = {
  title: Type.String(),
  type: Type.Optional(Type.String()),
  assignedTo: Type.Optional(Type.String()),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  documentVersion: Type.Optional(Type.Integer({ description: 'The version of the document that the task is about' })),
  documentSha256: Type.Optional(Type.String({ description: 'SHA-256 of that version, in hexadecimal' })),
  onBehalfOf: Type.Optional(
    Type.String({
      description: 'The absent member whom the assignee represents; after the end also the first assignee of a reassigned task',
    }),
  ),
};
const data = Type.Object(about);
const assigned = Type.Object({
  ...about,
  assignedFrom: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  changes: Type.Optional(changes),
});
const ended = Type.Object({
  ...about,
  outcome: Type.Optional(Type.String()),
  completedBy: Type.Optional(Type.String()),
  completedByType: Type.Optional(Type.String({ description: 'user, client, agent or system' })),
  changes: Type.Optional(changes),
});
const scope = 'tasks:read';
const texts = ['title', 'reason'] as const;
const endedTexts = ['title', 'outcome'] as const;
const example = { title: 'Review the agreement', type: 'review', assignedTo: '01999999-0000-7000-8000-000000000000' };
const endedExample = {
  ...example,
  documentVersion: 2,
  documentSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  completedBy: example.assignedTo,
  completedByType: 'user',
};

export const taskCreated = defineEvent({
  type: 'task.created',
  target: 'task',
  scope,
  description: 'A task was created, by a person or by a workflow.',
  data,
  texts,
  example,
});
export const taskAssigned = defineEvent({
  type: 'task.assigned',
  target: 'task',
  scope,
  description: 'A task was given to another person.',
  data: assigned,
  texts,
  example: { ...example, assignedFrom: '01999999-0000-7000-8000-000000000001', reason: 'On leave' },
});
export const taskUnassigned = defineEvent({
  type: 'task.unassigned',
  target: 'task',
  scope,
  description:
    'A task has no assignee. The assignee left without an eligible successor, a barrier excludes them, or the owner of the document revoked their access. An administrator with access assigns it.',
  data: assigned,
  texts,
  example: { title: 'Review the agreement', type: 'review', assignedFrom: '01999999-0000-7000-8000-000000000001' },
});
export const taskCompleted = defineEvent({
  type: 'task.completed',
  target: 'task',
  scope,
  description: 'A task was completed.',
  data: ended,
  texts: endedTexts,
  example: { ...endedExample, outcome: 'approved', changes: { status: { from: 'open', to: 'completed' } } },
});
export const taskRejected = defineEvent({
  type: 'task.rejected',
  target: 'task',
  scope,
  description: 'A review, approval or signature was rejected, or changes were requested.',
  data: ended,
  texts: endedTexts,
  example: { ...endedExample, outcome: 'rejected', changes: { status: { from: 'open', to: 'rejected' } } },
});
export const taskOverdue = defineEvent({
  type: 'task.overdue',
  target: 'task',
  scope,
  description: 'A task is past its due date. The event is sent once.',
  data,
  texts,
  example,
});
/** The document that a decision is asked about had no file, and has its first: the task is about that from here on. */
export const taskVersionTaken = defineAuditAction('task.document_version_taken', 'task', {
  documentVersion: Type.Integer(),
  documentSha256: Type.String(),
});
/** Whoever has an overdue task was reminded of it: for the first, the second or the third and last time. */
export const taskReminded = defineAuditAction('task.reminded', 'task', { reminder: Type.Integer() });
/** A task stays overdue: whoever `to` names was told of it, or has it from then on. */
export const taskEscalated = defineAuditAction('task.escalated', 'task', {
  level: Type.Integer(),
  to: Type.String(),
  assignedTo: Type.Optional(Type.String()),
  assignedFrom: Type.Optional(Type.String()),
});
/** Reminding somebody of overdue tasks failed ten times, and is not tried again. */
export const reminderFailed = defineAuditAction('task.reminder_failed', 'user', discardedMembers);
const named = {
  name: Type.String({ description: 'What the person who is away is called' }),
  toUserId: Type.String(),
  toName: Type.String({ description: 'What the person who stands in is called' }),
  from: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
};
/** Somebody stands in for a person who is away; the target is who is away. */
export const delegationSet = defineAuditAction('task.delegation_set', 'user', {
  ...named,
  kinds: Type.Optional(Type.Array(Type.String())),
  openTasks: Type.Boolean(),
});
export const delegationEnded = defineAuditAction('task.delegation_ended', 'user', {
  ...named,
  reason: Type.Enum(['over', 'revoked', 'replaced', 'removed', 'suspended', 'right_lost']),
});
export const taskCommented = defineAuditAction('task.commented', 'task', { commentId: Type.String() });
/** Sending somebody the mail of the day failed ten times, and is not tried again. */
export const digestFailed = defineAuditAction('task.digest_failed', 'user', discardedMembers);
/** Announcing that a task is overdue failed ten times, and is not tried again. */
export const taskTimerFailed = defineAuditAction('task.timer_failed', 'task', discardedMembers);
