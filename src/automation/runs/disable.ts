import { managerContacts, memberContact } from '#teams';
import { record } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { jobDisabled } from './events.ts';
import { disabledMail } from './mails.ts';
import * as queries from './queries.ts';

/**
 * Disables a job that cannot continue, records it, and emails the responsible person. Without a responsible person the mail goes to the owner and
 * administrators. Does nothing for a disabled job. The caller must hold the lock of the job.
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
      queueMail(db, { ...disabledMail(locale, found, reason), to: email, team, budgeted: true, lowPriority: true }),
    ),
  );
}
