import { Type } from 'typebox';
import { teamStatements } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import { defineTeamJob, enqueue } from '../../platform/jobs/job.ts';
import { record } from '../../platform/journal/record.ts';
import { type MailBounced, recordBounce } from '../../platform/mail/jobs.ts';
import { bouncedMail, noteUndeliverable, type Rejection } from '../../platform/mail/undeliverable-queries.ts';
import { mailUndeliverable } from './events.ts';

/** Marks the address of a rejected mail as undeliverable for its team, and sends the event if it was deliverable before. */
export const bounceJob = defineTeamJob('mail-bounce', Type.Object({ mail: Type.String() }), { counted: false }, (inTeam, { mail: id }) =>
  inTeam(async (scope) => {
    const { db, team } = scope;
    const mail = await db.first(bouncedMail, { id });
    if (!mail) return;
    const { recipient: address, about, status, diagnostic, sent_at: sentAt } = mail;
    const noted = await db.first(noteUndeliverable, { team, address, status, diagnostic, sentAt, at: scope.now });
    if (noted?.is_new !== true) return;
    const member = await db.first(teamStatements.memberByEmail, { team, emailKey: address.toLowerCase() });
    await record(scope, mailUndeliverable, id, {
      status,
      diagnostic,
      ...(member ? { userId: member.id } : {}),
      ...(about === null ? {} : { resourceId: about }),
    });
  }),
);

/** Informs the team of a rejected mail in a transaction of its own. */
export const mailBounced: MailBounced = (db, team, mail) => enqueue({ db, team }, bounceJob, { mail });

/** Records the rejection of a mail by a report. Returns whether it is new. */
export const recordReport = (database: Database, mail: { id: string } & Rejection): Promise<boolean> =>
  database.asSystem('record the report of a mail server', (tx) => recordBounce(tx, mailBounced, mail));
