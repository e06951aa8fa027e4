import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { insertMail } from './queries.ts';

/**
 * A mail as text and as HTML; both say the same. `team` is the team it is about, where there is one; with `budgeted` that team
 * caused it, such as an invitation or a notification: it counts against the team's budgets, and waits when they are used up.
 * `unhurried`: nobody waits for it; it is found when the worker next looks, within seconds, and its commit waits for no other.
 */
export type Mail = { to: string; subject: string; text: string; html: string; unhurried?: boolean } & (
  | { team?: string; budgeted?: never }
  | { team: string; budgeted: true }
);

/** Puts a mail into the caller's transaction: it is sent when that commits, and never when it does not. */
export async function queueMail(tx: Transaction, mail: Mail): Promise<void> {
  await tx.all(insertMail, {
    id: randomUUIDv7(),
    team: mail.team ?? null,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    budgeted: mail.budgeted ?? false,
    wake: !mail.unhurried,
  });
}
