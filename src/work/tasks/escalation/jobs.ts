import type { DueWork } from '../../../platform/jobs/due-jobs.ts';
import { taskTimerFailed } from '../events.ts';
import { escalate } from './escalate.ts';
import { dueEscalations } from './queries.ts';

/** Escalates tasks that stay overdue to the targets of their next level. */
export const taskEscalations: DueWork = {
  job: 'task-escalation',
  due: dueEscalations,
  run: (scope, { id }) => escalate(scope, id),
  setAside: { act: taskTimerFailed, target: ({ id }) => id },
};
