import { managerContacts, taskMailContacts } from '#teams';
import { queueMail } from '../../platform/mail/queue.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { taskReminded } from './events.ts';
import { escalatedMail, overdueMail } from './mails.ts';
import { insidersOf } from './barrier.ts';
import { addressed, maxNamed, nextDigest } from './notify.ts';
import * as queries from './due-queries.ts';

/** Maximum number of tasks in one reminder. The next reminder names the others. */
const maxTasksPerReminder = 100;
const dayMs = 86_400_000;

/**
 * Reminds a person of their overdue tasks in one mail: when they become overdue, on the third day and on the seventh. The owner of a task gets a mail
 * with the second reminder, owner and administrators of the team with the third. Tasks are not reassigned. After a downtime, the service sends only
 * one reminder.
 */
export async function remindOfOverdue(scope: Scope, person: string): Promise<void> {
  const { db, team, now } = scope;
  const [reader] = await db.all(taskMailContacts, { team, ids: [person] });
  const morningIn = (days: number) => nextDigest(new Date(now.getTime() + days * dayMs), reader?.timezone ?? 'UTC');
  const tasks = await db.all(queries.remind, {
    team,
    id: person,
    now,
    second: morningIn(2),
    third: morningIn(3),
    limit: maxTasksPerReminder,
  });
  if (tasks.length === 0) return;
  await pipelined(
    tasks.map(
      ({ id, reminders }) =>
        () =>
          recordAudit(scope, taskReminded, id, { reminder: reminders }),
    ),
  );
  const mailDataOf = (of: readonly queries.Reminded[]) => ({ named: of.slice(0, maxNamed), count: of.length });
  const own = await visibleTo(scope, tasks, [person]);
  if (reader && own(person).length > 0)
    await queueMail(db, { ...overdueMail(reader.locale, mailDataOf(own(person))), ...addressed(scope, reader) });
  await notifyOwners(
    scope,
    person,
    tasks.filter(({ reminders }) => reminders === 2),
  );
  const last = tasks.filter(({ reminders }) => reminders === 3);
  if (last.length === 0) return;
  const managers = await db.all(managerContacts, { team });
  const theirs = await visibleTo(
    scope,
    last,
    managers.map(({ id }) => id),
  );
  for (const { id, email, locale } of managers)
    if (theirs(id).length > 0)
      await queueMail(db, { ...escalatedMail(locale, mailDataOf(theirs(id))), to: email, team, budgeted: true, lowPriority: true });
}

/** Returns a function that selects the tasks that no barrier hides from a person. */
async function visibleTo(scope: Scope, tasks: readonly queries.Reminded[], people: readonly string[]) {
  const inside = await insidersOf(scope, tasks, people);
  return (person: string) => tasks.filter((task) => inside(task, person));
}

/**
 * Sends the owners of these tasks a mail that the tasks are still overdue, according to the settings of each owner. An owner who is also the assignee
 * gets no mail.
 */
async function notifyOwners(scope: Scope, assignee: string, tasks: readonly queries.Reminded[]): Promise<void> {
  const given = Map.groupBy(
    tasks.filter((task) => task.created_by_type === 'user' && task.owner_id !== assignee),
    (task) => task.owner_id,
  );
  if (given.size === 0) return;
  const visible = await visibleTo(scope, tasks, [...given.keys()]);
  for (const owner of await scope.db.all(taskMailContacts, { team: scope.team, ids: [...given.keys()] })) {
    const seen = new Set(visible(owner.id));
    const theirs = (given.get(owner.id) ?? []).filter((task) => seen.has(task));
    if (theirs.length === 0) continue;
    const mailData = { named: theirs.slice(0, maxNamed), count: theirs.length };
    await queueMail(scope.db, { ...escalatedMail(owner.locale, mailData), ...addressed(scope, owner) });
  }
}
