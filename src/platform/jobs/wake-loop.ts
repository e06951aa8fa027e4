/** Runs passes over a queue one at a time. A wake during a pass causes another pass. */
export class WakeLoop {
  readonly #pass: () => Promise<unknown>;
  readonly #onError: (error: unknown) => void;
  #isDue = false;
  #running: Promise<void> | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(pass: () => Promise<unknown>, onError: (error: unknown) => void) {
    this.#pass = pass;
    this.#onError = onError;
  }

  wake(): void {
    this.#isDue = true;
    this.#running ??= this.#run();
  }

  /** Wakes the loop now and at each interval, because notifications can be lost. */
  poll(everyMs: number, wake: () => void = () => this.wake()): void {
    this.#poll = setInterval(wake, everyMs);
    wake();
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Stops polling and waits for due passes. */
  async stop(): Promise<void> {
    clearInterval(this.#poll);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      await this.#pass().catch(this.#onError);
    }
    // In the same turn of the event loop as the last check of `#isDue`, so that no wake is lost.
    this.#running = undefined;
  }
}
