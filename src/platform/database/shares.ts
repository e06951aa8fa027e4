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
  const nobody = { holder: '', at: -Infinity, typicalMs: 0 };
  let [latest, before] = [nobody, nobody];
  return {
    seen(holder) {
      if (holder === before.holder) [latest, before] = [before, latest];
      else if (holder !== latest.holder) [latest, before] = [{ holder, at: 0, typicalMs: 0 }, latest];
      latest.at = performance.now();
    },
    ended(holder, tookMs) {
      const one = [latest, before].find((known) => known.holder === holder);
      if (one) one.typicalMs += (tookMs - one.typicalMs) / 8;
    },
    beside(holder) {
      const other = latest.holder === holder ? before : latest;
      return other.at > performance.now() - aboutMs ? other.typicalMs : undefined;
    },
  };
}

type Waiting = { begin: () => void; timer: NodeJS.Timeout };
type Holder = {
  name: string;
  running: number;
  window: number;
  queue: Set<Waiting>;
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
  const { places, share, most, besideOthers = Infinity, quickMs, heavyMs = Infinity, presence = notePresence() } = options;
  const holders = new Map<string, Holder>();
  /** Those of which something waits, in the order of their turns. */
  const turns = new Set<Holder>();
  let running = 0;

  function holderOf(name: string): Holder {
    const known = holders.get(name);
    if (known) return known;
    const made = {
      name,
      running: 0,
      window: options.unbounded?.has(name) ? places : share,
      queue: new Set<Waiting>(),
      evenUntil: 0,
    };
    holders.set(name, made);
    return made;
  }

  const othersWait = (holder: Holder): boolean => turns.size > (turns.has(holder) ? 1 : 0);

  function mayBegin(holder: Holder): boolean {
    if (running >= places) return false;
    if (options.unbounded?.has(holder.name)) return true;
    if (holder.resting) return false;
    const beside = presence.beside(holder.name) !== undefined;
    if (beside && holder.evenUntil > performance.now()) return holder.running === 0;
    return holder.running < Math.min(othersWait(holder) ? share : holder.window, beside ? besideOthers : Infinity);
  }

  function begin(holder: Holder): void {
    running += 1;
    holder.running += 1;
    if (!options.unbounded?.has(holder.name)) presence.seen(holder.name);
  }

  function forgetIdle(holder: Holder): void {
    if (holder.running === 0 && holder.queue.size === 0 && !holder.remembered) holders.delete(holder.name);
  }

  /** Counts heavy work that has just ended. Its holder rests where it had much of it beside others, but no longer than it took. */
  function countHeavy(holder: Holder, tookMs: number, beside: boolean): void {
    const now = performance.now();
    const atMost = now + 2 * heavyAtOnceMs + (beside ? tookMs : 0);
    holder.evenUntil = Math.min(Math.max(holder.evenUntil, now - tookMs) + 2 * tookMs, atMost);
    clearTimeout(holder.remembered);
    holder.remembered = setTimeout(() => {
      delete holder.remembered;
      forgetIdle(holder);
    }, holder.evenUntil - now).unref();
    const restMs = holder.evenUntil - now - 2 * heavyAtOnceMs;
    if (restMs <= 0) return;
    clearTimeout(holder.resting);
    holder.resting = setTimeout(() => {
      delete holder.resting;
      serve();
    }, restMs).unref();
  }

  function end(holder: Holder, tookMs: number): void {
    running -= 1;
    holder.running -= 1;
    holder.window = tookMs <= quickMs ? Math.min(most, holder.window + 1) : Math.max(share, Math.floor(holder.window / 2));
    if (!options.unbounded?.has(holder.name)) {
      const others = presence.beside(holder.name);
      presence.ended(holder.name, tookMs);
      if (tookMs > Math.max(heavyMs, heavierThanOthers * (others ?? 0))) countHeavy(holder, tookMs, others !== undefined);
    }
    forgetIdle(holder);
    serve();
  }

  /** Gives free places to those who wait, one each in turn. */
  function serve(): void {
    for (const holder of turns) {
      if (running >= places) return;
      if (!mayBegin(holder)) continue;
      const [next] = holder.queue;
      turns.delete(holder);
      if (!next) continue;
      holder.queue.delete(next);
      // To the end of the line: a set is walked in the order of insertion, and what is added meanwhile is walked as well.
      if (holder.queue.size > 0) turns.add(holder);
      clearTimeout(next.timer);
      begin(holder);
      next.begin();
    }
  }

  function wait(holder: Holder): Promise<void> {
    if (holder.queue.size >= options.waiting) return Promise.reject(tooMuch());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        begin: resolve,
        timer: setTimeout(() => {
          holder.queue.delete(waiting);
          if (holder.queue.size === 0) turns.delete(holder);
          forgetIdle(holder);
          reject(holder.running >= share ? tooMuch() : busy());
        }, options.waitMs),
      };
      holder.queue.add(waiting);
      turns.add(holder);
    });
  }

  return {
    async run(name, work) {
      const holder = holderOf(name);
      if (holder.queue.size === 0 && mayBegin(holder)) begin(holder);
      else await wait(holder);
      const from = performance.now();
      try {
        return await work();
      } finally {
        end(holder, performance.now() - from);
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
