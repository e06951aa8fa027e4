import { Type } from 'typebox';
import { defineAct, defineEvent } from '../platform/journal/acts.ts';

const data = Type.Object({
  title: Type.String(),
  type: Type.Optional(Type.String()),
  assignedTo: Type.Optional(Type.String()),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
  documentId: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.String()),
});
const example = { title: 'Review the agreement', type: 'review', assignedTo: '01999999-0000-7000-8000-000000000000' };

export const taskCreated = defineEvent({
  type: 'task.created',
  target: 'task',
  description: 'A task was created, by a person or by a workflow.',
  data,
  example,
});
export const taskAssigned = defineEvent({
  type: 'task.assigned',
  target: 'task',
  description: 'A task was given to another person.',
  data,
  example,
});
export const taskCompleted = defineEvent({
  type: 'task.completed',
  target: 'task',
  description: 'A task was completed.',
  data,
  example: { ...example, outcome: 'approved' },
});
export const taskRejected = defineEvent({
  type: 'task.rejected',
  target: 'task',
  description: 'A review or approval was refused.',
  data,
  example: { ...example, outcome: 'rejected' },
});
export const taskOverdue = defineEvent({
  type: 'task.overdue',
  target: 'task',
  description: 'A task is past its due date; announced once.',
  data,
  example,
});
export const taskCommented = defineAct('task.commented', 'task');
/** Announcing that a task is overdue failed ten times, and is not tried again. */
export const taskTimerFailed = defineAct('task.timer_failed', 'task');
