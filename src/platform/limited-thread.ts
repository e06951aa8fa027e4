import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairQueue, QueueFullError } from './fair-queue.ts';

/** A thread that computes one response at a time; teams take turns. It starts with the first request and ends after 30 s without one. */
export type LimitedThread<Question, Answer> = {
  /** Sends a request of a team to the thread. Throws a {@link ThreadLimitError} if a limit is reached; the next request then gets a new thread. */
  ask(team: string, question: Question, limits: AskLimits): Promise<Answer>;
  close(): Promise<void>;
};

export type AskLimits = {
  /** Maximum CPU time in milliseconds. Unlike elapsed time, it does not depend on the load of the machine. */
  cpuMs: number;
  /** Maximum time until the response in milliseconds, including the wait for other requests. */
  waitMs: number;
  /** A further limit that the thread reports in shared memory. Called every 25 ms with the CPU time used, in milliseconds. */
  isExhausted?: (usedMs: number) => boolean;
};

/** Thrown if a request used too much CPU time, memory or elapsed time. `usedMs` is its CPU time in milliseconds. */
export class ThreadLimitError extends Error {
  readonly usedMs: number;

  constructor(usedMs: number, cause?: unknown) {
    super('The thread reached a limit', { cause });
    this.usedMs = usedMs;
  }
}

const watchEveryMs = 25;
const idleMs = 30_000;
const waiting = { maxWaiting: 10_000, maxWaitingPerKey: 1_000 };

/** @param entry The program of the thread (`builtFile`). It calls `answerQuestions`. */
export const openLimitedThread = <Question, Answer>(entry: string): LimitedThread<Question, Answer> =>
  new WatchedThread<Question, Answer>(entry);

class WatchedThread<Question, Answer> implements LimitedThread<Question, Answer> {
  readonly #entry: string;
  readonly #turns = new FairQueue({ concurrency: 1, concurrencyPerKey: 1, ...waiting });
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(entry: string) {
    this.#entry = entry;
  }

  async ask(team: string, question: Question, limits: AskLimits): Promise<Answer> {
    const late = new AbortController();
    // The timer keeps the process alive until the response. The thread does not.
    const timer = setTimeout(() => late.abort(), limits.waitMs);
    const expired = once(late.signal, 'abort').then(() => Promise.reject(new ThreadLimitError(0)));
    const turn = this.#turns.run(team, () => (late.signal.aborted ? expired : this.#answer(question, limits, late.signal)));
    try {
      return await Promise.race([turn, expired]);
    } catch (error) {
      turn.catch(() => undefined);
      throw error instanceof QueueFullError ? new ThreadLimitError(0, error) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const ending = this.#thread;
    this.#thread = undefined;
    clearTimeout(this.#idle);
    await ending?.terminate();
  }

  async #start(signal: AbortSignal): Promise<Worker> {
    const started = new Worker(this.#entry, {
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
      stdout: true,
      stderr: true,
    });
    // Node.js can report an out-of-memory error even after a limit ended the thread.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (this.#thread === started) this.#thread = undefined;
    });
    started.unref();
    this.#thread = started;
    await once(started, 'message', { signal });
    return started;
  }

  async #answer(question: Question, { cpuMs, isExhausted }: AskLimits, deadline: AbortSignal): Promise<Answer> {
    clearTimeout(this.#idle);
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, deadline]);
    let usedMs = 0;
    let watch: NodeJS.Timeout | undefined;
    const exited = () => over.abort();
    let running = this.#thread;
    try {
      running ??= await this.#start(signal);
      running.once('exit', exited);
      const current = running;
      const before = await current.cpuUsage();
      const answered = once(current, 'message', { signal });
      current.postMessage(question, []);
      watch = setInterval(() => {
        void current.cpuUsage(before).then(
          ({ user, system }) => {
            usedMs = (user + system) / 1_000;
            if (usedMs > cpuMs || isExhausted?.(usedMs)) over.abort();
          },
          () => undefined,
        );
      }, watchEveryMs);
      const [value] = (await answered) as [Answer];
      this.#idle = setTimeout(() => void this.close(), idleMs).unref();
      return value;
    } catch (error) {
      // Not awaited: the next request gets a new thread and does not wait for the end of this one.
      void this.close();
      throw new ThreadLimitError(usedMs, error);
    } finally {
      clearInterval(watch);
      running?.off('exit', exited);
    }
  }
}
