import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import { record } from '../../platform/journal/record.ts';
import { digestFailed, reminderFailed, taskOverdue, taskTimerFailed } from './events.ts';
import { taskEventData } from './present.ts';
import { sendDigest } from './notify.ts';
import { remindOfOverdue } from './remind.ts';
import * as queries from './due-queries.ts';

/** Announces each overdue task once. Tasks of a paused workflow wait until it resumes. */
export const overdueTasks: DueWork = {
  job: 'task-overdue',
  due: queries.dueTasks,
  async run(scope, { id }) {
    const task = await scope.db.first(queries.markOverdueEmitted, { team: scope.team, id, now: scope.now });
    if (task) await record(scope, taskOverdue, task.id, taskEventData(task), task.barred);
  },
  setAside: { act: taskTimerFailed, target: ({ id }) => id },
};

/** Reminds people of their overdue tasks. */
export const taskReminders: DueWork = {
  job: 'task-reminder',
  due: queries.dueReminders,
  run: (scope, { id }) => remindOfOverdue(scope, id),
  setAside: { act: reminderFailed, target: ({ id }) => id },
};

/** Sends the daily mails that are due. */
export const taskDigests: DueWork = {
  job: 'task-digest',
  due: queries.dueDigests,
  run: (scope, { id }) => sendDigest(scope, id),
  setAside: { act: digestFailed, target: ({ id }) => id },
};
