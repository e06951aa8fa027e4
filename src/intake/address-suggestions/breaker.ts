const failuresInARow = 5;
const shortestMs = 10_000;
const longestMs = 300_000;

/** Leaves a provider alone for ten seconds after five failures in a row, and for twice as long each time it fails again, up to five minutes. */
export class Breaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = shortestMs;
  #closedUntil = 0;
  #trying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** False while it is left alone. After each pause one question is let through, which decides. */
  mayAsk(): boolean {
    if (this.#failures < failuresInARow) return true;
    if (this.#trying || this.#now() < this.#closedUntil) return false;
    this.#trying = true;
    return true;
  }

  answered(): void {
    this.#failures = 0;
    this.#pauseMs = shortestMs;
    this.#trying = false;
  }

  /** Tells whether it is left alone from now on. */
  failed(): boolean {
    this.#failures += 1;
    if (this.#failures < failuresInARow) return false;
    // Of several in flight when it broke, one sets the pause.
    if (this.#failures > failuresInARow && !this.#trying) return false;
    if (this.#trying) this.#pauseMs = Math.min(longestMs, this.#pauseMs * 2);
    this.#trying = false;
    this.#closedUntil = this.#now() + this.#pauseMs;
    return true;
  }
}
