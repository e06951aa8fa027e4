import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import {
  type Candidate,
  claimMails,
  dropOldMails,
  type DueMail,
  dueMails,
  extendLeases,
  type FoundMail,
  lockMails,
  markFailed,
  markSent,
  newestMails,
  putOffAddress,
  putOffTeam,
} from './queries.ts';
import { MailError, type MailTransport } from './transport.ts';

const atOnce = 10;
const lanesAtOnce = 64;
const pollMs = 5_000;
const maxAttempts = 12;
const firstLane = '00000000-0000-0000-0000-000000000000';

/** Seconds until the next try after failed try `attempt`: 10 s, 40 s, … at most 6 hours, about two days in all. */
function waitSeconds(attempt: number): number {
  return Math.min(6 * 3_600, 10 * 4 ** (attempt - 1));
}

type Exceeded = (team: string, quota: string) => void;

/** Which of the candidates may be sent; the budgets of the others are used up. */
function withinBudgets(candidates: readonly Candidate[]) {
  const ids: string[] = [];
  const counts = new Map<string, number>();
  const [teams, addresses] = [new Set<string>(), new Map<string, { team: string; recipient: string }>()];
  for (const { id, team_id: team, recipient, counted, team_left: teamLeft, address_left: addressLeft } of candidates) {
    if (counted || team === null || teamLeft === null || addressLeft === null) {
      ids.push(id);
      continue;
    }
    const address = `${team} ${recipient}`;
    const [ofTeam, toAddress] = [counts.get(team) ?? 0, counts.get(address) ?? 0];
    if (ofTeam >= teamLeft) teams.add(team);
    else if (toAddress >= addressLeft) addresses.set(address, { team, recipient });
    else {
      ids.push(id);
      counts.set(team, ofTeam + 1).set(address, toAddress + 1);
    }
  }
  return { ids, teams, addresses: [...addresses.values()] };
}

/** Takes what may be sent of the next due mails, and puts off those whose team has used up its budget. */
function takeMails(
  database: Database,
  exceeded: Exceeded,
  { leaseSeconds, ...search }: { limit: number; after: string; lanes: number; taken: string[]; leaseSeconds: number },
): Promise<{ mails: DueMail[]; found: number; seen: FoundMail | undefined }> {
  return database.asSystem('claim due mails', async (tx) => {
    await tx.all(lockMails, {});
    const rows = await tx.all(dueMails, search);
    const candidates = rows.flatMap((row) => (row.id === null ? [] : [row]));
    const { ids, teams, addresses } = withinBudgets(candidates);
    for (const team of teams) await tx.all(putOffTeam, { team });
    for (const address of addresses) await tx.all(putOffAddress, address);
    tx.afterCommit(() => {
      for (const team of teams) exceeded(team, 'mails');
      for (const { team } of addresses) exceeded(team, 'mailsToOneAddress');
    });
    const mails = ids.length === 0 ? [] : await tx.all(claimMails, { ids, leaseSeconds });
    return { mails, found: candidates.length, seen: rows[0] };
  });
}

export type MailWorker = { start(): Promise<void>; stop(): Promise<void> };

export type MailWorkerOptions = {
  database: Database;
  listener: Listener;
  transport: MailTransport;
  log: Logger;
  /** Told which quota of a team is used up. */
  exceeded?: Exceeded;
  /** How long a claimed mail belongs to this worker; extended as long as it has it in hand. */
  leaseSeconds?: number;
};

/**
 * Sends queued mail: woken by notification, polling as the fallback, over any number of nodes. What the server has taken
 * is remembered until it is written down, and neither claimed nor sent again meanwhile; only a worker that dies in
 * between leaves a mail that is sent twice, with one Message-ID.
 */
export function createMailWorker({
  database,
  listener,
  transport,
  log,
  exceeded = () => undefined,
  leaseSeconds = 120,
}: MailWorkerOptions): MailWorker {
  const sending = new Map<string, Promise<void>>();
  const taken = new Set<string>();
  let position = firstLane;
  let foundOnLap = false;
  let stopped = false;
  let running: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  let again = false;
  let timers: NodeJS.Timeout[] = [];

  async function send(mail: DueMail): Promise<void> {
    try {
      if (mail.attempts > maxAttempts) throw new MailError('every attempt to send it ended with its worker', true);
      const { id, recipient: to, subject, text_body: text, html_body: html } = mail;
      await transport.send({ id, to, subject, text: text ?? '', html: html ?? '' });
    } catch (error) {
      return notTaken(mail, error);
    }
    taken.add(mail.id);
    await writeDown();
  }

  async function notTaken(mail: DueMail, error: unknown): Promise<void> {
    const permanent = error instanceof MailError && error.permanent;
    const status = permanent || mail.attempts >= maxAttempts ? 'failed' : 'queued';
    const reason = error instanceof Error ? error.message.slice(0, 500) : 'unknown error';
    log.warn({ mailId: mail.id, attempts: mail.attempts, status, reason }, 'a mail could not be sent');
    await database
      .asSystem('reschedule a mail', (tx) =>
        tx.all(markFailed, { id: mail.id, error: reason, status, waitSeconds: waitSeconds(mail.attempts) }),
      )
      .catch((failure: unknown) => log.warn({ err: failure }, 'a mail could not be rescheduled; its lease will run out'));
  }

  /**
   * Whatever keeps it from being written down is tried again; the mail has gone out. One statement at a time: what is taken
   * meanwhile goes into the next, so that two of them never wait for each other's rows.
   */
  async function writeDown(): Promise<void> {
    if (taken.size > 0) await (writing ??= writeTaken());
  }

  async function writeTaken(): Promise<void> {
    try {
      while (taken.size > 0) {
        const ids = [...taken];
        await database.asSystem('mark mails as sent', (tx) => tx.all(markSent, { ids }));
        for (const id of ids) taken.delete(id);
      }
    } catch (error) {
      log.warn({ err: error, mails: taken.size }, 'mails that were sent could not be marked as sent; trying again');
    } finally {
      writing = undefined;
    }
  }

  /** Claims from the next teams; whether there may be more. */
  async function claim(): Promise<boolean> {
    const room = atOnce - sending.size;
    if (room <= 0) return false;
    const search = { limit: room, leaseSeconds, after: position, lanes: lanesAtOnce, taken: [...taken] };
    const { mails, found, seen } = await takeMails(database, exceeded, search);
    if (found > 0) foundOnLap = true;
    for (const mail of mails) {
      const work = send(mail).finally(() => {
        sending.delete(mail.id);
        wake();
      });
      sending.set(mail.id, work);
    }
    const lapDone = !seen?.last || seen.lanes < lanesAtOnce;
    position = lapDone ? firstLane : (seen.last ?? firstLane);
    if (!lapDone) return true;
    const more = foundOnLap;
    foundOnLap = false;
    return more;
  }

  async function drain(): Promise<void> {
    await writeDown();
    do {
      again = false;
      // Where the last lap was left may be its middle: one whole lap is made at least.
      foundOnLap = position !== firstLane;
      while (!stopped && (await claim()));
    } while (again && !stopped);
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

  function keepLeases(): void {
    const ids = [...sending.keys(), ...taken];
    if (ids.length === 0) return;
    database
      .asSystem('keep mails in hand', (tx) => tx.all(extendLeases, { ids, leaseSeconds }))
      .catch((error: unknown) => log.warn({ err: error }, 'the leases of mails in hand could not be extended'));
  }

  return {
    async start() {
      await listener.on('mail_due', wake);
      timers = [setInterval(wake, pollMs), setInterval(keepLeases, (leaseSeconds * 1_000) / 4)];
      wake();
    },
    async stop() {
      stopped = true;
      await running;
      await Promise.all(sending.values());
      for (let tries = 0; taken.size > 0 && tries < 20; tries += 1) {
        await writeDown();
        if (taken.size > 0) await sleep(500);
      }
      for (const timer of timers) clearInterval(timer);
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
