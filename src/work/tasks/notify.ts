import { type TaskMailContact, taskMailContacts } from '#teams';
import type { Row } from '../../platform/database/row.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { assignedMail, digestMail } from './mails.ts';
import * as queries from './due-queries.ts';

/** A task that somebody is given. `byClient`: a client created it in its own name and asks its user. */
export type GivenTask = Row<'task', 'id' | 'title' | 'assigned_to' | 'created_by'> & { byClient?: boolean };

/** Tasks that a mail names at most; of the others it says how many there are. */
export const maxNamed = 20;
/** The mail of the day is sent at this hour where the person is. */
const digestHour = 7;

/**
 * Tells people of tasks they are given, each as they wish: by one mail now, by that of the day, or not at all. Who gives a task to
 * themself knows. `passedOn`: by whoever acts, instead of by who made them.
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
      if (person.task_mails === 'daily') return remember(scope, person);
      return queueMail(scope.db, {
        ...assignedMail(person.locale, { named: theirs.slice(0, maxNamed), count: theirs.length }),
        ...addressed(scope, person),
      });
    }),
  );
}

/** Counts against the team's mails; the worker finds it when it next looks. */
export const addressed = ({ team }: Scope, { email }: TaskMailContact) => ({ to: email, team, budgeted: true, lowPriority: true }) as const;

function remember(scope: Scope, { id, timezone }: TaskMailContact): Promise<unknown> {
  return scope.db.all(queries.rememberDigest, { team: scope.team, id, since: scope.now, due: nextDigest(scope.now, timezone) });
}

/** The next time that it is the hour of the day's mail in a zone. */
export function nextDigest(now: Date, zone: string): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const today = here.startOfDay().with({ hour: digestHour });
  const next = Temporal.ZonedDateTime.compare(today, here) > 0 ? today : here.startOfDay().add({ days: 1 }).with({ hour: digestHour });
  return new Date(next.epochMilliseconds);
}

/** Sends somebody the mail of the day: with what they were given since the one before and have still to do, if there is any. */
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
