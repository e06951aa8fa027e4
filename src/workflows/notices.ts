import { membersToTell } from '#teams';
import { queueMail } from '../platform/mail/queue.ts';
import type { Scope } from '../platform/scope.ts';
import { notificationMail, walledMail } from './mails.ts';
import * as queries from './queries.ts';

/** A notification step that was reached, and whom it tells. */
export type Notice = { step: { name: string | null; description: string | null }; people: readonly string[] };

/** Tells each person in one mail of all the notification steps that one act has reached; of what is behind a wall only that it has. */
export async function sendNotices(
  scope: Scope,
  workflow: Pick<queries.WorkflowRow, 'id' | 'name' | 'walled'>,
  notices: readonly Notice[],
): Promise<void> {
  const ids = [...new Set(notices.flatMap(({ people }) => people))];
  if (ids.length === 0) return;
  const people = await scope.db.all(membersToTell, { team: scope.team, ids });
  await Promise.all(
    people.map(({ id, email, locale }) => {
      const steps = notices.filter((notice) => notice.people.includes(id)).map(({ step }) => step);
      const mail = workflow.walled ? walledMail(locale, workflow.id) : notificationMail(locale, workflow.name, steps);
      return queueMail(scope.db, { to: email, team: scope.team, budgeted: true, ...mail });
    }),
  );
}
