import type { Transaction } from '../database/database.ts';
import { sqlStatement } from '../database/statement.ts';
import type { MailText } from './compose.ts';
import { queueMail } from './queue.ts';

/** Maximum number of mails to one email address of a person without an account, across all teams. */
export const visitorMails = { inHour: 3, inDay: 10 } as const;

/** Counts one mail to an email address, unless the maximum is reached. Counting is serialized per address. */
const takeVisitorMail = sqlStatement<{ to: string; inHour: number; inDay: number }, { taken: boolean | null }>(
  'SELECT take_visitor_mail($to, $inHour, $inDay) AS taken',
);

/**
 * Queues a mail to a person without an account in the transaction of the caller. Anyone who enters an email address in a form can cause mail to it.
 * So the whole service sends at most 3 mails per hour and 10 per day to an address, and drops further mails. `about` is the resource of the team;
 * erasing it withdraws the mail (`withdrawMails`).
 */
export async function queueVisitorMail(
  tx: Transaction,
  team: string,
  mail: MailText & { to: string; about: string },
): Promise<'queued' | 'skipped'> {
  const row = await tx.first(takeVisitorMail, { to: mail.to.toLowerCase(), ...visitorMails });
  if (row?.taken !== true) return 'skipped';
  await queueMail(tx, { ...mail, team, budgeted: true });
  return 'queued';
}
