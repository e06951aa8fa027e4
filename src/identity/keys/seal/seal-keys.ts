import { createPrivateKey, type KeyObject, randomUUIDv7, X509Certificate } from 'node:crypto';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import type { SealedColumn } from '../../../platform/database/encrypted-column.ts';
import { recordAudit, serviceJournal } from '../../../platform/journal/record.ts';
import { keyRotated } from '../events.ts';
import { lockKeys } from '../queries.ts';
import type { Certified, Places } from './certificates.ts';
import * as queries from './queries.ts';

/** The name in seals, and the base address under which the authority publishes its files. */
export type SealSettings = { name: string; baseUrl: string };

/** The active certificate with its key, its authority and the revocation list. */
export type ActiveSeal = Certified & { authority: Buffer; revocations: Buffer };

/** The published authority, certificates and revocations. Undefined before the first seal. */
export type PublishedSeals = {
  authority: Buffer | undefined;
  revocations: Buffer | undefined;
  certificates: Buffer[];
  /** The active certificate. */
  active: Buffer | undefined;
  revoked: { certificate: Buffer; at: Date }[];
};

/** How the active certificate is replaced: `revoked` if an attacker may know its key. */
export type Renewal = 'renewed' | 'revoked';

const keyPurpose = 'seal-keys';
const placeOf = (table: string, id: string) => `${table} ${id}`;

/** The encrypted columns with private keys of seals. */
export const sealedSealKeys: SealedColumn[] = ['seal_authority', 'seal_certificate'].map((table) => ({
  table,
  column: 'private_key',
  key: { id: 'uuid' },
  purpose: keyPurpose,
  boundTo: ({ id = '' }) => placeOf(table, id),
}));

export const sealPaths = {
  authority: '/.well-known/seal-authority.pem',
  certificates: '/.well-known/seal-certificates.pem',
  revocations: '/.well-known/seal-revocations.crl',
} as const;

/** How long a revocation list is valid after the end of the certificate with which it was issued. PDF readers reject expired lists. */
const listLeewayMs = 90 * 86_400_000;

const keyOf = (der: Buffer): KeyObject => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
const derOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'pkcs8' });

/**
 * Returns the active certificate and its key. If there is none, creates them with the certificate authority, once for
 * all nodes.
 */
export async function activeSeal(database: Database, masterKey: MasterKey, settings: SealSettings): Promise<ActiveSeal> {
  const box = masterKey.box(keyPurpose);
  const read = async (tx: Transaction): Promise<ActiveSeal | undefined> => {
    const row = await tx.first(queries.activeSeal, {});
    return (
      row && {
        certificate: row.certificate,
        key: keyOf(box.open(row.private_key, placeOf('seal_certificate', row.id))),
        authority: row.authority,
        revocations: row.revocation_list,
      }
    );
  };
  const found = await database.asSystem('read the key of seals', read);
  if (found) return found;
  return database.asSystem('make the first seal key', async (tx) => {
    await tx.all(lockKeys, {});
    const meanwhile = await read(tx);
    if (meanwhile) return meanwhile;
    await issueNext(tx, masterKey, settings, { now: new Date(database.clock.now()), renewal: 'renewed' });
    const made = await read(tx);
    if (!made) throw new Error('the first seal key was not stored');
    return made;
  });
}

/** Replaces the active certificate and key, and issues a new revocation list. */
export async function renewSeal(database: Database, masterKey: MasterKey, settings: SealSettings, renewal: Renewal): Promise<Buffer> {
  return database.asSystem('renew the key of seals', async (tx) => {
    await tx.all(lockKeys, {});
    return issueNext(tx, masterKey, settings, { now: new Date(database.clock.now()), renewal });
  });
}

async function issueNext(
  tx: Transaction,
  masterKey: MasterKey,
  { name, baseUrl }: SealSettings,
  { now, renewal }: { now: Date; renewal: Renewal },
): Promise<Buffer> {
  // Loaded on demand, because few processes create certificates.
  const { makeAuthority, makeRevocationList, makeSeal } = await import('./certificates.ts');
  const box = masterKey.box(keyPurpose);
  const row = await tx.first(queries.authorityWithKey, {});
  const authority: Certified = row
    ? { certificate: row.certificate, key: keyOf(box.open(row.private_key, placeOf('seal_authority', row.id))) }
    : await makeAuthority(name, now);
  const at = new URL(baseUrl).origin;
  const places: Places = { authority: `${at}${sealPaths.authority}`, revocations: `${at}${sealPaths.revocations}` };
  const [previous] = await tx.all(queries.retireSeal, { revoked: renewal === 'revoked' });
  const seal = await makeSeal(name, authority, { now, places });
  const id = randomUUIDv7();
  const endsAt = new X509Certificate(seal.certificate).validToDate;
  const privateKey = box.seal(derOf(seal.key), placeOf('seal_certificate', id));
  await tx.all(queries.insertSeal, { id, certificate: seal.certificate, privateKey, endsAt });
  const number = (row?.list_number ?? 0) + 1;
  const list = await makeRevocationList(authority, {
    number,
    now,
    until: new Date(endsAt.getTime() + listLeewayMs),
    revoked: revokedOf(await tx.all(queries.sealCertificates, {})),
  });
  if (row) await tx.all(queries.keepRevocationList, { id: row.id, list, number });
  else await keepAuthority(tx, masterKey, authority, list);
  await recordAudit(serviceJournal(tx, { now, requestId: randomUUIDv7() }), keyRotated, id, {
    purpose: 'seal',
    reason: previous === undefined ? 'first' : renewal === 'revoked' ? 'compromised' : 'command',
    ...(previous === undefined ? {} : { previous: previous.id }),
  });
  return seal.certificate;
}

async function keepAuthority(tx: Transaction, masterKey: MasterKey, { certificate, key }: Certified, list: Buffer): Promise<void> {
  const id = randomUUIDv7();
  const privateKey = masterKey.box(keyPurpose).seal(derOf(key), placeOf('seal_authority', id));
  await tx.all(queries.insertAuthority, { id, certificate, privateKey, list });
}

function revokedOf(rows: readonly { certificate: Buffer; revoked_at: string | null }[]): { certificate: Buffer; at: Date }[] {
  return rows.flatMap(({ certificate, revoked_at: at }) => (at === null ? [] : [{ certificate, at: new Date(at) }]));
}

/** Returns all public data for verifying seals. */
export async function publishedSeals(database: Database): Promise<PublishedSeals> {
  return database.asSystem('publish the certificates of seals', async (tx) => {
    const authority = await tx.first(queries.publishedAuthority, {});
    const certificates = await tx.all(queries.sealCertificates, {});
    return {
      authority: authority?.certificate,
      revocations: authority?.revocation_list,
      certificates: certificates.map(({ certificate }) => certificate),
      active: certificates.find(({ status }) => status === 'active')?.certificate,
      revoked: revokedOf(certificates),
    };
  });
}
