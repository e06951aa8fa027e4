import type { DeliveryOutcome } from '../sending/outcome.ts';

/** Buffers results of deliveries until they are written. A result that cannot be written is found by bisection, so that it does not block others. */
export class OutcomeBuffer {
  readonly #maxBatch: number;
  #waiting: DeliveryOutcome[] = [];
  /** Results that are written with the next batch but do not cause one. */
  #lowPriority: DeliveryOutcome[] = [];
  #batch: number;
  #isSearching = false;

  constructor(maxBatch: number) {
    this.#maxBatch = maxBatch;
    this.#batch = maxBatch;
  }

  add(outcome: DeliveryOutcome, { lowPriority }: { lowPriority: boolean }): void {
    (lowPriority ? this.#lowPriority : this.#waiting).push(outcome);
  }

  /** The number of results that cause a batch. */
  get urgent(): number {
    return this.#waiting.length;
  }

  get size(): number {
    return this.#waiting.length + this.#lowPriority.length;
  }

  /** Whether a search for a result that cannot be written is in progress. The engine claims nothing during the search. */
  get isSearching(): boolean {
    return this.#isSearching;
  }

  /** Raises results of low priority to the normal priority. */
  raise(): void {
    this.#waiting.push(...this.#lowPriority.splice(0));
  }

  /** Returns the results to write next. They stay until {@link written} or {@link search} removes them. */
  next(): DeliveryOutcome[] {
    this.raise();
    return this.#waiting.slice(0, this.#batch);
  }

  written(many: number): void {
    this.#waiting = this.#waiting.slice(many);
  }

  /** Called when a batch was written, or there was none. */
  succeeded(): void {
    this.#batch = Math.min(this.#maxBatch, 2 * this.#batch);
    this.#isSearching &&= this.#batch < this.#maxBatch && this.#waiting.length > 0;
  }

  /**
   * Called when a batch could not be written because of one of its results: starts the search or halves the batch. Returns the result when it is
   * found.
   */
  search(batch: readonly DeliveryOutcome[]): DeliveryOutcome | undefined {
    if (!this.#isSearching) {
      this.#isSearching = batch.length > 0;
      return undefined;
    }
    if (batch.length > 1) this.#batch = Math.ceil(batch.length / 2);
    return batch.length === 1 ? this.#waiting.shift() : undefined;
  }

  stopSearch(): void {
    this.#isSearching = false;
  }
}
