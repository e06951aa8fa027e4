import { createHmac, randomBytes } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import { type Problem, problems } from '../problems.ts';
import { equalInConstantTime } from './tokens.ts';

/** OWASP's first choice for argon2id; RFC 9106. Memory in KiB. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
/** For codes of this service's own making: 55 random bits and the pepper carry them, and ten are hashed at a time (ASVS 5.0 6.5.2). */
const ofCodes = { memory: 4_096, passes: 1, parallelism: 1 };
const tagLength = 32;
/** argon2id, by the number the library gives it (its enum is a declaration without a value). */
const argon2id = 2;
/** How many results are handed back together while others wait. */
const maxTogether = 8;

/** The hashing queue is full: try again after so many seconds. */
export class OverloadedError extends Error {
  readonly retryAfterSeconds = 2;
  override readonly name = 'OverloadedError';
}

/** What a full queue means to a request: 503 with `Retry-After`. */
export function overloadedProblem(error: unknown): Problem | undefined {
  if (!(error instanceof OverloadedError)) return undefined;
  return problems.unavailable('Too many people are signing in at this moment. Try again in a few seconds.', {
    headers: { 'retry-after': String(error.retryAfterSeconds) },
  });
}

export type PasswordHasher = {
  /** A PHC string of the password under the current parameters. */
  hash(password: string): Promise<string>;
  /** The same of a code that this service made, at a cost that suits its randomness; {@link PasswordHasher.verify} takes it as well. */
  hashCode(code: string): Promise<string>;
  /** Compares; with no hash to compare to it costs the same and never matches, so that an unknown address takes as long. */
  verify(password: string, phc: string | undefined): Promise<boolean>;
  /** True when the hash was made with weaker parameters than the current ones, or names no pepper or another. */
  needsRehash(phc: string): boolean;
};

type Parsed = { memory: number; passes: number; parallelism: number; pepperId: string | undefined; salt: Buffer; tag: Buffer };

function parse(phc: string): Parsed | undefined {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)(?:,keyid=([\w+/]+))?\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (!found) return undefined;
  const [, m, t, p, pepperId, salt = '', tag = ''] = found;
  return {
    memory: Number(m),
    passes: Number(t),
    parallelism: Number(p),
    pepperId,
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const unpadded = (value: Buffer) => value.toString('base64').replaceAll('=', '');

/**
 * argon2id off the event loop: `concurrency` at once, `maxQueue` waiting, past that {@link OverloadedError} at once.
 * The pepper, kept outside the database, makes a stolen table useless alone (NIST SP 800-63B-4 §3.1.1.2); the `keyid` of
 * the PHC string says which pepper a hash was made with. argon2 runs on the threads of libuv, which files and name look-ups share: a
 * `concurrency` of 4 or more wants a larger UV_THREADPOOL_SIZE.
 */
export function createPasswordHasher(options: { concurrency: number; maxQueue: number; pepper: Buffer }): PasswordHasher {
  const pepperId = unpadded(createHmac('sha256', options.pepper).update('pepper id').digest().subarray(0, 6));
  let running = 0;
  const waiting: (() => void)[] = [];
  const finished: (() => void)[] = [];

  /**
   * Hands results back: as many together as still wait, at most {@link maxTogether}, so that nobody is kept for longer than
   * the queue keeps others. A hash leaves the caches of its processor empty; what follows it costs half as much when
   * several follow one another.
   */
  function handBack(): void {
    if (finished.length < Math.min(maxTogether, waiting.length)) return;
    for (const resolve of finished.splice(0)) resolve();
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= options.concurrency) {
      if (waiting.length >= options.maxQueue) throw new OverloadedError('too many passwords are being checked');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
      await new Promise<void>((resolve) => {
        finished.push(resolve);
        handBack();
      });
    }
  }

  function tagOf(password: string, salt: Buffer, cost: { memory: number; passes: number; parallelism: number }): Promise<Buffer> {
    const message = createHmac('sha256', options.pepper).update(password.normalize('NFKC')).digest();
    const { memory: memoryCost, passes: timeCost, parallelism } = cost;
    return inTurn(() => hashRaw(message, { algorithm: argon2id, memoryCost, timeCost, parallelism, outputLen: tagLength, salt }));
  }

  async function phcOf(text: string, cost: typeof current): Promise<string> {
    const salt = randomBytes(16);
    const tag = await tagOf(text, salt, cost);
    const { memory, passes, parallelism } = cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism},keyid=${pepperId}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  return {
    hash: (password) => phcOf(password, current),
    hashCode: (code) => phcOf(code, ofCodes),
    async verify(password, phc) {
      const parsed = phc === undefined ? undefined : parse(phc);
      const tag = await tagOf(password, parsed?.salt ?? randomBytes(16), parsed ?? current);
      return parsed !== undefined && equalInConstantTime(parsed.tag, tag);
    },
    needsRehash(phc) {
      const parsed = parse(phc);
      if (!parsed || parsed.pepperId !== pepperId) return true;
      return parsed.memory < current.memory || parsed.passes < current.passes || parsed.tag.length < tagLength;
    },
  };
}
