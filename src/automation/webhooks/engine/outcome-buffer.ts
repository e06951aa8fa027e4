import type { Outcome } from '../sending/outcome.ts';

/** Results of deliveries until they are written. A result that cannot be written is found by halves, so that it holds up no other. */
export class OutcomeBuffer {
  readonly #maxBatch: number;
  #waiting: Outcome[] = [];
  /** Results that go with the next batch, and cause none. */
  #lowPriority: Outcome[] = [];
  #batch: number;
  #isSearching = false;

  constructor(maxBatch: number) {
    this.#maxBatch = maxBatch;
    this.#batch = maxBatch;
  }

  add(outcome: Outcome, { lowPriority }: { lowPriority: boolean }): void {
    (lowPriority ? this.#lowPriority : this.#waiting).push(outcome);
  }

  /** How many results cause a batch. */
  get urgent(): number {
    return this.#waiting.length;
  }

  get size(): number {
    return this.#waiting.length + this.#lowPriority.length;
  }

  /** Whether a result that cannot be written is looked for. The engine claims nothing during the search. */
  get isSearching(): boolean {
    return this.#isSearching;
  }

  /** Gives results of low priority the priority of all others. */
  raise(): void {
    this.#waiting.push(...this.#lowPriority.splice(0));
  }

  /** The results to write next. They stay until {@link written} or {@link search} removes them. */
  next(): Outcome[] {
    this.raise();
    return this.#waiting.slice(0, this.#batch);
  }

  written(many: number): void {
    this.#waiting = this.#waiting.slice(many);
  }

  /** A batch was written, or there was none. */
  succeeded(): void {
    this.#batch = Math.min(this.#maxBatch, 2 * this.#batch);
    this.#isSearching &&= this.#batch < this.#maxBatch && this.#waiting.length > 0;
  }

  /** A batch of several was not written because of one of its results: begins the search, or halves. Returns the result if it is found. */
  search(batch: readonly Outcome[]): Outcome | undefined {
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
