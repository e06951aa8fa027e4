import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { enqueue } from '../jobs/job.ts';
import { mailJob, teamMailJob } from './jobs.ts';
import { insertMail } from './queries.ts';

/**
 * A mail as text and as HTML with the same content. `team` is the team that the mail is about; its name is added when the mail is sent. A
 * registration has no team. `budgeted`: the team caused the mail, such as an invitation or a notification. The mail counts against the budgets of the
 * team, and waits if they are used up. `about` is the resource of the team; if it is erased, the mail is withdrawn (see `withdrawMails`).
 * `lowPriority`: no worker is notified; the mail is sent at the next poll, within seconds.
 */
export type Mail = { to: string; subject: string; text: string; html: string; lowPriority?: boolean } & (
  | { team: string | null; budgeted?: never; about?: never }
  | { team: string; budgeted: true; about?: string }
);

/** Queues a mail in the transaction of the caller. It is sent only if the transaction commits. */
export async function queueMail(tx: Transaction, mail: Mail): Promise<void> {
  const { team, to, subject, text, html, lowPriority = false } = mail;
  const budgeted = mail.budgeted ?? false;
  const id = randomUUIDv7();
  enqueue({ db: tx, team: team ?? undefined }, budgeted ? teamMailJob : mailJob, { mail: id }, { id, lowPriority });
  await tx.all(insertMail, { id, team, to, subject, text, html, budgeted, about: mail.about ?? null });
}
