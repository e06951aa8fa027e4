import { accessEnded } from '#documents';
import { on } from '../../platform/journal/listeners.ts';
import * as locks from './lock-queries.ts';
import { unassign } from './queries.ts';
import { notifyUnassigned } from './notify-unassigned.ts';

/** The access of an assignee to the document of an open task was revoked: the task has no assignee from then on. */
export const revocationListener = on(accessEnded, async (scope, { data: { revoked, taskId, userId } }) => {
  if (!revoked || taskId === undefined || userId === undefined) return;
  const { db, team, now: at } = scope;
  const one = { team, id: taskId, principalId: null, user: null, system: true };
  await db.first(locks.lockWorkflowOfTask, one);
  const tasks = await db.all(unassign, { team, id: taskId, user: userId, at });
  await notifyUnassigned(scope, tasks, userId);
});
