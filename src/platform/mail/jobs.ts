import { Type } from 'typebox';
import type { Database, Transaction } from '../database/database.ts';
import { defineJob, type JobOptions, type JobResult, PermanentFailure, type JobAttempt } from '../jobs/job.ts';
import { dropJobs, putOffJobs } from '../jobs/queries.ts';
import { fillMail } from './compose.ts';
import * as queries from './queries.ts';
import { MailError, type MailTransport, maxMailConnections } from './transport.ts';

/** Whether a mail about a thing of a team (`about` of a mail) may be sent still. */
export type MayMail = (team: string, about: string) => Promise<boolean>;

export type MailDependencies = {
  database: Database;
  /** Asked before a mail that a team has caused is sent: it may have waited for a budget or a mail server, and whom it is to may know less by now. */
  mayMail: MayMail;
  transport: MailTransport;
  /** The public address of the service. */
  baseUrl: string;
  /** Told which quota of a team is used up. */
  exceeded: (team: string, quota: string) => void;
};

const data = Type.Object({ mail: Type.String() });
type MailData = { mail: string };

/** Tried after 10 s, 40 s, … at most 6 hours, about two days in all. The transport gives up a server that is silent. */
const options: JobOptions<MailData> = {
  retries: 11,
  backoff: { first: 10, factor: 4, most: 6 * 3_600 },
  timeout: 300,
  concurrency: maxMailConnections / 2,
  onDiscard: (tx, { mail: id }, error) => tx.all(queries.markFailed, { id, error }),
};

/** Sends a mail about an account, which has no budget and waits for no other of its team. */
export const mailJob = defineJob('mail', data, { ...options, counted: false }, (deps: MailDependencies, { mail: id }) => send(deps, id));

/**
 * Sends a mail that a team has caused, when its budgets allow it. Of one team three at a time, and no more than about sixty a second: a mail takes
 * some milliseconds of a core, and a thousand of them are not in such a hurry that others should feel them.
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
 * Sends a mail, with one Message-ID at each try. What the server has taken is written down for as long as that takes, and not
 * sent again meanwhile; only a node that dies in between leaves a mail that is sent twice.
 */
async function send({ database, transport, mayMail, baseUrl }: MailDependencies, id: string, team?: string): Promise<JobResult> {
  const mail = await database.asSystem('read a mail', (tx) => tx.first(queries.mailToSend, { id }));
  if (!mail) return undefined;
  if (team !== undefined && mail.about !== null && !(await mayMail(team, mail.about)))
    return { write: (tx) => tx.all(queries.dropMail, { id }) };
  try {
    await transport.send({ id, ...textsOf(mail, baseUrl) });
  } catch (error) {
    if (error instanceof MailError && error.permanent) throw new PermanentFailure(error.message, { cause: error });
    throw error;
  }
  return { write: (tx) => tx.all(queries.markSent, { id }) };
}

/** Counts a mail against the budgets of its team; where one is used up, says when something of it is free again. */
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

/** What would find the same budget used up waits with it. */
async function putOffOthers(
  tx: Transaction,
  { team, id, isTeamBudget, at }: { team: string; id: string; isTeamBudget: boolean; at: Date },
): Promise<void> {
  const recipient = isTeamBudget ? null : ((await tx.first(queries.mailToSend, { id }))?.recipient ?? null);
  const ids = (await tx.all(queries.uncountedMails, { team, recipient })).map((mail) => mail.id);
  if (ids.length > 0) await tx.all(putOffJobs, { teams: ids.map(() => team), ids, at });
}

export type KeptMail = { to: string; subject: string; text: string; html: string; at: string };

/** Newest mails first, for the development mailbox; of one recipient when `to` is given. */
export async function readMailbox(database: Database, baseUrl: string, to: string | undefined): Promise<KeptMail[]> {
  const rows = await database.asSystem('show the development mailbox', (tx) => tx.all(queries.newestMails, { to: to ?? null }));
  return rows.map((row) => ({ ...textsOf(row, baseUrl), at: row.created_at }));
}

/** The recipient and the texts of a mail as it is sent. */
const textsOf = ({ recipient, subject, text_body: text, html_body: html, team }: queries.WrittenMail, baseUrl: string) => ({
  to: recipient,
  ...fillMail({ subject, text: text ?? '', html: html ?? '' }, baseUrl, team),
});

/** Drops what is older than 30 days. */
export async function dropOldMail(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 30 * 86_400_000);
  await database.asSystem('drop old mails', async (tx) => {
    await tx.all(dropJobs, { names: [mailJob.name, teamMailJob.name], before });
    await tx.all(queries.dropOldMails, { before: before.toISOString() });
    tx.send(queries.dropOldVisitorMails, {});
  });
}
