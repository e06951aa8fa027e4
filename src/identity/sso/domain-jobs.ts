import { randomUUIDv7 } from 'node:crypto';
import { managerContacts } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import type { PeriodicRun } from '../../platform/domain.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import type { SsoDependencies } from './context.ts';
import { recordName, recordValue } from './domains.ts';
import { domainExpired, domainProofMissing } from './events.ts';
import { domainMail, type DomainNotice } from './mails.ts';
import * as queries from './queries.ts';

const dayMs = 86_400_000;
/** Time that a domain stays verified after its record is first found missing. */
const graceMs = 14 * dayMs;
/** Maximum number of connections that one run checks. The next run checks the others. */
const maxConnections = 5_000;

export const domainCheckJob = 'sso-domain-check';

type DomainJobOptions = Pick<SsoDependencies, 'lookupText'> & { database: Database; listeners: readonly EventListener[] };

/**
 * Looks up the DNS record of each verified domain once a day. A missing record is reported to the team's administrators; after 14 days without it the
 * domain is unverified. A name server that does not respond has no effect.
 */
export async function checkDomains(options: DomainJobOptions, { now, isolation }: PeriodicRun): Promise<void> {
  const { database } = options;
  const due = await database.asSystem('find domains to check', (tx) =>
    tx.all(queries.connectionsToCheck, { before: new Date(now.getTime() - dayMs), limit: maxConnections }),
  );
  await isolation.each(domainCheckJob, due, ({ team, id }) => checkConnection(options, { team, id, now }));
}

async function checkConnection(
  { database, listeners, lookupText }: DomainJobOptions,
  { team, id, now }: { team: string; id: string; now: Date },
) {
  const row = await database.reader(team).first(queries.findConnection, { team, id });
  const verified = (row?.domains ?? []).filter(({ verifiedAt }) => verifiedAt !== undefined);
  // No transaction is open during the lookups.
  const found = await Promise.all(
    verified.map(async ({ domain, proof }) => ({ domain, proof, texts: await lookupText(recordName(domain)) })),
  );
  await database.inTeam(team, async (db) => {
    const scope: Scope = { db, team, actor: { type: 'system' }, now, requestId: randomUUIDv7(), listeners };
    for (const { domain, proof, texts } of found) {
      const one = { team, id, domain, proof, at: now };
      if (texts === undefined) await db.all(queries.recordUnansweredCheck, one);
      else if (texts.includes(recordValue(proof))) await db.all(queries.recordProofFound, one);
      else await recordMissing(scope, one);
    }
  });
}

async function recordMissing(scope: Scope, one: queries.CheckedDomain): Promise<void> {
  const missing = await scope.db.first(queries.recordProofMissing, { ...one, expiry: new Date(one.at.getTime() - graceMs) });
  if (!missing) return;
  const { domain, proof, id } = one;
  const expiresAt = new Date(Date.parse(missing.since) + graceMs);
  const notice = { domain, expiresAt, record: { name: recordName(domain), value: recordValue(proof) } };
  if (missing.expired) {
    await recordAudit(scope, domainExpired, id, { domain });
    await scope.db.all(queries.touchConnection, { team: scope.team, id, at: scope.now });
    await notifyManagers(scope, { ...notice, kind: 'expired' });
  } else if (missing.first) {
    await recordAudit(scope, domainProofMissing, id, { domain, expiresAt: expiresAt.toISOString() });
    await notifyManagers(scope, { ...notice, kind: 'missing' });
  }
}

async function notifyManagers({ db, team }: Scope, notice: DomainNotice): Promise<void> {
  for (const { email, locale } of await db.all(managerContacts, { team }))
    await queueMail(db, { ...domainMail(locale, notice), to: email, team, budgeted: true, lowPriority: true });
}
