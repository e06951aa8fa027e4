import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import { record } from '../../platform/journal/record.ts';
import { digestFailed, reminderFailed, taskOverdue, taskTimerFailed } from './events.ts';
import { announcedTask } from './present.ts';
import { sendDigest } from './notify.ts';
import { remindOfOverdue } from './remind.ts';
import * as queries from './due-queries.ts';

/** Tasks that have passed their due date: each is announced once. Those of a paused workflow wait until it goes on. */
export const overdueTasks: DueWork = {
  job: 'task-overdue',
  due: queries.dueTasks,
  async run(scope, { id }) {
    const task = await scope.db.first(queries.announceOverdue, { team: scope.team, id, now: scope.now });
    if (task) await record(scope, taskOverdue, task.id, announcedTask(task), task.barred);
  },
  setAside: { act: taskTimerFailed, target: ({ id }) => id },
};

/** People with overdue tasks of which they are to be reminded. */
export const taskReminders: DueWork = {
  job: 'task-reminder',
  due: queries.dueReminders,
  run: (scope, { id }) => remindOfOverdue(scope, id),
  setAside: { act: reminderFailed, target: ({ id }) => id },
};

/** People whose mail of the day is due. */
export const taskDigests: DueWork = {
  job: 'task-digest',
  due: queries.dueDigests,
  run: (scope, { id }) => sendDigest(scope, id),
  setAside: { act: digestFailed, target: ({ id }) => id },
};
