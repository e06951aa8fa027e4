/**
 * A budget that keys, such as teams, share: bytes of memory or disk, or job slots. A key may use at most `part` of the free amount and at most
 * `maxPerKey`.
 * Keys with a high usage reach the limit first, so a key without usage always finds some capacity (dynamic threshold: Choudhury and Hahne, 1998).
 */
export class FairBudget {
  readonly #part: number;
  readonly #maxPerKey: number;
  readonly #used = new Map<string, number>();
  #free: number;

  constructor({ total, part, maxPerKey = total }: { total: number; part: number; maxPerKey?: number }) {
    this.#part = part;
    this.#maxPerKey = maxPerKey;
    this.#free = total;
  }

  get free(): number {
    return Math.max(0, this.#free);
  }

  get keys(): Iterable<string> {
    return this.#used.keys();
  }

  used = (key: string): number => this.#used.get(key) ?? 0;

  /** Returns how many units of size 1 a key can take now, if it takes them one after the other. */
  roomOf(key: string): number {
    return roomBeside(this.used(key), this.free, this.#part);
  }

  /**
   * Takes an amount and returns a function that gives it back; further calls of that function have no effect.
   * Returns undefined if too little is left for the key. A key without usage may exceed its part.
   */
  take(key: string, amount: number): (() => void) | undefined {
    const used = this.used(key);
    if (amount > this.#free || (used > 0 && used + amount > Math.min(this.#maxPerKey, this.#part * this.#free))) return undefined;
    return this.hold(key, amount);
  }

  /** Takes an amount without checking the limits. */
  hold(key: string, amount: number): () => void {
    this.#add(key, amount);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(key, -amount);
      isTaken = false;
    };
  }

  #add(key: string, amount: number): void {
    const used = this.used(key) + amount;
    this.#free -= amount;
    if (used > 0) this.#used.set(key, used);
    else this.#used.delete(key);
  }
}

/**
 * Returns how many more units a key can acquire. The key uses `used` units now. It can acquire a unit while its use is
 * less than `part` of the free units. `kept` units stay free for others.
 */
export const roomBeside = (used: number, free: number, part: number, kept = 0): number =>
  Math.max(0, Math.min(free - kept, Math.ceil((part * free - used) / (1 + part))));
