import type { Database, Reader, Transaction } from '../platform/database/database.ts';
import { hmac } from '../platform/crypto/tokens.ts';
import { addressBlock } from '../platform/http/client-ip.ts';
import { problems } from '../platform/problems.ts';
import { clearHits, countHit, countUnblocked, longestBlock } from './queries.ts';

/** A counted thing: `free` hits in `windowSeconds`, then a wait that doubles with each further one, up to the window. */
type Bucket = { key: Buffer; free: number; windowSeconds: number; firstWaitSeconds: number };

/** Counters in the database, by keyed hashes: they hold across nodes, and for addresses that have no account too. */
export type Throttle = {
  /** The buckets of a sign-in attempt; with `trusted`, a known device is not held up by what others do to its account. */
  signIn(emailKey: string, ip: string | undefined, trusted: 'known device' | 'unknown device'): [Bucket, ...Bucket[]];
  /** Codes of an address that is to be confirmed. A device that registered it has tries of its own, which no stranger uses up. */
  codeEntry(emailKey: string, device?: Buffer): Bucket[];
  /** The buckets of an API client that shows a wrong secret; a right one is never held up. */
  client(clientId: string, ip: string | undefined): Bucket[];
  mail(emailKey: string): Bucket[];
  /** A new code at most once a minute. */
  resend(emailKey: string): Bucket[];
  request(ip: string | undefined): Bucket[];
  /** Codes of a second factor, by person: a budget apart from that of the password, which succeeding does not renew. */
  secondFactor(account: string): Bucket[];
  /** Wrong invitation links, by where they come from. */
  invitationLink(ip: string | undefined): Bucket[];
  /** Invitations to one address: apart from its other mails, so that inviting cannot hold back a code or a reset. */
  invitationMail(emailKey: string): Bucket[];
  /** Invitations one team sends. */
  invitationsOf(team: string): Bucket[];
  /** Throws 429 with `Retry-After` while one of the buckets is blocked. */
  check(tx: Reader, buckets: Bucket[]): Promise<void>;
  /** The same where a statement of the caller's has asked for how long: by `blocked_seconds`, for these keys. */
  refuse(seconds: number | null): void;
  /**
   * Counts a failure, in a transaction of its own: a refusal that follows does not undo it. Throws 429, uncounted, when
   * failures that raced with this one block by now: what came at once learns no more than what comes one by one.
   */
  count(database: Database, buckets: Bucket[]): Promise<void>;
  /**
   * Resolves when the failures are counted that this process has met already. Before the last {@link Throttle.check} of a
   * right guess: it must not overtake wrong ones that were looked at before it. Outside of a transaction, since what it
   * waits for needs connections.
   */
  counted(buckets: Bucket[]): Promise<void>;
  /** Counts in the caller's transaction; true while every bucket is within what is free. */
  take(tx: Transaction, buckets: Bucket[]): Promise<boolean>;
  clear(tx: Transaction, buckets: Bucket[]): Promise<void>;
};

const hour = 3_600;
const day = 86_400;

/** What a statement takes of buckets. */
export const keysOf = (buckets: readonly Bucket[]) => buckets.map(({ key }) => key);

export function createThrottle(key: Buffer): Throttle {
  const name = (...parts: string[]) => hmac(key, ...parts);
  const block = (ip: string | undefined) => addressBlock(ip ?? 'unknown');

  const hit = (tx: Transaction, bucket: Bucket, how = countHit) =>
    tx.first(how, { key: bucket.key, free: bucket.free, window: bucket.windowSeconds, wait: bucket.firstWaitSeconds });
  const blockedFor = async (tx: Reader, buckets: Bucket[]) =>
    Math.ceil((await tx.first(longestBlock, { keys: keysOf(buckets) }))?.seconds ?? 0);
  const refuse = (seconds: number | null): void => {
    if (seconds !== null && seconds > 0) throw blocked(Math.ceil(seconds));
  };
  const blocked = (seconds: number) =>
    problems.rate_limited(`Too many failed attempts. Wait ${seconds} seconds and try again.`, {
      headers: { 'retry-after': String(seconds) },
    });

  /** The counts under way in this process, by key. */
  const counting = new Map<string, Set<Promise<unknown>>>();

  async function whileCounting<T>(buckets: Bucket[], work: Promise<T>): Promise<T> {
    const ended = work.catch(() => undefined);
    const names = buckets.map((bucket) => bucket.key.toString('hex'));
    for (const one of names) counting.set(one, (counting.get(one) ?? new Set()).add(ended));
    try {
      return await work;
    } finally {
      for (const one of names) {
        const all = counting.get(one);
        all?.delete(ended);
        if (all?.size === 0) counting.delete(one);
      }
    }
  }

  return {
    signIn: (emailKey, ip, trusted) => [
      { key: name('sign-in', emailKey, block(ip)), free: 5, windowSeconds: 900, firstWaitSeconds: 1 },
      { key: name('sign-in ip', block(ip)), free: 200, windowSeconds: 600, firstWaitSeconds: 600 },
      ...(trusted === 'known device'
        ? []
        : [{ key: name('sign-in address', emailKey), free: 100, windowSeconds: hour, firstWaitSeconds: hour }]),
    ],
    codeEntry: (emailKey, device) => [
      device === undefined
        ? { key: name('code', emailKey), free: 20, windowSeconds: day, firstWaitSeconds: day }
        : { key: name('code device', emailKey, device.toString('hex')), free: 10, windowSeconds: day, firstWaitSeconds: day },
    ],
    client: (clientId, ip) => [
      { key: name('client', clientId, block(ip)), free: 10, windowSeconds: 900, firstWaitSeconds: 1 },
      { key: name('client ip', block(ip)), free: 200, windowSeconds: 600, firstWaitSeconds: 600 },
    ],
    mail: (emailKey) => [
      { key: name('mail hour', emailKey), free: 5, windowSeconds: hour, firstWaitSeconds: hour },
      { key: name('mail day', emailKey), free: 20, windowSeconds: day, firstWaitSeconds: day },
    ],
    resend: (emailKey) => [{ key: name('mail minute', emailKey), free: 1, windowSeconds: 60, firstWaitSeconds: 60 }],
    request: (ip) => [{ key: name('request', block(ip)), free: 300, windowSeconds: hour, firstWaitSeconds: hour }],
    secondFactor: (account) => [{ key: name('second factor', account), free: 10, windowSeconds: 900, firstWaitSeconds: 900 }],
    invitationLink: (ip) => [{ key: name('invitation link', block(ip)), free: 30, windowSeconds: 600, firstWaitSeconds: 30 }],
    invitationMail: (emailKey) => [
      { key: name('invitation hour', emailKey), free: 5, windowSeconds: hour, firstWaitSeconds: hour },
      { key: name('invitation day', emailKey), free: 20, windowSeconds: day, firstWaitSeconds: day },
    ],
    invitationsOf: (team) => [{ key: name('invitations', team), free: 300, windowSeconds: day, firstWaitSeconds: day }],
    check: async (tx, buckets) => refuse(await blockedFor(tx, buckets)),
    refuse,
    async count(database, buckets) {
      const counts = database.withoutTeam(async (tx) => {
        const counted = await Promise.all(buckets.map((bucket) => hit(tx, bucket, countUnblocked)));
        return counted.every((row) => row !== undefined) ? 0 : Math.max(1, await blockedFor(tx, buckets));
      });
      refuse(await whileCounting(buckets, counts));
    },
    async counted(buckets) {
      await Promise.all(buckets.flatMap((bucket) => [...(counting.get(bucket.key.toString('hex')) ?? [])]));
    },
    async take(tx, buckets) {
      const taken = await Promise.all(buckets.map((bucket) => hit(tx, bucket)));
      return taken.every((row, index) => row !== undefined && row.hits <= (buckets[index]?.free ?? 0));
    },
    async clear(tx, buckets) {
      await tx.all(clearHits, { keys: keysOf(buckets) });
    },
  };
}
