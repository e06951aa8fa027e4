import { FairQueue, QueueFullError } from '../fair-queue.ts';
import { problems } from '../problems.ts';

/** A limited number of slots, such as connections, that owners such as teams share. */
export type Shares = {
  /** Runs the work once the owner has a slot. Rejects with a 429 problem if too many requests of the owner wait. */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
};

export type SharesOptions = {
  /** The total number of slots. */
  places: number;
  /** The maximum number of slots of one owner while other owners wait, or while its work is slow. */
  share: number;
  /** The maximum number of slots of an owner with quick work while no other owner waits. */
  most: number;
  /** The maximum number of slots of an owner while others are active, if lower. Its running work delays the next request of others. */
  besideOthers?: number;
  /** Work that takes longer than this many milliseconds is slow. */
  quickMs: number;
  /** Work that takes longer than this many milliseconds, and much longer than the work of others, is heavy: as described at {@link FairShares}. */
  heavyMs?: number;
  /** The recently active owners. Kinds of slots with the same owners share one object. */
  presence?: Presence;
  /** The maximum number of waiting requests of one owner, and the maximum wait in milliseconds. */
  waiting: number;
  waitMs: number;
  /** Owners without a limit, such as requests without a team. */
  unbounded?: ReadonlySet<string>;
};

/** Time in milliseconds for which an owner counts as active after it had a slot. */
const aboutMs = 1_000;
/** Milliseconds of heavy work that an owner can do without a rest. */
const heavyAtOnceMs = 250;

/** Work is heavy only if it takes this many times as long as the work of others. On an overloaded machine all work is slow. */
const heavierThanOthers = 4;

/** Tracks which owners were active within the last second. */
export type Presence = {
  seen(holder: string): void;
  /** Records that work of an owner ended. */
  ended(holder: string, tookMs: number): void;
  /** Returns the typical duration of the work of another active owner, in milliseconds. Returns undefined if no other owner is active. */
  beside(holder: string): number | undefined;
};

/** Remembers the last two distinct owners. For any given owner, at least one of the two is another owner. */
export function trackPresence(): Presence {
  const noOwner = { owner: '', at: -Infinity, typicalMs: 0 };
  let [latest, before] = [noOwner, noOwner];
  return {
    seen(owner) {
      if (owner === before.owner) [latest, before] = [before, latest];
      else if (owner !== latest.owner) [latest, before] = [{ owner, at: 0, typicalMs: 0 }, latest];
      latest.at = performance.now();
    },
    ended(owner, tookMs) {
      const one = [latest, before].find((known) => known.owner === owner);
      if (one) one.typicalMs += (tookMs - one.typicalMs) / 8;
    },
    beside(owner) {
      const other = latest.owner === owner ? before : latest;
      return other.at > performance.now() - aboutMs ? other.typicalMs : undefined;
    },
  };
}

/** The state of one owner. */
type QuotaOwner = {
  /** The maximum number of slots while no other owner waits. */
  window: number;
  /** The time until which the owner has only one slot. All its heavy work would end then, with pauses of equal length (a leaky bucket, GCRA). */
  evenUntil: number;
  /** The timer of the current pause. While it runs, no work of the owner starts. */
  resting?: NodeJS.Timeout;
  /** The timer after which the state of the owner is deleted. */
  remembered?: NodeJS.Timeout;
};

/**
 * Shares slots fairly: owners take turns, one task each. An owner starts with its share of slots. Each quick task adds a slot, and each slow task
 * halves the number, down to the share. So an owner that is alone uses most slots, and an owner with slow work only a few.
 *
 * Heavy work loads the database for all owners. While other owners are active, an owner with heavy work has one slot. With much heavy work it rests
 * for as long as it works, so that it uses at most half of one core.
 */
class FairShares implements Shares {
  readonly #options: SharesOptions;
  readonly #presence: Presence;
  readonly #owners = new Map<string, QuotaOwner>();
  readonly #queue: FairQueue;

  constructor(options: SharesOptions) {
    this.#options = options;
    this.#presence = options.presence ?? trackPresence();
    this.#queue = new FairQueue({
      concurrency: options.places,
      concurrencyPerKey: (name, contended) => this.#limitOf(name, contended),
      maxWaitingPerKey: options.waiting,
      maxWaitMs: options.waitMs,
    });
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const leave = await this.#enter(name);
    if (!this.#isUnbounded(name)) this.#presence.seen(name);
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.#count(name, performance.now() - from);
      leave();
      const owner = this.#owners.get(name);
      if (owner) this.#forgetIdle(name, owner);
    }
  }

  async #enter(name: string): Promise<() => void> {
    try {
      return await this.#queue.enter(name);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw error.waited && this.#queue.runningOf(name) < this.#options.share ? busy() : tooMuch();
    }
  }

  #isUnbounded = (name: string): boolean => this.#options.unbounded?.has(name) === true;

  #limitOf(name: string, contended: boolean): number {
    const { places, share, besideOthers = Infinity } = this.#options;
    if (this.#isUnbounded(name)) return places;
    const { window, evenUntil, resting }: QuotaOwner = this.#owners.get(name) ?? { window: share, evenUntil: 0 };
    if (resting) return 0;
    const beside = this.#presence.beside(name) !== undefined;
    if (beside && evenUntil > performance.now()) return 1;
    return Math.min(contended ? share : window, beside ? besideOthers : Infinity);
  }

  /** Updates the state of an owner after its work ended. */
  #count(name: string, tookMs: number): void {
    const { share, most, quickMs, heavyMs = Infinity } = this.#options;
    if (this.#isUnbounded(name)) return;
    const owner: QuotaOwner = this.#owners.get(name) ?? { window: share, evenUntil: 0 };
    this.#owners.set(name, owner);
    owner.window = tookMs <= quickMs ? Math.min(most, owner.window + 1) : Math.max(share, Math.floor(owner.window / 2));
    const others = this.#presence.beside(name);
    this.#presence.ended(name, tookMs);
    if (tookMs > Math.max(heavyMs, heavierThanOthers * (others ?? 0))) this.#countHeavy(name, owner, tookMs, others !== undefined);
  }

  /** Makes the owner pause if it did much heavy work while others were active, for at most as long as the work took. */
  #countHeavy(name: string, owner: QuotaOwner, tookMs: number, beside: boolean): void {
    const now = performance.now();
    const atMost = now + 2 * heavyAtOnceMs + (beside ? tookMs : 0);
    owner.evenUntil = Math.min(Math.max(owner.evenUntil, now - tookMs) + 2 * tookMs, atMost);
    clearTimeout(owner.remembered);
    owner.remembered = setTimeout(() => {
      delete owner.remembered;
      this.#forgetIdle(name, owner);
    }, owner.evenUntil - now).unref();
    const restMs = owner.evenUntil - now - 2 * heavyAtOnceMs;
    if (restMs <= 0) return;
    clearTimeout(owner.resting);
    owner.resting = setTimeout(() => {
      delete owner.resting;
      this.#queue.serve();
    }, restMs).unref();
  }

  #forgetIdle(name: string, owner: QuotaOwner): void {
    if (!this.#queue.has(name) && !owner.remembered) this.#owners.delete(name);
  }
}

/** Creates shares of slots, such as connections. See {@link FairShares}. */
export const shareFairly = (options: SharesOptions): Shares => new FairShares(options);

function tooMuch() {
  return problems.rate_limited(
    'Your team has too many requests that are in progress or wait. Send this request again in a second, and send fewer at the same time.',
    { headers: { 'retry-after': '1' } },
  );
}

function busy() {
  return problems.unavailable('The service is overloaded. Nothing was changed. Send the request again in a few seconds.', {
    headers: { 'retry-after': '2' },
  });
}
