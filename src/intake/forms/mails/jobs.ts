import { type Static, Type } from 'typebox';
import { type Answers, resolveText, visibleFields, localesOf } from '#fields';
import { issuingTeam, teamAndMember } from '#teams';
import type { Database, Reader, Transaction } from '../../../platform/database/database.ts';
import { defineJob, enqueue, openJob, type OpenedJob, type JobResult, type JobAttempt } from '../../../platform/jobs/job.ts';
import { timeInWords } from '../../../platform/time-in-words.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { queueVisitorMail } from '../../../platform/mail/visitors.ts';
import type { Scope } from '../../../platform/scope.ts';
import { brandOfTeam, mailBrandOf } from '../branding/index.ts';
import { answersToBookings } from '../bookings.ts';
import type { Definition } from '../schemas.ts';
import * as queries from './queries.ts';
import { failuresMail, newsMail, receiptMail, templateMail } from './words.ts';

type MailJobDependencies = { baseUrl: string; database: Database; clock: () => Date };

/**
 * The minimum interval between notifications about one form: 2 minutes, so at most 30 an hour. Each mail states the number of
 * submissions.
 */
const newsEveryMs = 2 * 60_000;
/** The minimum interval between failure mails to the owner: one hour. */
const failuresEveryMs = 60 * 60_000;

const ofForm = Type.Object({ interface: Type.String() });

/** Returns when the next mail may be sent, or `undefined` if that is now. */
function notBefore(notifiedAt: string | null, everyMs: number, now: Date): Date | undefined {
  const next = notifiedAt === null ? 0 : Date.parse(notifiedAt) + everyMs;
  return next > now.getTime() ? new Date(next) : undefined;
}

/** Returns the owner and the title of a form for mails. Behind a barrier, the identifier replaces the title. */
async function formOf(reader: Reader, team: string, id: string) {
  const form = await answersToBookings.about(reader, team, id);
  return form && { ...form, title: form.barred ? id : form.title };
}

type FormMailing = {
  database: Database;
  reader: Reader;
  team: string;
  form: NonNullable<Awaited<ReturnType<typeof formOf>>>;
  now: () => Date;
};

/** Defines a job that mails about one form. The job does nothing if the form no longer exists. */
const formMailJob = (name: string, work: (mailing: FormMailing, id: string) => Promise<JobResult>) =>
  defineJob(
    name,
    ofForm,
    { counted: false },
    async ({ database, clock }: MailJobDependencies, { interface: id }, { team }: JobAttempt): Promise<JobResult> => {
      if (team === undefined) return undefined;
      const reader = database.reader(team);
      const form = await formOf(reader, team, id);
      return form && work({ database, reader, team, form, now: clock }, id);
    },
  );

/** Notifies the configured members of new submissions, as long as they can read submissions. */
const newsJob = formMailJob('submission-news', async ({ database, reader, team, form, now: clock }, id) => {
  const recipients = await notifiedMembers(reader, team, id);
  return database.inTeam(team, async (tx): Promise<JobResult> => {
    const count = await tx.first(queries.lockCount, { team, id });
    if (!count || count.taken <= count.notified) return undefined;
    const now = clock();
    const later = notBefore(count.notified_at, newsEveryMs, now);
    if (later) return { later };
    tx.send(queries.markNotified, { team, id, at: now });
    const said = { id, title: form.title, more: count.taken - count.notified, all: count.taken };
    for (const { email, locale } of recipients) await mailToTeam(tx, team, { to: email, ...newsMail(locale, said) });
    return undefined;
  });
});

async function notifiedMembers(reader: Reader, team: string, id: string): Promise<{ email: string; locale: string }[]> {
  const found: { email: string; locale: string }[] = [];
  for (const member of (await reader.first(queries.notifiedBy, { team, id }))?.notify ?? []) {
    if (!(await answersToBookings.reads(reader, team, id, member))) continue;
    const person = await reader.first(teamAndMember, { team, member });
    if (person?.email) found.push({ email: person.email, locale: person.locale ?? 'en' });
  }
  return found;
}

const mailToTeam = (tx: Transaction, team: string, mail: { to: string; subject: string; text: string; html: string }) =>
  queueMail(tx, { ...mail, team, budgeted: true, lowPriority: true });

/** Notifies the owner of a form of failed effects. */
const failuresJob = formMailJob('submission-failures', async ({ database, team, form, now: clock }, id) =>
  database.inTeam(team, async (tx): Promise<JobResult> => {
    const count = await tx.first(queries.lockCount, { team, id });
    const now = clock();
    const later = count && notBefore(count.failures_notified_at, failuresEveryMs, now);
    if (later) return { later };
    const rows = await tx.all(queries.failures, { team, id });
    if (rows.length === 0) return undefined;
    tx.send(queries.markFailuresNotified, { team, id, at: now });
    for (const { email, locale } of form.recipients)
      await mailToTeam(tx, team, { to: email, ...failuresMail(locale, { id, title: form.title, rows }) });
    return undefined;
  }),
);

/** A change of a template that a form names. */
const templateNews = Type.Object({
  interface: Type.String(),
  kind: Type.Enum(['workflow', 'document']),
  template: Type.String(),
  change: Type.Enum(['changed', 'deleted']),
});

/** Notifies the owner of a form of a changed or deleted template. */
const templateJob = defineJob(
  'form-template-news',
  templateNews,
  { counted: false },
  async (
    { database }: MailJobDependencies,
    { interface: id, ...said }: Static<typeof templateNews>,
    { team }: JobAttempt,
  ): Promise<JobResult> => {
    if (team === undefined) return undefined;
    const form = await formOf(database.reader(team), team, id);
    if (!form) return undefined;
    return {
      async write(tx) {
        for (const { email, locale } of form.recipients)
          await mailToTeam(tx, team, { to: email, ...templateMail(locale, { id, title: form.title, ...said }) });
      },
    };
  },
);

/** Enqueues the mail about one change of a template. */
export function notifyOfTemplate(scope: TeamScope, id: string, said: Omit<Static<typeof templateNews>, 'interface'>): void {
  enqueue(scope, templateJob, { interface: id, ...said });
}

/** Confirms to the visitor that the answers were received. */
const receiptJob = defineJob(
  'submission-receipt',
  Type.Object({ submission: Type.String() }),
  { counted: false },
  async ({ database, baseUrl }: MailJobDependencies, { submission: id }, { team }: JobAttempt): Promise<JobResult> => {
    if (team === undefined) return undefined;
    const reader = database.reader(team);
    const row = await reader.first(queries.submissionToConfirm, { team, id });
    const to = row?.data ? addressIn(row.definition, row.data) : undefined;
    const issuer = await reader.first(issuingTeam, { team });
    if (!row || to === undefined || !issuer) return undefined;
    const [first] = localesOf(row.definition);
    const locale = row.locale ?? first;
    const said = {
      title: resolveText(row.definition.title, locale, first),
      time: timeInWords(row.created_at, locale, issuer.time_zone),
      reference: id,
    };
    const mail = receiptMail(locale, said, mailBrandOf(baseUrl, await brandOfTeam(reader, team, issuer.name)));
    return {
      async write(tx) {
        // The lock makes an erasure wait, so that it finds and withdraws this mail. Nothing is sent if the erasure came first.
        if (await tx.first(queries.lockUnerasedSubmission, { team, id })) await queueVisitorMail(tx, team, { to, ...mail, about: id });
      },
    };
  },
);

/** Returns the first address in a visible email field. */
export function addressIn({ fields }: Pick<Definition, 'fields'>, values: Answers): string | undefined {
  const shown = visibleFields(fields, values);
  return fields
    .filter(({ id, type }) => type === 'email' && shown.has(id))
    .map(({ id }) => values[id])
    .find((value) => typeof value === 'string');
}

type TeamScope = Pick<Scope, 'db' | 'team'>;

/** Enqueues the notification of a submission. The caller must have locked the count of the form: see `lockTakenCount`. */
export function notifyOfSubmission(scope: TeamScope, id: string): void {
  enqueue(scope, newsJob, { interface: id }, { key: id });
}

/** Enqueues the failure mail and locks the count of the form for it. The caller must not acquire further locks. */
export async function notifyOfFailures(scope: TeamScope, id: string): Promise<void> {
  await scope.db.locked(queries.lockTakenCount, { team: scope.team, id }, async () =>
    enqueue(scope, failuresJob, { interface: id }, { key: id }),
  );
}

/** Enqueues the receipt for a visitor who gave an address. */
export function askForReceipt(scope: TeamScope, submission: string): void {
  enqueue(scope, receiptJob, { submission });
}

export const mailJobs = (deps: MailJobDependencies): OpenedJob[] => [
  openJob(newsJob, deps),
  openJob(failuresJob, deps),
  openJob(receiptJob, deps),
  openJob(templateJob, deps),
];
