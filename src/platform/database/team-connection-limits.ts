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
  /** Work that takes longer than this many milliseconds, and much longer than others', is heavy: see {@link shareFairly}. */
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

/** What is known of the work of a holder. */
type QuotaOwner = {
  /** How many places it may have while no other holder waits. */
  window: number;
  /** When all its heavy work would have been done with rests as long as the work between (a leaky bucket: GCRA); until then it has one place. */
  evenUntil: number;
  /** Nothing of it begins until this is over. */
  resting?: NodeJS.Timeout;
  /** It is remembered until this is over. */
  remembered?: NodeJS.Timeout;
};

/**
 * Shares places fairly: whoever waits is served in turn, one piece of work of each holder after the other. A holder begins
 * with its share; with each piece of work that was quick it may have one place more, and with each that was slow half as many,
 * down to its share. So one that is alone uses most places, and one whose work is slow holds a few of them at any time.
 *
 * Work that is heavy keeps the database busy also for those who have places of their own. While others are about, a holder
 * that did heavy work just now has one place, whatever it does besides, and one with much heavy work rests for as long as it works: half of one core at
 * most is busy for it.
 */
export function shareFairly(options: SharesOptions): Shares {
  const { places, share, most, besideOthers = Infinity, quickMs, heavyMs = Infinity, presence = notePresence(), unbounded } = options;
  const unknown = { window: share, evenUntil: 0 };
  const owners = new Map<string, QuotaOwner>();
  const queue = new FairQueue({
    concurrency: places,
    concurrencyPerKey: limitOf,
    maxWaitingPerKey: options.waiting,
    maxWaitMs: options.waitMs,
  });

  function limitOf(name: string, contended: boolean): number {
    if (unbounded?.has(name)) return places;
    const { window, evenUntil, resting }: QuotaOwner = owners.get(name) ?? unknown;
    if (resting) return 0;
    const beside = presence.beside(name) !== undefined;
    if (beside && evenUntil > performance.now()) return 1;
    return Math.min(contended ? share : window, beside ? besideOthers : Infinity);
  }

  /** Counts heavy work that has just ended. Its holder rests where it had much of it beside others, but no longer than it took. */
  function countHeavy(name: string, owner: QuotaOwner, tookMs: number, beside: boolean): void {
    const now = performance.now();
    const atMost = now + 2 * heavyAtOnceMs + (beside ? tookMs : 0);
    owner.evenUntil = Math.min(Math.max(owner.evenUntil, now - tookMs) + 2 * tookMs, atMost);
    clearTimeout(owner.remembered);
    owner.remembered = setTimeout(() => {
      delete owner.remembered;
      forgetIdle(name, owner);
    }, owner.evenUntil - now).unref();
    const restMs = owner.evenUntil - now - 2 * heavyAtOnceMs;
    if (restMs <= 0) return;
    clearTimeout(owner.resting);
    owner.resting = setTimeout(() => {
      delete owner.resting;
      queue.serve();
    }, restMs).unref();
  }

  function forgetIdle(name: string, owner: QuotaOwner): void {
    if (!queue.has(name) && !owner.remembered) owners.delete(name);
  }

  function ended(name: string, tookMs: number): void {
    if (unbounded?.has(name)) return;
    const owner: QuotaOwner = owners.get(name) ?? { ...unknown };
    owners.set(name, owner);
    owner.window = tookMs <= quickMs ? Math.min(most, owner.window + 1) : Math.max(share, Math.floor(owner.window / 2));
    const others = presence.beside(name);
    presence.ended(name, tookMs);
    if (tookMs > Math.max(heavyMs, heavierThanOthers * (others ?? 0))) countHeavy(name, owner, tookMs, others !== undefined);
  }

  return {
    async run(name, work) {
      let leave: () => void;
      try {
        leave = await queue.enter(name);
      } catch (error) {
        if (!(error instanceof QueueFullError)) throw error;
        throw error.waited && queue.runningOf(name) < share ? busy() : tooMuch();
      }
      if (!unbounded?.has(name)) presence.seen(name);
      const from = performance.now();
      try {
        return await work();
      } finally {
        ended(name, performance.now() - from);
        leave();
        const owner = owners.get(name);
        if (owner) forgetIdle(name, owner);
      }
    },
  };
}

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
