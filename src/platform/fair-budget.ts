/**
 * A budget that keys, such as teams, share: bytes of memory or of a disk, places of jobs. A key may have as much as `part` of what is free, and
 * at most `maxPerKey`. Keys with much meet the limit first. However many there are, some is left for a key with nothing (the dynamic threshold of
 * switches with a shared buffer: Choudhury and Hahne, 1998).
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

  /** How many pieces of the size 1 a key may take now, one after the other. */
  roomOf(key: string): number {
    return roomBeside(this.used(key), this.free, this.#part);
  }

  /**
   * Takes an amount; the returned function gives it back, and does so once. Undefined if too little is left for the key. A key that has
   * nothing may take more than its part.
   */
  take(key: string, amount: number): (() => void) | undefined {
    const used = this.used(key);
    if (amount > this.#free || (used > 0 && used + amount > Math.min(this.#maxPerKey, this.#part * this.#free))) return undefined;
    return this.hold(key, amount);
  }

  /** Takes an amount without a look at what is left. */
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

/** The largest k for which a key that has `used` takes one k times, each time while it has less than `part` of what is free then. `kept` stay free. */
export const roomBeside = (used: number, free: number, part: number, kept = 0): number =>
  Math.max(0, Math.min(free - kept, Math.ceil((part * free - used) / (1 + part))));
