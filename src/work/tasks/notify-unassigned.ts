import { managerContacts } from '#teams';
import { queueMail } from '../../platform/mail/queue.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { taskUnassigned } from './events.ts';
import { insidersOf } from './barrier.ts';
import { unassignedMail } from './mails.ts';
import { type Announced, announcedTask } from './present.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

type UnassignedTask = Announced & { id: string; barred: boolean };

/** Records that tasks have no assignee, as events and in the journal. `from`: who had each of them. */
export async function recordUnassigned(
  scope: Scope,
  tasks: readonly UnassignedTask[],
  from: (task: UnassignedTask) => string | undefined,
): Promise<void> {
  await pipelined(
    tasks.map((task) => () => {
      const before = from(task);
      const changed = before === undefined ? {} : { assignedFrom: before, changes: { assignedTo: { from: before } } };
      return record(scope, taskUnassigned, task.id, { ...announcedTask(task), ...changed }, task.barred);
    }),
  );
}

/** Records that tasks have no assignee, and tells owner and administrators in one mail. `from`: who had them. */
export async function notifyUnassigned(scope: Scope, tasks: readonly UnassignedTask[], from?: string): Promise<void> {
  if (tasks.length === 0) return;
  await recordUnassigned(scope, tasks, () => from);
  await mailUnassigned(scope, tasks);
}

/** Tells owner and administrators which tasks have no assignee, each of those that no barrier hides from them. */
export async function mailUnassigned(scope: Scope, tasks: readonly UnassignedTask[]): Promise<void> {
  if (tasks.length === 0) return;
  const people = await scope.db.all(managerContacts, { team: scope.team });
  const inside = await insidersOf(
    scope,
    tasks,
    people.map(({ id }) => id),
  );
  await Promise.all(
    people.map(async ({ id, email, locale }) => {
      const titles = tasks.filter((task) => inside(task, id)).map(({ title }) => title);
      if (titles.length > 0) await queueMail(scope.db, { to: email, team: scope.team, budgeted: true, ...unassignedMail(locale, titles) });
    }),
  );
}
