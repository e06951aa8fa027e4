const failuresInARow = 5;
const shortestMs = 10_000;
const longestMs = 300_000;

/**
 * The circuit breaker of a provider. It opens for 10 s after five failures in a row.
 * Each further failure doubles the pause, up to 300 s.
 */
export class Breaker {
  readonly #now: () => number;
  #failures = 0;
  #pauseMs = shortestMs;
  #closedUntil = 0;
  #trying = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns false while the breaker is open. After each pause it allows one trial request, whose result closes the breaker or opens it again. */
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

  /** Counts a failure, and returns whether the breaker opened. */
  failed(): boolean {
    this.#failures += 1;
    if (this.#failures < failuresInARow) return false;
    // Of several requests in flight when the breaker opened, only one sets the pause.
    if (this.#failures > failuresInARow && !this.#trying) return false;
    if (this.#trying) this.#pauseMs = Math.min(longestMs, this.#pauseMs * 2);
    this.#trying = false;
    this.#closedUntil = this.#now() + this.#pauseMs;
    return true;
  }
}
