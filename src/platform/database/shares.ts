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
  /** Work that takes longer than this many milliseconds is slow. */
  quickMs: number;
  /** How many of one holder may wait, and how long each, in milliseconds. */
  waiting: number;
  waitMs: number;
  /** Who has no share of its own but any place there is, such as requests of no team. */
  unbounded?: ReadonlySet<string>;
};

type Waiting = { begin: () => void; timer: NodeJS.Timeout };
type Holder = { name: string; running: number; window: number; queue: Set<Waiting> };

/**
 * Shares places fairly: whoever waits is served in turn, one piece of work of each holder after the other. A holder begins
 * with its share; with each piece of work that was quick it may have one place more, and with each that was slow half as many,
 * down to its share. So one that is alone uses most places, and one whose work is slow holds a few of them at any time.
 */
export function shareFairly(options: SharesOptions): Shares {
  const { places, share, most, quickMs } = options;
  const holders = new Map<string, Holder>();
  /** Those of which something waits, in the order of their turns. */
  const turns = new Set<Holder>();
  let running = 0;

  function holderOf(name: string): Holder {
    const known = holders.get(name);
    if (known) return known;
    const made = { name, running: 0, window: options.unbounded?.has(name) ? places : share, queue: new Set<Waiting>() };
    holders.set(name, made);
    return made;
  }

  const othersWait = (holder: Holder): boolean => turns.size > (turns.has(holder) ? 1 : 0);

  function mayBegin(holder: Holder): boolean {
    if (running >= places) return false;
    if (options.unbounded?.has(holder.name)) return true;
    return holder.running < (othersWait(holder) ? share : holder.window);
  }

  function begin(holder: Holder): void {
    running += 1;
    holder.running += 1;
  }

  function end(holder: Holder, tookMs: number): void {
    running -= 1;
    holder.running -= 1;
    holder.window = tookMs <= quickMs ? Math.min(most, holder.window + 1) : Math.max(share, Math.floor(holder.window / 2));
    if (holder.running === 0 && holder.queue.size === 0) holders.delete(holder.name);
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
          if (holder.running === 0 && holder.queue.size === 0) holders.delete(holder.name);
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
    'Your team has as many requests under way as its share of the service allows, and more waiting than are kept. Send this one again in a second, and fewer at once.',
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
