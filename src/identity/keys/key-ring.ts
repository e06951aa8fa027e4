import { KeyObject, sign } from 'node:crypto';
import type { JWK } from 'jose';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/listen.ts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { createFirstKeys, type KeySettings, maintainKeys } from './jobs.ts';
import { importKey, openKeyBox } from './new-key.ts';
import { publishedKeys } from './queries.ts';
import { type Purpose, purposes, purposesOnDemand, reloadSeconds } from './rotation.ts';

/** A key for signing or for verification. */
export type RingKey = { kid: string; alg: string; key: CryptoKey };

/** The signing keys of the service as loaded by this process. */
export type KeyRing = {
  signer(purpose: Purpose): RingKey;
  /** Returns a published key of the purpose by its id: next, active or retired. */
  verifier(purpose: Purpose, kid: string): RingKey | undefined;
  /**
   * Returns a published key, and looks up an unknown key id in the database. Concurrent callers share
   * one read, and the next follows 30 seconds later, so that invented ids cannot cause many reads.
   */
  find(purpose: Purpose, kid: string): Promise<RingKey | undefined>;
  /** The public keys as a JSON Web Key Set (RFC 7517), the active key first. */
  publicKeys(purpose: Purpose): JWK[];
  /** Creates the keys of a purpose at its first use. */
  prepare(purpose: Purpose): Promise<void>;
  /** Unix time in milliseconds by the clock for all signing and verification. */
  now(): number;
  /** Reads the keys from the database. */
  reload(): Promise<void>;
};

type Imported = { publicKey: CryptoKey; privateKey: CryptoKey | undefined };
type Loaded = Imported & { kid: string; purpose: string; status: string; alg: string; jwk: JWK };

const unknownKeyCooldownMs = 30_000;

/**
 * Whether the published key belongs to the private one. Only the private key is
 * encrypted, so an attacker with write access could replace the published key.
 */
function isHalfOf(published: JWK, sealed: JWK): boolean {
  return (['kty', 'crv', 'x', 'y', 'n', 'e'] as const).every((member) => published[member] === sealed[member]);
}

type OpenedRing = { database: Database; box: ReturnType<typeof openKeyBox>; clock: () => number };

/** Opens the key ring. Creates the first keys if the database has none. */
export async function openKeyRing(
  database: Database,
  masterKey: MasterKey,
  settings: Pick<KeySettings, 'accessAlgorithm'> & Partial<KeySettings>,
  /** Monotonic clock in milliseconds for the cooldown. */
  clock: () => number = () => performance.now(),
): Promise<KeyRing> {
  const keys = new LoadedKeys({ database, box: openKeyBox(masterKey), clock });
  await keys.reload();
  if (!keys.isComplete()) {
    await maintainKeys(database, masterKey, { rotationDays: 90, ...settings });
    await keys.reload();
  }
  const first = new Map<Purpose, Promise<void>>();
  return {
    prepare(purpose) {
      if (keys.publicKeys(purpose).length > 0) return Promise.resolve();
      const creating =
        first.get(purpose) ??
        createFirstKeys(database, masterKey, { rotationDays: 90, ...settings }, purpose)
          .then(() => keys.reload())
          .finally(() => first.delete(purpose));
      first.set(purpose, creating);
      return creating;
    },
    signer: (purpose) => keys.signer(purpose),
    verifier: (purpose, kid) => keys.verifier(purpose, kid),
    find: (purpose, kid) => keys.find(purpose, kid),
    publicKeys: (purpose) => keys.publicKeys(purpose),
    now: () => database.clock.now(),
    reload: () => keys.reload(),
  };
}

/** The published keys from the last read of this process. */
class LoadedKeys {
  readonly #ring: OpenedRing;
  #keys: Loaded[] = [];
  /** The number of the last started read, and of the read whose keys are in use. */
  #asked = 0;
  #applied = 0;
  /** The pending read for unknown key ids, and the start time of the last one. */
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(ring: OpenedRing) {
    this.#ring = ring;
  }

  async reload(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const rows = await this.#ring.database.asSystem('load signing keys', (tx) => tx.all(publishedKeys, {}));
    const loaded = await Promise.all(
      rows.map(async ({ kid, purpose, status, alg, public_jwk, private_jwk }) => ({
        ...(await this.#load({ kid, alg, public_jwk, private_jwk })),
        kid,
        purpose,
        status,
        alg,
        jwk: public_jwk as JWK,
      })),
    );
    // If two reads overlap, the one that started later wins.
    if (mine < this.#applied) return;
    this.#applied = mine;
    this.#keys = loaded;
  }

  /** Whether each purpose of every service has an active and a next key. */
  isComplete(): boolean {
    return purposes.every(
      (purpose) =>
        purposesOnDemand.includes(purpose) ||
        ['active', 'next'].every((status) => this.#keys.some((key) => key.purpose === purpose && key.status === status)),
    );
  }

  signer(purpose: Purpose): RingKey {
    const found = this.#keys.find((key) => key.purpose === purpose && key.status === 'active');
    if (!found?.privateKey) throw new Error(`no active ${purpose} key exists`);
    return { kid: found.kid, alg: found.alg, key: found.privateKey };
  }

  verifier(purpose: Purpose, kid: string): RingKey | undefined {
    const found = this.#keys.find((key) => key.kid === kid && key.purpose === purpose);
    return found && { kid: found.kid, alg: found.alg, key: found.publicKey };
  }

  async find(purpose: Purpose, kid: string): Promise<RingKey | undefined> {
    if (this.#keys.some((key) => key.kid === kid)) return this.verifier(purpose, kid);
    if (!this.#looking && this.#ring.clock() - this.#lookedAt < unknownKeyCooldownMs) return undefined;
    await (this.#looking ?? this.#look());
    return this.verifier(purpose, kid);
  }

  publicKeys(purpose: Purpose): JWK[] {
    return this.#keys.filter((key) => key.purpose === purpose).map((key) => key.jwk);
  }

  /** Shares one read among concurrent callers. A failed read resets the cooldown, so that the next caller also gets the error. */
  #look(): Promise<void> {
    this.#lookedAt = this.#ring.clock();
    this.#looking ??= this.reload()
      .catch((error: unknown) => {
        this.#lookedAt = Number.NEGATIVE_INFINITY;
        throw error;
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #load(row: { kid: string; alg: string; public_jwk: unknown; private_jwk: Buffer | null }): Promise<Imported> {
    const known = this.#keys.find(({ kid }) => kid === row.kid);
    const published = row.public_jwk as JWK;
    const sealed = row.private_jwk === null ? undefined : this.#ring.box.open(row.kid, row.private_jwk);
    if (sealed && !isHalfOf(published, sealed))
      throw new Error(`the public key of signing key ${row.kid} does not match its private key: the row was altered`);
    const [publicKey, privateKey] = await Promise.all([
      known?.publicKey ?? importKey(published, row.alg),
      sealed && (known?.privateKey ?? importKey(sealed, row.alg)),
    ]);
    return { publicKey, privateKey };
  }
}

/**
 * Keeps a ring up to date. It reloads the keys at each notification, after a lost connection,
 * and every minute in case a notification was lost. Returns a function that stops it.
 */
export async function followKeys(ring: KeyRing, listener: Listener, log: Logger): Promise<() => void> {
  const renew = (): void => {
    ring.reload().catch((error: unknown) => log.warn({ err: error }, 'failed to reload the signing keys; retrying in a minute'));
  };
  await listener.on('signing_keys', renew);
  listener.onReconnect(renew);
  const timer = setInterval(renew, reloadSeconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Returns a function that signs bytes with the active Ed25519 key of a purpose (RFC 8032).
 * It is synchronous, because a signature takes less time than a hand-over to another thread.
 */
export function publicSigner(ring: KeyRing, purpose: Exclude<Purpose, 'access'>): (content: Buffer) => Buffer {
  let known: { kid: string; key: KeyObject } | undefined;
  return (content) => {
    const { kid, key } = ring.signer(purpose);
    if (known?.kid !== kid) known = { kid, key: KeyObject.from(key) };
    return sign(null, content, known.key);
  };
}
