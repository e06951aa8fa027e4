import { memberContacts } from '#teams';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { outsidersOf } from '#tasks';
import { notificationMail } from './mails.ts';
import type * as queries from './queries.ts';

/** A notification step that has begun, and its recipients. */
export type Notice = { step: { name: string | null; description: string | null }; people: readonly string[] };

/** Sends each person one mail about all notification steps that have just begun. People excluded by a barrier around the document get no mail. */
export async function sendNotices(
  scope: Scope,
  workflow: Pick<queries.WorkflowRow, 'id' | 'name' | 'barred' | 'about_document_id'>,
  notices: readonly Notice[],
): Promise<void> {
  const ids = [...new Set(notices.flatMap(({ people }) => people))];
  if (ids.length === 0) return;
  const people = await scope.db.all(memberContacts, { team: scope.team, ids });
  const outsiders = workflow.barred ? await outsidersOf(scope, workflow.about_document_id, ids) : [];
  const inside = people.filter(({ id }) => !outsiders.some((outsider) => outsider.id === id));
  await Promise.all(
    inside.map(({ id, email, locale }) => {
      const steps = notices.filter((notice) => notice.people.includes(id)).map(({ step }) => step);
      return queueMail(scope.db, { to: email, team: scope.team, budgeted: true, ...notificationMail(locale, workflow, steps) });
    }),
  );
}
