import type { Database, Reader, Transaction } from '../../platform/database/database.ts';
import { hmac } from '../../platform/crypto/tokens.ts';
import { addressBlock } from '../../platform/http/client-ip.ts';
import { problems } from '../../platform/problems.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { clearHits, countHit, countUnblocked, longestBlock } from './throttle-queries.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * A counted thing: `free` hits in `windowSeconds`, then a wait that doubles with each further one, up to the window.
 * `notifies`: its owner is told by mail once it is used up.
 */
export type Bucket = { key: Buffer; free: number; windowSeconds: number; firstWaitSeconds: number; notifies?: true };

/** What mails are counted by, each kind apart, so that asking for one never holds back another. */
export type MailKind = 'registration' | 'new code' | 'reset' | 'email change';

/** Who asks for a mail: a device that is known to belong to the address, or a place or account that anybody may have. */
export type Asker = { known: string } | { place: string };

/** Counters in the database, by keyed hashes: they hold across nodes, and for addresses that have no account too. */
export type Throttle = {
  /**
   * The buckets of a sign-in attempt. Known devices and strangers are counted apart, each with a cap of the account wherever
   * they come from: neither uses up what the other has.
   */
  signIn(emailKey: string, ip: string | undefined, who: 'known device' | 'unknown device'): [Bucket, ...Bucket[]];
  /** The password of somebody who is signed in: as at the sign-in, with a cap of the account wherever the guesses come from. */
  reauthenticate(emailKey: string, ip: string | undefined, account: string): [Bucket, ...Bucket[]];
  /** Codes of an address that is to be confirmed. A device that registered it has tries of its own, which no stranger uses up. */
  codeEntry(emailKey: string, device?: Buffer): Bucket[];
  /** Codes of an address that an account is to change to: by account, and by address over all accounts. */
  changeOfAddress(account: string, emailKey: string): Bucket[];
  /** The buckets of an API client that shows a wrong secret; a right one is never held up. */
  client(clientId: string, ip: string | undefined): Bucket[];
  request(ip: string | undefined): Bucket[];
  /** Codes of a second factor, by person: a budget apart from that of the password, which succeeding does not renew. */
  secondFactor(account: string): Bucket[];
  /** Wrong codes in a row of one authenticator: after so many it takes none (NIST SP 800-63B §3.2.2). */
  inARow(account: string, authenticator: 'app' | 'backup codes'): Bucket;
  /** A mail that tells an account's owner of guessing: one a day of a sort. */
  notice(account: string, what: string): Bucket[];
  /** Wrong invitation links, by where they come from. */
  invitationLink(ip: string | undefined): Bucket[];
  /** Answers of providers that are refused, by the connection that they are given for and where they come from. */
  refusedAnswer(connection: string, ip: string | undefined): Bucket[];
  /** Codes of documents that are none, by where they are asked from. */
  verificationCode(ip: string | undefined): Bucket[];
  /** Programs of persons that register themselves, or whose documents are fetched, by who has that done. */
  connectedApp(what: 'registered' | 'fetched', ip: string | undefined): Bucket[];
  /** Invitations to one address: apart from its other mails, so that inviting cannot hold back a code or a reset. */
  invitationMail(emailKey: string): Bucket[];
  /** Invitations one team sends. */
  invitationsOf(team: string): Bucket[];
  /**
   * Whether an address may be sent a mail that somebody asks for; counts it. Each asker has a budget of their own, and a
   * known device nothing else: what strangers ask for is never why its mail is dropped. Of all others together an address
   * gets 20 mails a day, and past that the first one of a place that has asked for none today, up to 50.
   */
  mayMail(tx: Transaction, kind: MailKind, emailKey: string, asker: Asker): Promise<boolean>;
  /** Throws 429 with `Retry-After` while one of the buckets is blocked. */
  check(tx: Reader, buckets: Bucket[]): Promise<void>;
  /** Whether one of the buckets is used up. */
  blocked(tx: Reader, buckets: Bucket[]): Promise<boolean>;
  /** The same where a statement of the caller's has asked for how long: by `blocked_seconds`, for these keys. */
  refuse(seconds: number | null): void;
  /**
   * Counts a failure, in a transaction of its own: a refusal that follows does not undo it. Throws 429, uncounted, when
   * failures that raced with this one block by now: what came at once learns no more than what comes one by one. True when
   * this one has used up a bucket whose owner is told.
   */
  count(database: Database, buckets: Bucket[]): Promise<boolean>;
  /**
   * Looks at a guess of a secret, outside of a transaction, since what is waited for needs connections. True where `matches`
   * says so, once all guesses of these buckets are counted that this process began to look at before: a right one must not
   * overtake wrong ones, and the caller asks once more whether they block. Where it does not match, `wrong` runs, and counts
   * the failure by what it is given.
   */
  guess(
    database: Database,
    buckets: Bucket[],
    matches: () => Promise<boolean>,
    wrong: (count: () => Promise<boolean>) => Promise<void>,
  ): Promise<boolean>;
  /** Counts in the caller's transaction; true while every bucket is within what is free. */
  take(tx: Transaction, buckets: Bucket[]): Promise<boolean>;
  /**
   * Spends a try before anything is looked at, so that no number of requests at once gets more than the budget. Returns how
   * many were spent of each. Throws 429, uncounted, when one is used up.
   */
  spend(tx: Transaction, buckets: Bucket[]): Promise<number[]>;
  clear(tx: Transaction, buckets: Bucket[]): Promise<void>;
};

const hour = 3_600;
const day = 86_400;
const year = 365 * day;
/** Mails to one address a day, of one kind, that unknown places ask for; and with the first of each place. */
const mailsADay = { asked: 20, first: 50 };

/** What a statement takes of buckets. */
export const keysOf = (buckets: readonly Bucket[]) => buckets.map(({ key }) => key);

type Name = (...parts: string[]) => Buffer;
type Buckets = Omit<Throttle, 'mayMail' | 'check' | 'blocked' | 'refuse' | 'count' | 'guess' | 'take' | 'spend' | 'clear'>;

export function createThrottle(key: Buffer): Throttle {
  const name: Name = (...parts) => hmac(key, ...parts);
  const inTurn = createKeyedQueue();
  return {
    ...bucketsNamed(name),
    mayMail: (tx, kind, emailKey, asker) => mayMail(tx, (...parts) => name('mail', kind, emailKey, ...parts), kind, asker),
    blocked: async (tx, buckets) => (await blockedFor(tx, buckets)) > 0,
    check: async (tx, buckets) => refuse(await blockedFor(tx, buckets)),
    refuse,
    count,
    guess: (database, buckets, matches, wrong) =>
      inTurn(keysOf(buckets), async (turn) => {
        if (await matches()) {
          turn.done();
          await turn.earlier;
          return true;
        }
        await wrong(() => count(database, buckets).finally(turn.done));
        return false;
      }),
    async take(tx, buckets) {
      const taken = await hitAll(tx, buckets);
      return taken.every((row, index) => row !== undefined && row.hits <= (buckets[index]?.free ?? 0));
    },
    async spend(tx, buckets) {
      refuse(await blockedFor(tx, buckets));
      const spent = (await hitAll(tx, buckets)).map((row) => row?.hits ?? 0);
      const over = buckets.find((bucket, index) => (spent[index] ?? 0) > bucket.free);
      if (over) throw tooMany(over.windowSeconds);
      return spent;
    },
    async clear(tx, buckets) {
      await tx.all(clearHits, { keys: keysOf(buckets) });
    },
  };
}

const limit = (key: Buffer, free: number, windowSeconds: number, firstWaitSeconds = windowSeconds): Bucket => ({
  key,
  free,
  windowSeconds,
  firstWaitSeconds,
});
const block = (ip: string | undefined) => addressBlock(ip ?? 'unknown');

function bucketsNamed(name: Name): Buckets {
  const passwordFrom = (emailKey: string, ip: string | undefined): [Bucket, Bucket] => [
    limit(name('sign-in', emailKey, block(ip)), 5, 900, 1),
    limit(name('sign-in ip', block(ip)), 200, 600),
  ];
  return {
    signIn: (emailKey, ip, who) => [
      ...passwordFrom(emailKey, ip),
      { ...limit(name(who === 'known device' ? 'sign-in known' : 'sign-in address', emailKey), 100, hour), notifies: true },
    ],
    reauthenticate: (emailKey, ip, account) => [
      ...passwordFrom(emailKey, ip),
      { ...limit(name('reauthenticate', account), 20, hour), notifies: true },
    ],
    codeEntry: (emailKey, device) => [
      device === undefined ? limit(name('code', emailKey), 20, day) : limit(name('code device', emailKey, device.toString('hex')), 10, day),
    ],
    changeOfAddress: (account, emailKey) => [
      limit(name('change code', account), 20, day),
      limit(name('change code address', emailKey), 50, day),
    ],
    client: (clientId, ip) => [limit(name('client', clientId, block(ip)), 10, 900, 1), limit(name('client ip', block(ip)), 200, 600)],
    request: (ip) => [limit(name('request', block(ip)), 300, hour)],
    secondFactor: (account) => [limit(name('second factor', account), 10, 900)],
    inARow: (account, authenticator) => limit(name('in a row', authenticator, account), 100, year),
    notice: (account, what) => [limit(name('notice', what, account), 1, day)],
    invitationLink: (ip) => [limit(name('invitation link', block(ip)), 30, 600, 30)],
    refusedAnswer: (connection, ip) => [limit(name('refused answer', connection, block(ip)), 30, 600, 30)],
    verificationCode: (ip) => [limit(name('verification code', block(ip)), 30, hour)],
    connectedApp: (what, ip) => [limit(name(`program ${what}`, block(ip)), 30, hour)],
    invitationMail: (emailKey) => [limit(name('invitation hour', emailKey), 5, hour), limit(name('invitation day', emailKey), 20, day)],
    invitationsOf: (team) => [limit(name('invitations', team), 300, day)],
  };
}

const hit = (tx: Transaction, bucket: Bucket, how = countHit) =>
  tx.first(how, { key: bucket.key, free: bucket.free, window: bucket.windowSeconds, wait: bucket.firstWaitSeconds });

/**
 * Hits of several, in their order. They are held until the transaction ends: all who hold several take them in the order of
 * the keys, or they would wait for one another.
 */
async function hitAll(tx: Transaction, buckets: readonly Bucket[], how = countHit) {
  const sorted = buckets.toSorted((a, b) => Buffer.compare(a.key, b.key));
  const rowOf = new Map<Bucket, { hits: number } | undefined>();
  await pipelined(sorted.map((bucket) => async () => rowOf.set(bucket, await hit(tx, bucket, how))));
  return buckets.map((bucket) => rowOf.get(bucket));
}

const blockedFor = async (tx: Reader, buckets: Bucket[]) =>
  Math.ceil((await tx.first(longestBlock, { keys: keysOf(buckets) }))?.seconds ?? 0);

const tooMany = (seconds: number) =>
  problems.rate_limited(`Too many failed attempts. Wait ${seconds} seconds and try again.`, {
    headers: { 'retry-after': String(seconds) },
  });

function refuse(seconds: number | null): void {
  if (seconds !== null && seconds > 0) throw tooMany(Math.ceil(seconds));
}

async function count(database: Database, buckets: Bucket[]): Promise<boolean> {
  const { notifies, wait } = await database.withoutTeam(async (tx) => {
    const counted = await hitAll(tx, buckets, countUnblocked);
    const used = buckets.some((bucket, index) => bucket.notifies === true && counted[index]?.hits === bucket.free);
    return { notifies: used, wait: counted.every((row) => row !== undefined) ? 0 : Math.max(1, await blockedFor(tx, buckets)) };
  });
  refuse(wait);
  return notifies;
}

/** @param name The name of a bucket for mails of the kind to the address. */
async function mayMail(tx: Transaction, name: Name, kind: MailKind, asker: Asker): Promise<boolean> {
  const known = 'known' in asker;
  const who = known ? ['known', asker.known] : ['place', addressBlock(asker.place)];
  const own = [
    ...(kind === 'new code' || kind === 'reset' ? [limit(name('minute', ...who), 1, 60)] : []),
    limit(name('hour', ...who), 5, hour),
    limit(name('day', ...who), 10, day),
  ];
  const hits = await hitAll(tx, own);
  if (!hits.every((row, index) => (row?.hits ?? 0) <= (own[index]?.free ?? 0))) return false;
  if (known) return true;
  const most = hits.at(-1)?.hits === 1 ? mailsADay.first : mailsADay.asked;
  return ((await hit(tx, limit(name(), mailsADay.first, day)))?.hits ?? 0) <= most;
}
