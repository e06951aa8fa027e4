import type { Database, Reader, Transaction } from '../../platform/database/database.ts';
import { hmac } from '../../platform/crypto/tokens.ts';
import { addressBlock } from '../../platform/http/client-ip.ts';
import { problems } from '../../platform/problems.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { clearHits, countHit, countUnblocked, longestBlock } from './throttle-queries.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * A counter: `free` hits in `windowSeconds`, then a wait that doubles with each further hit, up to the window. `notifies`: the owner gets a mail when
 * the counter reaches its limit.
 */
export type Bucket = { key: Buffer; free: number; windowSeconds: number; firstWaitSeconds: number; notifies?: true };

/** Kinds of mails with separate budgets, so that one kind never delays another. */
export type MailKind = 'registration' | 'new code' | 'reset' | 'email change';

/** The requester of a mail: a known device of the address, or a network or account that may belong to a stranger. */
export type Asker = { known: string } | { place: string };

/** Counters in the database, by keyed hashes. They apply on all nodes, and also to addresses without an account. */
export type Throttle = {
  /**
   * The buckets of a sign-in attempt. Known and unknown devices have separate
   * limits for each account, so neither can use up the budget of the other.
   */
  signIn(emailKey: string, ip: string | undefined, who: 'known device' | 'unknown device'): [Bucket, ...Bucket[]];
  /** The buckets of the password of a signed-in user: those of a sign-in, and a limit for the account from all addresses. */
  reauthenticate(emailKey: string, ip: string | undefined, account: string): [Bucket, ...Bucket[]];
  /** Codes that confirm a new address. The device that registered it has a separate budget, which other devices cannot use up. */
  codeEntry(emailKey: string, device?: Buffer): Bucket[];
  /** Codes that confirm the new address of an account, counted by account and by address over all accounts. */
  changeOfAddress(account: string, emailKey: string): Bucket[];
  /** The buckets of an API client with a wrong secret. A correct secret is never delayed. */
  client(clientId: string, ip: string | undefined): Bucket[];
  request(ip: string | undefined): Bucket[];
  /** Codes of a second factor, by user. A correct password does not reset this budget. */
  secondFactor(account: string): Bucket[];
  /** Wrong codes in a row for one authenticator. At the limit no more codes are accepted (NIST SP 800-63B §3.2.2). */
  inARow(account: string, authenticator: 'app' | 'backup codes'): Bucket;
  /** Mails that warn the owner about guessing: one a day for each kind. */
  notice(account: string, what: string): Bucket[];
  /** Wrong invitation links, by network. */
  invitationLink(ip: string | undefined): Bucket[];
  /** Rejected responses of identity providers, by connection and network. */
  refusedAnswer(connection: string, ip: string | undefined): Bucket[];
  /** Wrong verification codes of documents, by network. */
  verificationCode(ip: string | undefined): Bucket[];
  /** Registrations and metadata fetches of connected apps, by network. */
  connectedApp(what: 'registered' | 'fetched', ip: string | undefined): Bucket[];
  /** Invitations to one address. The budget is separate from other mails, so that invitations cannot delay a code or a reset. */
  invitationMail(emailKey: string): Bucket[];
  /** Invitations sent by one team. */
  invitationsOf(team: string): Bucket[];
  /**
   * Whether a requested mail may be sent to an address; counts it. Each requester has a budget. A known device has no other limit, so requests of
   * strangers never block its mail. From all other requesters an address gets 20 mails a day. The first mail from each further network that day is
   * also sent, up to 50.
   */
  mayMail(tx: Transaction, kind: MailKind, emailKey: string, asker: Asker): Promise<boolean>;
  /** Throws 429 with `Retry-After` while one of the buckets blocks. */
  check(tx: Reader, buckets: Bucket[]): Promise<void>;
  /** Whether one of the buckets blocks. */
  blocked(tx: Reader, buckets: Bucket[]): Promise<boolean>;
  /** Throws 429 if `seconds` is positive. The caller reads the value with `blocked_seconds` in a statement of its own. */
  refuse(seconds: number | null): void;
  /**
   * Counts a failure in a separate transaction, so that a later error does not undo it. Throws 429 without counting if concurrent failures already
   * block, so parallel guesses give no advantage over sequential ones. Returns true if this failure used up a bucket that notifies its owner.
   */
  count(database: Database, buckets: Bucket[]): Promise<boolean>;
  /**
   * Checks a guess of a secret outside of a transaction, so that it occupies no connection while it waits. If `matches` returns true, waits until
   * this process has counted all earlier guesses of these buckets, and returns true. The caller must then check again whether the buckets block.
   * Otherwise runs `wrong`, which counts the failure with its argument.
   */
  guess(
    database: Database,
    buckets: Bucket[],
    matches: () => Promise<boolean>,
    wrong: (count: () => Promise<boolean>) => Promise<void>,
  ): Promise<boolean>;
  /** Counts in the caller’s transaction. Returns true while every bucket is within its free hits. */
  take(tx: Transaction, buckets: Bucket[]): Promise<boolean>;
  /**
   * Counts an attempt before the check, so that concurrent requests cannot exceed the budget. Returns the hits of each bucket. Throws 429 without
   * counting if one is used up.
   */
  spend(tx: Transaction, buckets: Bucket[]): Promise<number[]>;
  clear(tx: Transaction, buckets: Bucket[]): Promise<void>;
};

const hour = 3_600;
const day = 86_400;
const year = 365 * day;
/** Maximum mails of one kind to an address a day from unknown networks: in total without exceptions, and including the first mail of each network. */
const mailsADay = { requested: 20, first: 50 };

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
 * Counts hits in several buckets. The rows stay locked until the transaction
 * ends, so they are locked in the order of the keys to prevent deadlocks.
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

/** Whether the mail may be sent. `name` returns the bucket keys for this kind of mail and this address. */
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
  const most = hits.at(-1)?.hits === 1 ? mailsADay.first : mailsADay.requested;
  return ((await hit(tx, limit(name(), mailsADay.first, day)))?.hits ?? 0) <= most;
}
