import { managerContacts } from '#teams';
import { queueMail } from '../../platform/mail/queue.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { taskUnassigned } from './events.ts';
import { insidersOf } from './barrier.ts';
import { unassignedMail } from './mails.ts';
import { type Announced, taskEventData } from './present.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

type UnassignedTask = Announced & { id: string; barred: boolean };

/** Records that tasks have no assignee, as events and in the journal. The function `from` returns the previous assignee of a task. */
export async function recordUnassigned(
  scope: Scope,
  tasks: readonly UnassignedTask[],
  from: (task: UnassignedTask) => string | undefined,
): Promise<void> {
  await pipelined(
    tasks.map((task) => () => {
      const before = from(task);
      const changed = before === undefined ? {} : { assignedFrom: before, changes: { assignedTo: { from: before } } };
      return record(scope, taskUnassigned, task.id, { ...taskEventData(task), ...changed }, task.barred);
    }),
  );
}

/** Records that tasks have no assignee, and sends one mail to each of owner and administrators. `from`: the previous assignee. */
export async function notifyUnassigned(scope: Scope, tasks: readonly UnassignedTask[], from?: string): Promise<void> {
  if (tasks.length === 0) return;
  await recordUnassigned(scope, tasks, () => from);
  await mailUnassigned(scope, tasks);
}

/** Sends owner and administrators a mail about tasks without an assignee. Each mail leaves out tasks that a barrier hides from its recipient. */
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
