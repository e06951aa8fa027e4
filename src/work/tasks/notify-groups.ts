import { taskMailContacts } from '#teams';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { candidatesOf } from './group-queries.ts';
import { groupMail } from './mails.ts';
import { addressed, maxNamed, rememberDigest } from './notify.ts';
import { notifyUnassigned } from './notify-unassigned.ts';

type GroupTask = Parameters<typeof notifyUnassigned>[1][number];

/** Notifies the members who can claim new tasks of their groups, as their settings say, except the actor; without any, owner and administrators. */
export async function notifyGroups(scope: Scope, tasks: readonly GroupTask[]): Promise<void> {
  if (tasks.length === 0) return;
  const found = await scope.db.all(candidatesOf, { team: scope.team, tasks: tasks.map(({ id }) => id) });
  const candidates = new Map(found.map(({ task, people }) => [task, people]));
  await notifyUnassigned(
    scope,
    tasks.filter(({ id }) => !candidates.get(id)?.length),
  );
  const theirs = new Map<string, GroupTask[]>();
  for (const task of tasks) for (const person of candidates.get(task.id) ?? []) theirs.set(person, [...(theirs.get(person) ?? []), task]);
  if (scope.actor.type === 'user') theirs.delete(scope.actor.id);
  if (theirs.size === 0) return;
  const people = await scope.db.all(taskMailContacts, { team: scope.team, ids: [...theirs.keys()] });
  await Promise.all(
    people.map((person) => {
      const named = theirs.get(person.id) ?? [];
      if (person.task_mails === 'daily') return rememberDigest(scope, person);
      const mail = groupMail(person.locale, { named: named.slice(0, maxNamed), count: named.length });
      return queueMail(scope.db, { ...mail, ...addressed(scope, person) });
    }),
  );
}
