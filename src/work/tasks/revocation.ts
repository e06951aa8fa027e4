import { accessEnded } from '#documents';
import { on } from '../../platform/journal/listeners.ts';
import * as locks from './lock-queries.ts';
import { withdrawFromGroup } from './group-queries.ts';
import { unassign } from './queries.ts';
import { notifyUnassigned } from './notify-unassigned.ts';

/** Unassigns an open task when the access of its assignee, or of its group, to the document is revoked. */
export const revocationListener = on(accessEnded, async (scope, { data: { revoked, taskId, userId, groupId } }) => {
  if (!revoked || taskId === undefined) return;
  const { db, team, now: at } = scope;
  const one = { team, id: taskId, principalId: null, user: null, system: true };
  await db.first(locks.lockWorkflowOfTask, one);
  if (userId !== undefined) await notifyUnassigned(scope, await db.all(unassign, { team, id: taskId, user: userId, at }), userId);
  if (groupId === undefined) return;
  for (const task of await db.all(withdrawFromGroup, { team, id: taskId, group: groupId, at }))
    await notifyUnassigned(scope, [task], task.assigned_from ?? undefined);
});
