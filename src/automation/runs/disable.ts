import { managerContacts, memberContact } from '#teams';
import { record } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { jobDisabled } from './events.ts';
import { disabledMail } from './mails.ts';
import * as queries from './queries.ts';

/**
 * Switches a job off that cannot go on by itself, under its lock, and says so: by an event, and by mail to whoever answers for it or,
 * where nobody does any more, to those who run the team. Nothing is done where it is off already.
 */
export async function disableJob(scope: Scope, id: string, reason: queries.DisabledReason): Promise<void> {
  const { db, team, now } = scope;
  const found = await db.first(queries.findJob, { team, id });
  const disabled = await db.first(queries.disableJob, { team, id, reason, at: now });
  if (!found || !disabled) return;
  await record(scope, jobDisabled, id, { name: found.name, agentId: found.agent_id, reason });
  const people =
    reason === 'owner_inactive' ? await db.all(managerContacts, { team }) : await db.all(memberContact, { team, id: found.on_behalf_of });
  await Promise.all(
    people.map(({ email, locale }) =>
      queueMail(db, { ...disabledMail(locale, found.name, reason), to: email, team, budgeted: true, lowPriority: true }),
    ),
  );
}
