import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { enqueue } from '../jobs/job.ts';
import { mailJob, teamMailJob } from './jobs.ts';
import { insertMail } from './queries.ts';

/**
 * A mail as text and as HTML; both say the same. `team` is the team it is about, which the mail names when it is sent. A registration has none. With `budgeted` that team
 * caused it, such as an invitation or a notification: it counts against the team's budgets, and waits when they are used up.
 * `about`: the thing of the team that it tells of, where it ends with that (see `withdrawMails`).
 * `lowPriority`: nobody waits for it; it is found when a worker next looks, within seconds.
 */
export type Mail = { to: string; subject: string; text: string; html: string; lowPriority?: boolean } & (
  | { team: string | null; budgeted?: never; about?: never }
  | { team: string; budgeted: true; about?: string }
);

/** Puts a mail into the caller's transaction: it is sent when that commits, and never when it does not. */
export async function queueMail(tx: Transaction, mail: Mail): Promise<void> {
  const { team, to, subject, text, html, lowPriority = false } = mail;
  const budgeted = mail.budgeted ?? false;
  const id = randomUUIDv7();
  enqueue({ db: tx, team: team ?? undefined }, budgeted ? teamMailJob : mailJob, { mail: id }, { id, lowPriority });
  await tx.all(insertMail, { id, team, to, subject, text, html, budgeted, about: mail.about ?? null });
}
