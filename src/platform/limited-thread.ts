import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { FairQueue, QueueFullError } from './fair-queue.ts';

/** A thread that answers one question at a time, teams in turn. It starts with the first question and ends when it is idle. */
export type LimitedThread<Question, Answer> = {
  /** Rejects with a {@link ThreadLimitError} where a limit is reached; the next question gets a new thread. `team`: whose question it is. */
  ask(team: string, question: Question, limits: AskLimits): Promise<Answer>;
  close(): Promise<void>;
};

export type AskLimits = {
  /** CPU time of the question in milliseconds: a busy machine does not use it up. */
  cpuMs: number;
  /** Milliseconds until the answer, including the wait for the questions of others. */
  waitMs: number;
  /** A further limit, which the thread reports on in shared memory. Called with the CPU time in milliseconds every 25 ms. */
  isExhausted?: (usedMs: number) => boolean;
};

/** A question without an answer: it took too much CPU time, memory or time. `usedMs`: its CPU time in milliseconds. */
export class ThreadLimitError extends Error {
  readonly usedMs: number;

  constructor(usedMs: number, cause?: unknown) {
    super('the thread reached a limit', { cause });
    this.usedMs = usedMs;
  }
}

const watchEveryMs = 25;
const idleMs = 30_000;
const waiting = { maxWaiting: 10_000, maxWaitingPerKey: 1_000 };

/** @param entry The module of the thread, which calls `answerQuestions`. */
export const openLimitedThread = <Question, Answer>(entry: URL): LimitedThread<Question, Answer> =>
  new WatchedThread<Question, Answer>(entry);

class WatchedThread<Question, Answer> implements LimitedThread<Question, Answer> {
  readonly #entry: URL;
  readonly #turns = new FairQueue({ concurrency: 1, concurrencyPerKey: 1, ...waiting });
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(entry: URL) {
    this.#entry = entry;
  }

  async ask(team: string, question: Question, limits: AskLimits): Promise<Answer> {
    const late = new AbortController();
    // The timer keeps the process alive until the answer. The thread does not.
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
    // Node.js can report lack of memory also after a limit ended the thread.
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
      // Not awaited: the next question gets another thread, however long this one takes to end.
      void this.close();
      throw new ThreadLimitError(usedMs, error);
    } finally {
      clearInterval(watch);
      running?.off('exit', exited);
    }
  }
}
