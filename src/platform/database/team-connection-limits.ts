import { FairQueue, QueueFullError } from '../fair-queue.ts';
import { problems } from '../problems.ts';

/** Places that many holders share, such as connections: who may have how many, and what becomes of the rest. */
export type Shares = {
  /** Does the work once the holder has a place. Rejects with a problem (429) when too much of the holder's waits already. */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
};

export type SharesOptions = {
  /** How many may work at once. */
  places: number;
  /** How many of them one holder has while others want some too, or while its work is slow. */
  share: number;
  /** How many a holder may have whose work is quick, while nobody else waits. */
  most: number;
  /** How many a holder may have while others are about, where that is fewer: what it has under way is before whatever they ask next. */
  besideOthers?: number;
  /** Work that takes longer than this many milliseconds is slow. */
  quickMs: number;
  /** Work that takes longer than this many milliseconds, and much longer than others', is heavy: see {@link FairShares}. */
  heavyMs?: number;
  /** Who was about lately; one for all places of which the same holders want some. */
  presence?: Presence;
  /** How many of one holder may wait, and how long each, in milliseconds. */
  waiting: number;
  waitMs: number;
  /** Who has no share of its own but any place there is, such as requests of no team. */
  unbounded?: ReadonlySet<string>;
};

/** How long a holder counts as about after it had a place, in milliseconds. */
const aboutMs = 1_000;
/** Heavy work of so many milliseconds may be done without a rest. */
const heavyAtOnceMs = 250;

/** Work is heavy only where it takes so many times as long as what others do: all work is slow on a machine that has too much to do. */
const heavierThanOthers = 4;

/** Tells who else was about within the last second. */
export type Presence = {
  seen(holder: string): void;
  /** Work of a holder has ended. */
  ended(holder: string, tookMs: number): void;
  /** How long the work of another takes that was about, in milliseconds; nothing where none was. */
  beside(holder: string): number | undefined;
};

/** Remembers the last holder that was seen, and the last one before it that was another: whoever asks, one of them is not they. */
export function notePresence(): Presence {
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

/** What is known of the work of an owner. */
type QuotaOwner = {
  /** How many places it may have while no other owner waits. */
  window: number;
  /** When all its heavy work would have been done with rests as long as the work between (a leaky bucket: GCRA). Until then it has one place. */
  evenUntil: number;
  /** Nothing of it begins until this timer ends. */
  resting?: NodeJS.Timeout;
  /** It is remembered until this timer ends. */
  remembered?: NodeJS.Timeout;
};

/**
 * Shares places fairly: owners take turns, one piece of work each. An owner begins with its share. Each quick piece of work adds a place, and
 * each slow one halves the places, down to its share. So one that is alone uses most places, and one with slow work a few.
 *
 * Heavy work keeps the database busy also for owners with places of their own. While others are about, an owner with heavy work has one
 * place. With much heavy work it rests for as long as it works, so that it keeps at most half of one core busy.
 */
class FairShares implements Shares {
  readonly #options: SharesOptions;
  readonly #presence: Presence;
  readonly #owners = new Map<string, QuotaOwner>();
  readonly #queue: FairQueue;

  constructor(options: SharesOptions) {
    this.#options = options;
    this.#presence = options.presence ?? notePresence();
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

  /** Counts work that has ended. */
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

  /** Its owner rests if it had much heavy work beside others, but no longer than the work took. */
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

/** Creates shares of places, such as connections. See {@link FairShares}. */
export const shareFairly = (options: SharesOptions): Shares => new FairShares(options);

function tooMuch() {
  return problems.rate_limited(
    'As many requests of this team are in progress as its share of the service allows, and more wait than may. Send this one again in a second, and fewer at once.',
    { headers: { 'retry-after': '1' } },
  );
}

function busy() {
  return problems.unavailable(
    'The service has more to do than it can at the moment. Nothing was changed; send the request again in a few seconds.',
    {
      headers: { 'retry-after': '2' },
    },
  );
}
