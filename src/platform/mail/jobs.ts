import { Type } from 'typebox';
import type { Database, Transaction } from '../database/database.ts';
import { inSpan, SpanKind } from '../telemetry/tracing.ts';
import { defineJob, type JobOptions, type JobResult, PermanentFailure, type JobAttempt } from '../jobs/job.ts';
import { dropJobs, postponeJobs } from '../jobs/queries.ts';
import { fillMail, type MailAddresses } from './compose.ts';
import * as queries from './queries.ts';
import { clearDelivered, dropOldUndeliverable, markBounced, type Rejection } from './undeliverable-queries.ts';
import { MailError, type MailTransport, maxMailConnections } from './transport.ts';

/** Returns whether a mail about a resource of a team (`about`) may still be sent. */
export type MayMail = (team: string, about: string) => Promise<boolean>;

/** Called in the transaction that records the rejection of a mail of a team. */
export type MailBounced = (tx: Transaction, team: string, mail: string) => void;

export type MailDependencies = {
  database: Database;
  /** Called before a mail of a team is sent. The mail may have waited for a budget or the mail server, and the recipient may have lost access. */
  mayMail: MayMail;
  bounced: MailBounced;
  transport: MailTransport;
  addresses: MailAddresses;
  /** Called when a team exceeds a quota. */
  exceeded: (team: string, quota: string) => void;
};

const data = Type.Object({ mail: Type.String() });
type MailData = { mail: string };

/** Retries after 10 s, 40 s, and so on, at most 6 hours each, for about two days in total. The transport closes connections to a silent server. */
const options: JobOptions<MailData> = {
  retries: 11,
  backoff: { first: 10, factor: 4, most: 6 * 3_600 },
  timeout: 300,
  concurrency: maxMailConnections / 2,
  onDiscard: (tx, { mail: id }, error) => tx.all(queries.markFailed, { id, error }),
};

/** Sends a mail about an account. It counts against no budget and does not wait for other mails of a team. */
export const mailJob = defineJob('mail', data, { ...options, counted: false }, (deps: MailDependencies, { mail: id }) => send(deps, id));

/**
 * Sends a mail of a team within its budgets. At most three mails of a team are sent at the same time, and about sixty per second. A mail takes
 * some milliseconds of CPU time, and a thousand mails must not slow down other work.
 */
export const teamMailJob = defineJob(
  'team-mail',
  data,
  { ...options, maxPerTeam: 3, minSlotMs: 50 },
  async (deps: MailDependencies, { mail: id }, { team }: JobAttempt) => {
    const later = team === undefined ? undefined : await spend(deps, team, id);
    return later ? { later } : send(deps, id, team);
  },
);

/**
 * Sends a mail with the same Message-ID at each attempt. After the server accepted the mail, Chancery retries only the record of this until it
 * succeeds. The mail is sent twice only if the node fails before that.
 */
async function send({ database, transport, mayMail, addresses, bounced }: MailDependencies, id: string, team?: string): Promise<JobResult> {
  const mail = await database.asSystem('read a mail', (tx) => tx.first(queries.mailToSend, { id }));
  if (!mail) return undefined;
  if (team !== undefined && mail.about !== null && !(await mayMail(team, mail.about)))
    return { write: (tx) => tx.all(queries.dropMail, { id }) };
  try {
    await inSpan({ name: 'send mail', kind: SpanKind.CLIENT, attributes: {} }, () => transport.send({ id, ...textsOf(mail, addresses) }));
  } catch (error) {
    if (!(error instanceof MailError && error.permanent)) throw error;
    const { rejection } = error;
    if (rejection) await database.asSystem('record a rejected mail', (tx) => recordBounce(tx, bounced, { id, ...rejection }));
    throw new PermanentFailure(error.message, { cause: error });
  }
  return { write: (tx) => tx.all(queries.markSent, { id }) };
}

/**
 * Records that a mail was rejected, and informs its team. Returns false if it was recorded before, or if the mail was
 * withdrawn.
 */
export async function recordBounce(tx: Transaction, bounced: MailBounced, mail: { id: string } & Rejection): Promise<boolean> {
  const row = await tx.first(markBounced, mail);
  if (row && row.team !== null) bounced(tx, row.team, mail.id);
  return row !== undefined;
}

/** Counts a mail against the budgets of its team. If a budget is used up, returns the time when a part of it is available again. */
function spend({ database, exceeded }: MailDependencies, team: string, id: string): Promise<Date | undefined> {
  return database.asSystem('count a mail', async (tx) => {
    await tx.all(queries.lockBudget, { team });
    const budget = await tx.first(queries.budgetOf, { id });
    if (!budget || budget.counted) return undefined;
    if (budget.team_left > 0 && budget.address_left > 0) {
      tx.send(queries.countMail, { id });
      return undefined;
    }
    const isTeamBudget = budget.team_left <= 0;
    const at = new Date(Math.max(Date.parse(isTeamBudget ? budget.team_free_at : budget.address_free_at), database.clock.now() + 1_000));
    await putOffOthers(tx, { team, id, isTeamBudget, at });
    tx.afterCommit(() => exceeded(team, isTeamBudget ? 'mails' : 'mailsToOneAddress'));
    return at;
  });
}

/** Delays all mails for which the same budget is used up. */
async function putOffOthers(
  tx: Transaction,
  { team, id, isTeamBudget, at }: { team: string; id: string; isTeamBudget: boolean; at: Date },
): Promise<void> {
  const recipient = isTeamBudget ? null : ((await tx.first(queries.mailToSend, { id }))?.recipient ?? null);
  const ids = (await tx.all(queries.uncountedMails, { team, recipient })).map((mail) => mail.id);
  if (ids.length > 0) await tx.all(postponeJobs, { teams: ids.map(() => team), ids, at });
}

export type KeptMail = { to: string; subject: string; text: string; html: string; at: string };

/** Returns the newest mails for the development mailbox, optionally of one recipient. */
export async function readMailbox(database: Database, addresses: MailAddresses, to: string | undefined): Promise<KeptMail[]> {
  const rows = await database.asSystem('show the development mailbox', (tx) => tx.all(queries.newestMails, { to: to ?? null }));
  return rows.map((row) => ({ ...textsOf(row, addresses), at: row.created_at }));
}

/** Returns the recipient and the texts of a mail as it is sent. */
const textsOf = ({ recipient, subject, text_body: text, html_body: html, team }: queries.WrittenMail, addresses: MailAddresses) => ({
  to: recipient,
  ...fillMail({ subject, text: text ?? '', html: html ?? '' }, addresses, team),
});

/** Clears undeliverable addresses that accept mail again. Deletes mails and their jobs after 30 days. */
export async function dropOldMail(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  await database.asSystem('delete old mails', async (tx) => {
    await tx.all(clearDelivered, { now });
    tx.send(dropOldUndeliverable, { now });
    await tx.all(dropJobs, { names: [mailJob.name, teamMailJob.name], before });
    await tx.all(queries.dropOldMails, { before: before.toISOString() });
    tx.send(queries.dropOldVisitorMails, {});
  });
}
