import { randomUUIDv7 } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../platform/database/database.ts';
import type { MasterKey } from '../platform/crypto/master-key.ts';
import { open, seal } from '../platform/crypto/secretbox.ts';
import { allKeys, insertKey } from './queries.ts';

/** What a key signs: access tokens, or the audit journal's checkpoints. A key of one purpose is never taken for the other. */
export type Purpose = 'access' | 'witness';
export type AccessAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

export type SigningKey = { kid: string; alg: string; key: CryptoKey };
export type VerificationKey = { kid: string; alg: string; key: CryptoKey };

/** The service's signing keys as this process knows them. */
export type KeyRing = {
  /** The active key of a purpose. */
  signer(purpose: Purpose): SigningKey;
  /** A published key by its id: next, active or retired, of that purpose alone. */
  verifier(purpose: Purpose, kid: string): VerificationKey | undefined;
  /** Public halves, as a JSON Web Key Set shows them (RFC 7517). */
  publicKeys(purpose: Purpose): JWK[];
  /** Reads the keys again: after a rotation, or when a token names a key that is not known here. */
  reload(): Promise<void>;
};

type Loaded = { purpose: string; status: string; jwk: JWK; kid: string; alg: string; publicKey: CryptoKey; privateKey: CryptoKey };

const algorithms = { witness: 'EdDSA' } as const;

async function newKey(purpose: Purpose, alg: string, status: 'active' | 'next', boxKey: Buffer) {
  const pair = await generateKeyPair(alg, { extractable: true, ...(alg === 'EdDSA' ? { crv: 'Ed25519' } : {}) });
  const kid = randomUUIDv7();
  const publicJwk = { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' };
  return {
    kid,
    purpose,
    alg,
    publicJwk: JSON.stringify(publicJwk),
    privateJwk: seal(boxKey, JSON.stringify(await exportJWK(pair.privateKey)), `signing_key ${kid}`),
    status,
    activatedAt: status === 'active' ? new Date() : null,
  };
}

async function imported(jwk: JWK, alg: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array) throw new Error('a signing key is stored in a form that cannot sign');
  return key;
}

/** Whether the published key belongs to the private one, which alone is sealed: a forger could put up a key of theirs. */
function isHalfOf(published: JWK, sealed: JWK): boolean {
  return (['kty', 'crv', 'x', 'y', 'n', 'e'] as const).every((member) => published[member] === sealed[member]);
}

/** Opens the key ring, making the first key of each purpose when the database has none. */
export async function openKeyRing(
  database: Database,
  masterKey: MasterKey,
  options: { accessAlgorithm: AccessAlgorithm },
): Promise<KeyRing> {
  const boxKey = masterKey.derive('signing-keys');
  let keys: Loaded[] = [];

  async function reload(): Promise<void> {
    const rows = await database.asSystem('load signing keys', (tx) => tx.all(allKeys, {}));
    keys = await Promise.all(
      rows.map(async (row) => {
        const jwk = row.public_jwk as JWK;
        const privateJwk = JSON.parse(open(boxKey, row.private_jwk, `signing_key ${row.kid}`).toString()) as JWK;
        if (!isHalfOf(jwk, privateJwk))
          throw new Error(`the published half of the signing key ${row.kid} is not that of its private one: the row was altered`);
        const [publicKey, privateKey] = await Promise.all([imported(jwk, row.alg), imported(privateJwk, row.alg)]);
        return { purpose: row.purpose, status: row.status, jwk, kid: row.kid, alg: row.alg, publicKey, privateKey };
      }),
    );
  }

  await reload();
  const missing = (['access', 'witness'] as const).filter(
    (purpose) => !keys.some((key) => key.purpose === purpose && key.status === 'active'),
  );
  if (missing.length > 0) {
    const made = await Promise.all(
      missing.map((purpose) => newKey(purpose, purpose === 'access' ? options.accessAlgorithm : algorithms.witness, 'active', boxKey)),
    );
    await database.asSystem('make the first signing keys', (tx) => Promise.all(made.map((key) => tx.all(insertKey, key))));
    await reload();
  }

  return {
    signer(purpose) {
      const found = keys.find((key) => key.purpose === purpose && key.status === 'active');
      if (!found) throw new Error(`there is no active ${purpose} key`);
      return { kid: found.kid, alg: found.alg, key: found.privateKey };
    },
    verifier(purpose, kid) {
      const found = keys.find((key) => key.kid === kid && key.purpose === purpose);
      return found && { kid: found.kid, alg: found.alg, key: found.publicKey };
    },
    publicKeys: (purpose) => keys.filter((key) => key.purpose === purpose).map((key) => key.jwk),
    reload,
  };
}
