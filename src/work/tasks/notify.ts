import { type TaskMailContact, taskMailContacts } from '#teams';
import type { Row } from '../../platform/database/row.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { assignedMail, digestMail } from './mails.ts';
import * as queries from './due-queries.ts';

/** A task with a new assignee. `byClient`: an API client created the task in its own name and asks its user. */
export type GivenTask = Row<'task', 'id' | 'title' | 'assigned_to' | 'created_by'> & { byClient?: boolean };

/** Maximum number of tasks that a mail names. The mail gives the number of the others. */
export const maxNamed = 20;
/** Hour of the daily mail, in the time zone of the recipient. */
const digestHour = 7;

/**
 * Notifies the assignees of new tasks according to their settings: by a mail now, by the daily mail, or not at all. An actor who assigns a task to
 * themself gets no mail. `passedOn`: the actor reassigned the tasks and did not create them.
 */
export async function notifyAssigned(scope: Scope, tasks: readonly GivenTask[], passedOn = false): Promise<void> {
  const { recordedAs: actor = scope.actor } = scope;
  const bySelf = ({ assigned_to: to, created_by: by, byClient = false }: GivenTask) =>
    !byClient && actor.type === 'user' && actor.id === to && (passedOn || by === to);
  const given = Map.groupBy(
    tasks.filter((task) => task.assigned_to !== null && !bySelf(task)),
    (task) => task.assigned_to,
  );
  if (given.size === 0) return;
  const people = await scope.db.all(taskMailContacts, { team: scope.team, ids: [...given.keys()].filter((id) => id !== null) });
  await Promise.all(
    people.map((person) => {
      const theirs = given.get(person.id) ?? [];
      if (person.task_mails === 'daily') return rememberDigest(scope, person);
      return queueMail(scope.db, {
        ...assignedMail(person.locale, { named: theirs.slice(0, maxNamed), count: theirs.length }),
        ...addressed(scope, person),
      });
    }),
  );
}

/**
 * Returns the recipient of a mail with low priority that counts towards the mail limit of the team. The worker sends the mail when it next looks for
 * work.
 */
export const addressed = ({ team }: Scope, { email }: TaskMailContact) => ({ to: email, team, budgeted: true, lowPriority: true }) as const;

/** Schedules the daily mail of a person. */
export function rememberDigest(scope: Scope, { id, timezone }: TaskMailContact): Promise<unknown> {
  return scope.db.all(queries.rememberDigest, { team: scope.team, id, since: scope.now, due: nextDigest(scope.now, timezone) });
}

/** Returns the next time of the daily mail in a time zone. */
export function nextDigest(now: Date, zone: string): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const today = here.startOfDay().with({ hour: digestHour });
  const next = Temporal.ZonedDateTime.compare(today, here) > 0 ? today : here.startOfDay().add({ days: 1 }).with({ hour: digestHour });
  return new Date(next.epochMilliseconds);
}

/** Sends a person the daily mail with the open tasks that were assigned since the previous one. Without such tasks, sends no mail. */
export async function sendDigest(scope: Scope, account: string): Promise<void> {
  const { team } = scope;
  const digest = await scope.db.first(queries.takeDigest, { team, id: account, now: scope.now });
  if (!digest) return;
  const [person] = await scope.db.all(taskMailContacts, { team, ids: [account] });
  if (person?.task_mails !== 'daily') return;
  const named = await scope.db.all(queries.givenSince, { team, id: account, since: digest.since, limit: maxNamed });
  const [first] = named;
  if (first === undefined) return;
  await queueMail(scope.db, { ...digestMail(person.locale, { named, count: first.total }), ...addressed(scope, person) });
}
