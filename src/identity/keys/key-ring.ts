import { KeyObject, sign } from 'node:crypto';
import type { JWK } from 'jose';
import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/listen.ts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import { type KeySettings, tendKeys } from './jobs.ts';
import { importKey, openKeyBox } from './new-key.ts';
import { publishedKeys } from './queries.ts';
import { type Purpose, purposes, reloadSeconds } from './rotation.ts';

/** A key of the ring: to sign, or to verify. */
export type RingKey = { kid: string; alg: string; key: CryptoKey };

/** The service's signing keys as this process knows them. */
export type KeyRing = {
  /** The active key of a purpose. */
  signer(purpose: Purpose): RingKey;
  /** A published key by its id: next, active or retired, of that purpose alone. */
  verifier(purpose: Purpose, kid: string): RingKey | undefined;
  /**
   * The same, but a key id that is not known here is looked for in the database: once for all who ask meanwhile, and then
   * not again for 30 seconds, so that a flood of invented ids costs one read.
   */
  find(purpose: Purpose, kid: string): Promise<RingKey | undefined>;
  /** Public halves, as a JSON Web Key Set shows them (RFC 7517); the one that signs first. */
  publicKeys(purpose: Purpose): JWK[];
  /** Unix milliseconds by the clock that all who sign and verify share. */
  now(): number;
  /** Reads the keys again. */
  reload(): Promise<void>;
};

type Imported = { publicKey: CryptoKey; privateKey: CryptoKey | undefined };
type Loaded = Imported & { kid: string; purpose: string; status: string; alg: string; jwk: JWK };

const unknownKeyCooldownMs = 30_000;

/** Whether the published key belongs to the private one, which alone is sealed: a forger could put up a key of theirs. */
function isHalfOf(published: JWK, sealed: JWK): boolean {
  return (['kty', 'crv', 'x', 'y', 'n', 'e'] as const).every((member) => published[member] === sealed[member]);
}

type OpenedRing = { database: Database; box: ReturnType<typeof openKeyBox>; clock: () => number };

/** Opens the key ring, making the first keys when the database has none. */
export async function openKeyRing(
  database: Database,
  masterKey: MasterKey,
  settings: Pick<KeySettings, 'accessAlgorithm'> & Partial<KeySettings>,
  /** Milliseconds that only go forward; what the cooldown is measured by. */
  clock: () => number = () => performance.now(),
): Promise<KeyRing> {
  const keys = new LoadedKeys({ database, box: openKeyBox(masterKey), clock });
  await keys.reload();
  if (!keys.isComplete()) {
    await tendKeys(database, masterKey, { rotationDays: 90, ...settings });
    await keys.reload();
  }
  return {
    signer: (purpose) => keys.signer(purpose),
    verifier: (purpose, kid) => keys.verifier(purpose, kid),
    find: (purpose, kid) => keys.find(purpose, kid),
    publicKeys: (purpose) => keys.publicKeys(purpose),
    now: () => database.clock.now(),
    reload: () => keys.reload(),
  };
}

/** The published keys as this process read them last. */
class LoadedKeys {
  readonly #ring: OpenedRing;
  #keys: Loaded[] = [];
  /** Reads that began, and the latest of them whose keys are in use. */
  #asked = 0;
  #applied = 0;
  /** The read for unknown key ids, and when the last one began. */
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
    // Of two reads that overtake one another, the later one counts.
    if (mine < this.#applied) return;
    this.#applied = mine;
    this.#keys = loaded;
  }

  /** Returns whether each purpose has a key that signs and one that will. */
  isComplete(): boolean {
    return purposes.every((purpose) =>
      ['active', 'next'].every((status) => this.#keys.some((key) => key.purpose === purpose && key.status === status)),
    );
  }

  signer(purpose: Purpose): RingKey {
    const found = this.#keys.find((key) => key.purpose === purpose && key.status === 'active');
    if (!found?.privateKey) throw new Error(`there is no active ${purpose} key`);
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

  /** One read for all who look at the same time. A read that failed does not count, so that its error shows again. */
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
      throw new Error(`the published half of the signing key ${row.kid} is not that of its private one: the row was altered`);
    const [publicKey, privateKey] = await Promise.all([
      known?.publicKey ?? importKey(published, row.alg),
      sealed && (known?.privateKey ?? importKey(sealed, row.alg)),
    ]);
    return { publicKey, privateKey };
  }
}

/**
 * Keeps a ring in step with the database: told of each change, and reading again after a lost connection and every minute,
 * so that a notification that went astray is made good. Returns what stops it.
 */
export async function followKeys(ring: KeyRing, listener: Listener, log: Logger): Promise<() => void> {
  const renew = (): void => {
    ring.reload().catch((error: unknown) => log.warn({ err: error }, 'the signing keys cannot be read again; trying in a minute'));
  };
  await listener.on('signing_keys', renew);
  listener.onReconnect(renew);
  const timer = setInterval(renew, reloadSeconds * 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Signs bytes with the active Ed25519 key of a purpose (RFC 8032), whichever that is at the moment. Synchronous: a
 * signature takes less than handing it to another thread would.
 */
export function publicSigner(ring: KeyRing, purpose: Exclude<Purpose, 'access'>): (content: Buffer) => Buffer {
  let known: { kid: string; key: KeyObject } | undefined;
  return (content) => {
    const { kid, key } = ring.signer(purpose);
    if (known?.kid !== kid) known = { kid, key: KeyObject.from(key) };
    return sign(null, content, known.key);
  };
}
