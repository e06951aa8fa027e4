import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import { claimMails, dropOldMails, type DueMail, markFailed, markSent, newestMails } from './queries.ts';
import { MailError, type MailTransport } from './transport.ts';

const batch = 10;
const leaseSeconds = 120;
const pollMs = 5_000;
const maxAttempts = 12;

/** Seconds until the next try after failed try `attempt`: 10 s, 40 s, … at most 6 hours, about two days in all. */
function waitSeconds(attempt: number): number {
  return Math.min(6 * 3_600, 10 * 4 ** (attempt - 1));
}

export type MailWorker = { start(): Promise<void>; stop(): Promise<void> };

/** Sends queued mail: woken by notification, polling as the fallback, over any number of nodes. */
export function createMailWorker(options: { database: Database; listener: Listener; transport: MailTransport; log: Logger }): MailWorker {
  const { database, transport, log } = options;
  let stopped = false;
  let running: Promise<void> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  async function send(mail: DueMail): Promise<void> {
    try {
      await transport.send({ to: mail.recipient, subject: mail.subject, text: mail.text_body ?? '', html: mail.html_body ?? '' });
      await database.asSystem('mark a mail as sent', (tx) => tx.all(markSent, { id: mail.id }));
    } catch (error) {
      const permanent = error instanceof MailError && error.permanent;
      const status = permanent || mail.attempts >= maxAttempts ? 'failed' : 'queued';
      const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown error';
      log.warn({ mailId: mail.id, attempts: mail.attempts, status, reason }, 'a mail could not be sent');
      await database.asSystem('reschedule a mail', (tx) =>
        tx.all(markFailed, { id: mail.id, error: reason, status, waitSeconds: waitSeconds(mail.attempts) }),
      );
    }
  }

  async function drain(): Promise<void> {
    for (;;) {
      again = false;
      const due = await database.asSystem('claim due mails', (tx) => tx.all(claimMails, { limit: batch, leaseSeconds }));
      await Promise.all(due.map(send));
      if (stopped || (due.length === 0 && !again)) return;
    }
  }

  function wake(): void {
    again = true;
    if (stopped || running) return;
    running = drain()
      .catch((error: unknown) => log.warn({ err: error }, 'the mail queue could not be read; trying again'))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    async start() {
      await options.listener.on('mail_due', wake);
      timer = setInterval(wake, pollMs);
      wake();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      transport.close();
    },
  };
}

export type KeptMail = { to: string; subject: string; text: string; html: string; at: string };

/** Newest mails first, for the development mailbox; of one recipient when `to` is given. */
export async function readMailbox(database: Database, to: string | undefined): Promise<KeptMail[]> {
  const rows = await database.asSystem('show the development mailbox', (tx) => tx.all(newestMails, { to: to ?? null }));
  return rows.map((row) => ({
    to: row.recipient,
    subject: row.subject,
    text: row.text_body ?? '',
    html: row.html_body ?? '',
    at: row.created_at,
  }));
}

/** Drops what is older than 30 days. */
export async function dropOldMail(database: Database, now: Date): Promise<void> {
  await database.asSystem('drop old mails', (tx) =>
    tx.all(dropOldMails, { before: new Date(now.getTime() - 30 * 86_400_000).toISOString() }),
  );
}
