import { managersToTell } from '#teams';
import { queueMail } from '../platform/mail/queue.ts';
import { record } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { taskUnassigned } from './events.ts';
import { unassignedMail } from './mails.ts';
import { type Announced, announcedTask } from './present.ts';
import { inOrder } from '../platform/database/together.ts';

type Waiting = Announced & { id: string; walled: boolean };

/** Says of decisions that are given to nobody that they wait: as events, in the journal, and in one mail to those who run the team. */
export async function tellUnassigned(scope: Scope, tasks: readonly Waiting[], from?: string): Promise<void> {
  if (tasks.length === 0) return;
  const people = scope.db.all(managersToTell, { team: scope.team });
  await inOrder(
    tasks.map(
      (task) => () =>
        record(
          scope,
          taskUnassigned,
          task.id,
          {
            ...announcedTask(task),
            ...(from === undefined ? {} : { assignedFrom: from, changes: { assignedTo: { from } } }),
          },
          task.walled,
        ),
    ),
  );
  // A mail comes to administrators outside of a wall as well.
  const titles = tasks.map(({ id, title, walled }) => (walled ? id : title));
  await Promise.all(
    (await people).map(({ email, locale }) =>
      queueMail(scope.db, { to: email, team: scope.team, budgeted: true, ...unassignedMail(locale, titles) }),
    ),
  );
}
