import { documentMoved, endGrantsOfTask } from '#documents';
import { groupDeleted, groupMemberRemoved, groupMembersRemoved } from '#access';
import { barrierSet, folderMoved } from '#folders';
import { memberContact } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { insidersOf } from './barrier.ts';
import { isBarred } from './barrier-queries.ts';
import { recordReleased } from './groups.ts';
import { lockTasksOfOutsiders } from './lock-queries.ts';
import { barrierChangedMail } from './mails.ts';
import { maxNamed } from './notify.ts';
import { type TaskRow, unassignOutsiders } from './queries.ts';
import { mailUnassigned, recordUnassigned } from './notify-unassigned.ts';

/**
 * Runs when a barrier is set, its members change, or a document or workflow moves behind it. Unassigns open tasks whose assignees are now excluded, and ends
 * their access to the documents. The person who made the change gets a mail. Claimed tasks go back to their groups.
 */
export const unassignExcluded = async (scope: Scope): Promise<void> => {
  const { db, team, now: at } = scope;
  const ids = (await db.all(lockTasksOfOutsiders, { team })).map(({ id }) => id);
  if (ids.length === 0) return;
  const changed = await db.all(unassignOutsiders, { team, ids, at });
  const isReleased = (task: TaskRow) => task.assigned_group_id !== null;
  const tasks = changed.filter((task) => !isReleased(task));
  await endGrantsOfTask(
    scope,
    tasks.map(({ id }) => id),
  );
  await recordReleased(scope, changed.filter(isReleased));
  const before = new Map(tasks.map(({ id, assigned_from: from }) => [id, from]));
  await recordUnassigned(scope, tasks, ({ id }) => before.get(id));
  await notifyUnassignment(scope, tasks);
};
/** Runs when a folder or document moves into a folder, which may be behind a barrier. When a member leaves, nothing moves behind a barrier. */
const moved = async (scope: Scope, folder: string | undefined): Promise<void> => {
  if (folder !== undefined && (await scope.db.first(isBarred, { team: scope.team, folder }))?.barred) await unassignExcluded(scope);
};
export const barrierListeners = [
  on(barrierSet, unassignExcluded),
  on(groupMemberRemoved, unassignExcluded),
  on(groupMembersRemoved, unassignExcluded),
  on(groupDeleted, unassignExcluded),
  on(folderMoved, (scope, { data }) => moved(scope, data.parentId ?? data.matterId)),
  on(documentMoved, (scope, { data }) => moved(scope, data.folderId ?? data.matterId)),
];

/**
 * Sends a mail to the person who changed the barrier or moved the resource. Owner and administrators inside the barrier get a mail about tasks that
 * this person cannot see.
 */
async function notifyUnassignment(scope: Scope, tasks: readonly TaskRow[]): Promise<void> {
  const { db, team, actor } = scope;
  const person = actor.type === 'user' ? await db.first(memberContact, { team, id: actor.id }) : undefined;
  const inside = await insidersOf(scope, tasks, 'id' in actor ? [actor.id] : []);
  const seen = tasks.filter((task) => person !== undefined && 'id' in actor && inside(task, actor.id));
  if (person && seen.length > 0) {
    const mail = barrierChangedMail(person.locale, { named: seen.slice(0, maxNamed), count: seen.length });
    await queueMail(db, { ...mail, to: person.email, team, budgeted: true });
  }
  await mailUnassigned(
    scope,
    tasks.filter((task) => !seen.includes(task)),
  );
}
