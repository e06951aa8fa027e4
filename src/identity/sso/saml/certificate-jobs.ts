import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';
import type { PeriodicRun } from '../../../platform/domain.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { isSaml, type SamlConnection } from '../connection-kinds.ts';
import { findConnection, lockConnection, touchConnection } from '../queries.ts';
import { notifyManagers, recordCertificates } from './certificate-notices.ts';
import { maxCertificates, type ProviderCertificate, readCertificate } from './certificates.ts';
import * as queries from './queries.ts';
import { fetchProvider, type MetadataReader, putCertificates } from './settings.ts';

const dayMs = 86_400_000;
/** Maximum number of connections that one run reads. The next run reads the others. */
const maxConnections = 5_000;
/** The days before the end of the last certificate at which administrators get a mail. */
const noticeDays = [1, 7, 30] as const;

export const metadataJob = 'saml-metadata';
export const endingJob = 'saml-certificates';

type Options = { database: Database; listeners: readonly EventListener[] };

/**
 * Reads the metadata of providers from their addresses once a day. New certificates are added and reported to the team’s administrators. Metadata that
 * cannot be read, or belong to another provider, change nothing.
 */
export async function readMetadataAgain(options: Options & { sso: MetadataReader }, { now, isolation }: PeriodicRun): Promise<void> {
  const due = await options.database.asSystem('find SAML metadata to read', (tx) =>
    tx.all(queries.metadataToRead, { before: new Date(now.getTime() - dayMs), limit: maxConnections }),
  );
  await isolation.each(metadataJob, due, ({ team, id }) => readAgain(options, { team, id, now }));
}

type ConnectionRun = { team: string; id: string; now: Date };

async function readAgain({ database, listeners, sso }: Options & { sso: MetadataReader }, { team, id, now }: ConnectionRun): Promise<void> {
  const row = await database.reader(team).first(findConnection, { team, id });
  const url = row?.saml?.metadataUrl;
  if (!row || url === undefined) return;
  // No transaction is open during the request. A provider that cannot be read now is read again tomorrow.
  const provider = await fetchProvider(sso, team, url, now.getTime()).catch(() => undefined);
  await database.inTeam(team, async (db) => {
    const scope: Scope = { db, team, actor: { type: 'system' }, now, requestId: randomUUIDv7(), listeners };
    const kept = await db.first(lockConnection, { team, id });
    // An administrator has changed the connection during the request.
    if (!kept || !isSaml(kept) || kept.version !== row.version) return;
    await db.all(queries.noteRead, { team, id, at: now });
    if (provider?.issuer === kept.issuer) await addCertificates(scope, kept, provider.certificates);
  });
}

/** Adds the certificates of the metadata. Above the limit, those that the metadata no longer name and that end first are removed. */
async function addCertificates(scope: Scope, kept: SamlConnection, named: readonly ProviderCertificate[]): Promise<void> {
  const { id, saml } = kept;
  const isNamed = (one: ProviderCertificate) => named.some(({ fingerprint }) => fingerprint.equals(one.fingerprint));
  const stored = saml.certificates.map(({ certificate }) => readCertificate(certificate)).filter((one) => 'fingerprint' in one);
  const added = named.filter((one) => !stored.some(({ fingerprint }) => fingerprint.equals(one.fingerprint)));
  if (added.length === 0) return;
  const others = stored.filter((one) => !isNamed(one)).toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  putCertificates(scope, id, [...named, ...others].slice(0, maxCertificates));
  await scope.db.all(touchConnection, { team: scope.team, id, at: scope.now });
  await recordCertificates(scope, kept, { certificates: added, by: 'metadata' });
}

/** Reports that the last certificate of a provider ends in 30, 7 and 1 days. An ended certificate still verifies, because providers may continue to use it. */
export async function noticeEndings(options: Options, { now, isolation }: PeriodicRun): Promise<void> {
  const before = new Date(now.getTime() + Math.max(...noticeDays) * dayMs);
  const due = await options.database.asSystem('find ending certificates', (tx) =>
    tx.all(queries.connectionsEnding, { before, limit: maxConnections }),
  );
  await isolation.each(endingJob, due, ({ team, id }) => noticeEnding(options, { team, id, now }));
}

async function noticeEnding({ database, listeners }: Options, { team, id, now }: ConnectionRun): Promise<void> {
  await database.inTeam(team, async (db) => {
    const kept = await db.first(lockConnection, { team, id });
    const last = kept?.saml?.certificates.at(-1);
    if (!kept || !last) return;
    const endsAt = new Date(last.endsAt);
    const days = noticeDays.find((each) => endsAt.getTime() - now.getTime() <= each * dayMs);
    if (days === undefined || !(await db.first(queries.noteEnding, { team, id, days }))) return;
    const scope: Scope = { db, team, actor: { type: 'system' }, now, requestId: randomUUIDv7(), listeners };
    await notifyManagers(scope, { kind: 'ending', issuer: kept.issuer, endsAt });
  });
}
