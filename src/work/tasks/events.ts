import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { changes } from '../../platform/journal/changes.ts';

const about = {
  title: Type.String(),
  type: Type.Optional(Type.String()),
  assignedTo: Type.Optional(Type.String()),
  assignedGroupId: Type.Optional(Type.String({ description: 'The group of which one member claims the task' })),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
  roundId: Type.Optional(Type.String({ description: 'The approval round of which the task is a vote' })),
  documentId: Type.Optional(Type.String()),
  documentVersion: Type.Optional(Type.Integer({ description: 'The version of the document that the task is about' })),
  documentSha256: Type.Optional(Type.String({ description: 'SHA-256 of that version, in hexadecimal' })),
  onBehalfOf: Type.Optional(
    Type.String({
      description: 'The absent member, if the assignee is a delegate; after the end also the first assignee of a reassigned task',
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
  description: 'A person or a workflow created a task.',
  data,
  texts,
  example,
});
export const taskAssigned = defineEvent({
  type: 'task.assigned',
  target: 'task',
  scope,
  description: 'A task was assigned to another person.',
  data: assigned,
  texts,
  example: { ...example, assignedFrom: '01999999-0000-7000-8000-000000000001', reason: 'On leave' },
});
export const taskUnassigned = defineEvent({
  type: 'task.unassigned',
  target: 'task',
  scope,
  description:
    'A task has no assignee. The assignee left without an eligible successor, a barrier excludes them, or the owner of the document revoked their access. Or no member of its group may claim it. An administrator with access assigns it.',
  data: assigned,
  texts,
  example: { title: 'Review the agreement', type: 'review', assignedFrom: '01999999-0000-7000-8000-000000000001' },
});
const claimExample = { ...example, assignedGroupId: '01999999-0000-7000-8000-000000000002' };
export const taskClaimed = defineEvent({
  type: 'task.claimed',
  target: 'task',
  scope,
  description: 'A member of its group claimed a task.',
  data,
  texts: ['title'],
  example: claimExample,
});
export const taskReleased = defineEvent({
  type: 'task.released',
  target: 'task',
  scope,
  description:
    'A claimed task went back to its group: its assignee released it, was suspended, left the team or the group, or a barrier excludes them.',
  data: assigned,
  texts,
  example: { title: example.title, type: example.type, assignedGroupId: claimExample.assignedGroupId, assignedFrom: example.assignedTo },
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
/** The document of a decision task had no file and got its first version. From now on the task is about that version. */
export const taskVersionTaken = defineAuditAction('task.document_version_taken', 'task', {
  documentVersion: Type.Integer(),
  documentSha256: Type.String(),
});
/** The assignee of an overdue task was reminded for the first, second or third time. The third reminder is the last. */
export const taskReminded = defineAuditAction('task.reminded', 'task', { reminder: Type.Integer() });
/** An overdue task was escalated: `to` got a mail, or the task was reassigned. */
export const taskEscalated = defineAuditAction('task.escalated', 'task', {
  level: Type.Integer(),
  to: Type.String(),
  assignedTo: Type.Optional(Type.String()),
  assignedFrom: Type.Optional(Type.String()),
});
/** The reminder of overdue tasks failed ten times and is not retried. */
export const reminderFailed = defineAuditAction('task.reminder_failed', 'user', discardedMembers);
const named = {
  name: Type.String({ description: 'Full name of the absent member' }),
  toUserId: Type.String(),
  toName: Type.String({ description: 'Full name of the delegate' }),
  from: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
};
/** A delegation was set. The target is the absent member. */
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
/** The daily mail failed ten times and is not retried. */
export const digestFailed = defineAuditAction('task.digest_failed', 'user', discardedMembers);
/** The announcement or escalation of an overdue task failed ten times and is not retried. */
export const taskTimerFailed = defineAuditAction('task.timer_failed', 'task', discardedMembers);
