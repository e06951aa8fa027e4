import { endGrantsOfTask } from '#documents';
import { groupDeleted, groupMemberRemoved } from '#access';
import { barrierSet } from '#folders';
import { memberToTell } from '#teams';
import { on } from '../platform/journal/listeners.ts';
import { queueMail } from '../platform/mail/queue.ts';
import type { Scope } from '../platform/scope.ts';
import { insidersOf } from './barrier.ts';
import { lockTasksOfOutsiders } from './lock-queries.ts';
import { barrierChangedMail } from './mails.ts';
import { mostNamed } from './notify.ts';
import { type TaskRow, unassignOutsiders } from './queries.ts';
import { mailUnassigned, recordUnassigned } from './unassigned.ts';

/**
 * A barrier is raised, or its members change: open tasks whose assignees are outside of it have no assignee from then on, and open their
 * documents to nobody. The person who changed the barrier is told by mail.
 */
const unassign = async (scope: Scope): Promise<void> => {
  const { db, team, now: at } = scope;
  const ids = (await db.all(lockTasksOfOutsiders, { team })).map(({ id }) => id);
  if (ids.length === 0) return;
  const tasks = await db.all(unassignOutsiders, { team, ids, at });
  await endGrantsOfTask(scope, ids);
  const before = new Map(tasks.map(({ id, assigned_from: from }) => [id, from]));
  await recordUnassigned(scope, tasks, ({ id }) => before.get(id));
  await tell(scope, tasks);
};
export const barrierListeners = [on(barrierSet, unassign), on(groupMemberRemoved, unassign), on(groupDeleted, unassign)];

/** Tells the person who changed the barrier; owner and administrators inside about tasks that this person does not see. */
async function tell(scope: Scope, tasks: readonly TaskRow[]): Promise<void> {
  const { db, team, actor } = scope;
  const person = actor.type === 'user' ? await db.first(memberToTell, { team, id: actor.id }) : undefined;
  const inside = await insidersOf(scope, tasks, 'id' in actor ? [actor.id] : []);
  const seen = tasks.filter((task) => person !== undefined && 'id' in actor && inside(task, actor.id));
  if (person && seen.length > 0) {
    const mail = barrierChangedMail(person.locale, { named: seen.slice(0, mostNamed), count: seen.length });
    await queueMail(db, { ...mail, to: person.email, team, budgeted: true });
  }
  await mailUnassigned(
    scope,
    tasks.filter((task) => !seen.includes(task)),
  );
}
