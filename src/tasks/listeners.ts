import { memberRemoved } from '#teams';
import { type EventListener, record } from '../platform/journal/record.ts';
import { taskAssigned } from './events.ts';
import * as queries from './queries.ts';
import { announcedTask } from './service.ts';

/**
 * Open tasks of somebody who leaves the team go to their successor: an approval that was one person's must not become
 * anybody's.
 */
export const taskListener: EventListener = async (scope, event) => {
  if (event.type !== memberRemoved.type) return;
  const { successorId } = event.data.data as { successorId: string };
  const handed = await scope.db.all(queries.handOverTasks, {
    team: scope.team,
    from: String(event.data.userId),
    to: successorId,
    at: scope.now,
  });
  await Promise.all(handed.map((task) => record(scope, taskAssigned, task.id, announcedTask(task))));
};
