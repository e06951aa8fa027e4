import type { Transaction } from '../database/database.ts';
import { sqlStatement } from '../database/statement.ts';
import type { MailText } from './compose.ts';
import { queueMail } from './queue.ts';

/** Mails that people without an account get at one address, whichever teams they come from. */
export const visitorMails = { inHour: 3, inDay: 10 } as const;

/** Counts one more mail to an address, unless that is too many; counts to one address follow one another. */
const takeVisitorMail = sqlStatement<{ to: string; inHour: number; inDay: number }, { taken: boolean | null }>(
  'SELECT take_visitor_mail($to, $inHour, $inDay) AS taken',
);

/**
 * Puts a mail to somebody who has no account into the caller's transaction. Whoever can name an address can have mails sent to it:
 * so it gets 3 an hour and 10 a day over the whole service, and what is more is not sent at all. `about` is the thing of the team that it
 * tells of: whoever erases that takes its mails back (`withdrawMails`).
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
