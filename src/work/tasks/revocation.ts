import { accessEnded } from '#documents';
import { on } from '../../platform/journal/listeners.ts';
import * as locks from './lock-queries.ts';
import { unassign } from './queries.ts';
import { notifyUnassigned } from './notify-unassigned.ts';

/** Unassigns an open task when its assignee's access to the document is revoked. */
export const revocationListener = on(accessEnded, async (scope, { data: { revoked, taskId, userId } }) => {
  if (!revoked || taskId === undefined || userId === undefined) return;
  const { db, team, now: at } = scope;
  const one = { team, id: taskId, principalId: null, user: null, system: true };
  await db.first(locks.lockWorkflowOfTask, one);
  const tasks = await db.all(unassign, { team, id: taskId, user: userId, at });
  await notifyUnassigned(scope, tasks, userId);
});
