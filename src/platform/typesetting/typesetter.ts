import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { launch } from './launch.ts';
import { endedBy, type Limits, usualLimits } from './limits.ts';
import type { TypesetResponse, TypesetRequest, TypesetError, Finding, Manuscript } from './messages.ts';

export type { Manuscript } from './messages.ts';

/** `found`: the values that the query of the manuscript has found, in the order in which they stand. */
export type Typeset = { pdf: Uint8Array; pages: number; found?: unknown[] };

/** Sets documents as PDF/A, off the event loop. */
export type Typesetter = {
  /** Rejects with a {@link TypesettingError}. When the signal is aborted, its worker is ended. */
  typeset(manuscript: Manuscript, signal?: AbortSignal): Promise<Typeset>;
  /** Ends its workers; what is under way fails. */
  close(): Promise<void>;
};

/**
 * A document that was not made. `template`: what is wrong with the template, with where; `schema`, `data`: what is wrong with the schema
 * or where the values do not fit it; `pages`, `time`, `memory`: the limit it met; `busy`: too many wait already; `crashed`: its worker ended, which another try may mend.
 */
export class TypesettingError extends Error {
  readonly reason: TypesetError['reason'] | 'time' | 'memory' | 'busy' | 'crashed';
  /** What is wrong, one by one, where the template, its schema or the values are at fault. */
  readonly findings: readonly Finding[];
  constructor(reason: TypesettingError['reason'], message: string, findings: readonly Finding[] = []) {
    super(message);
    this.name = 'TypesettingError';
    this.reason = reason;
    this.findings = findings;
  }
}

type Options = {
  log: Pick<Logger, 'warn'>;
  /** Workers at a time; by default one for each processor but one. */
  workers?: number;
  /** A folder of further fonts. */
  fontsFolder?: string | undefined;
  limits?: Partial<Limits>;
  /**
   * For templates of strangers: each document has a process of its own, which is confined by the system as well, so that nothing of one
   * reaches the next. One process is kept ready.
   */
  confined?: boolean;
};

type Order = {
  manuscript: Manuscript;
  signal: AbortSignal | undefined;
  resolve: (made: Typeset) => void;
  reject: (error: unknown) => void;
};

type WorkerProcess = {
  child: ChildProcess;
  made: number;
  /** Whether its fonts are read. */
  ready: boolean;
  order: Order | undefined;
  /** The end of what it wrote about itself, for the log when it ends unasked. */
  said: string;
  timer: NodeJS.Timeout | undefined;
};

/** Memory grows with each document: a worker is replaced before it meets the limit. */
const renewAfter = { documents: 400, bytes: 200 * 1024 * 1024 };
const idleMs = 60_000;
const maxWaiting = 200;
const maxSaid = 2_000;
/** How much longer than the worker's own watch the parent waits. */
const graceSeconds = 5;

export const createTypesetter = (options: Options): Typesetter => new WorkerTypesetter(options);

class WorkerTypesetter implements Typesetter {
  readonly #log: Options['log'];
  readonly #limits: Limits;
  readonly #launched: Parameters<typeof launch>[0];
  readonly #confined: boolean;
  /** Workers at a time, and the documents of each. */
  readonly #most: number;
  readonly #maxMade: number;
  readonly #workers = new Set<WorkerProcess>();
  readonly #waiting: Order[] = [];
  #closed = false;
  #asked = 0;

  constructor({ log, workers = Math.max(1, availableParallelism() - 1), fontsFolder, limits, confined = false }: Options) {
    this.#log = log;
    this.#limits = { ...usualLimits, ...limits };
    this.#launched = { limits: this.#limits, ...(fontsFolder === undefined ? {} : { fontsFolder }) };
    this.#confined = confined;
    this.#most = workers;
    this.#maxMade = confined ? 1 : renewAfter.documents;
  }

  typeset(manuscript: Manuscript, signal?: AbortSignal): Promise<Typeset> {
    return new Promise<Typeset>((resolve, reject) => {
      for (const path of Object.keys(manuscript.files)) {
        if (!/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/.test(path)) throw new TypeError(`${path} is no path of a template`);
      }
      signal?.throwIfAborted();
      if (this.#closed || this.#waiting.length >= maxWaiting) throw new TypesettingError('busy', 'too many documents wait to be set');
      const order = { manuscript, signal, resolve, reject };
      signal?.addEventListener(
        'abort',
        () => {
          const at = this.#waiting.indexOf(order);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(signal.reason as Error);
        },
        { once: true },
      );
      this.#waiting.push(order);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const order of this.#waiting.splice(0)) order.reject(new TypesettingError('crashed', 'the service is stopping'));
    const ended = [...this.#workers].map(
      ({ child }) =>
        new Promise<void>((resolve) => {
          child.once('exit', () => resolve());
          child.ref();
          child.kill('SIGKILL');
        }),
    );
    await Promise.all(ended);
  }

  #start(): void {
    const child = launch(this.#launched, this.#confined);
    const worker: WorkerProcess = { child, made: 0, ready: false, order: undefined, said: '', timer: undefined };
    this.#workers.add(worker);
    child.stderr?.on('data', (text: Buffer) => {
      worker.said = (worker.said + text.toString()).slice(-maxSaid);
    });
    child.on('message', (message: TypesetResponse | 'ready') => {
      if (message === 'ready') {
        worker.ready = true;
        this.#rest(worker);
      } else this.#finish(worker, message);
      this.#next();
    });
    child.on('error', () => this.#lose(worker, null));
    child.on('exit', (_code, signal) => this.#lose(worker, signal));
  }

  #finish(worker: WorkerProcess, answered: TypesetResponse): void {
    const { order } = worker;
    clearTimeout(worker.timer);
    worker.order = undefined;
    worker.made += 1;
    if (worker.made >= this.#maxMade || answered.rss > renewAfter.bytes) this.#end(worker);
    else this.#rest(worker);
    // To start one takes a quarter of a second: the next document finds it ready.
    if (this.#confined && !this.#closed && this.#workers.size < this.#most) this.#start();
    if ('error' in answered) order?.reject(new TypesettingError(answered.error.reason, answered.error.message, answered.error.findings));
    else order?.resolve({ pdf: answered.pdf, pages: answered.pages, ...(answered.found === undefined ? {} : { found: answered.found }) });
  }

  /** A worker with nothing to do keeps no process alive, and is ended after a while. */
  #rest(worker: WorkerProcess): void {
    worker.timer = setTimeout(() => this.#end(worker), idleMs).unref();
    for (const handle of handlesOf(worker)) handle.unref();
  }

  #end(worker: WorkerProcess): void {
    clearTimeout(worker.timer);
    this.#workers.delete(worker);
    worker.child.kill('SIGKILL');
  }

  #lose(worker: WorkerProcess, signal: NodeJS.Signals | null): void {
    clearTimeout(worker.timer);
    this.#workers.delete(worker);
    const { order } = worker;
    worker.order = undefined;
    if (order) order.reject(this.#reasonOf(signal, worker.said));
    else if (!worker.ready && !this.#closed) this.#failWaiting(worker.said);
    this.#next();
  }

  #reasonOf(signal: NodeJS.Signals | null, said: string): TypesettingError {
    if (signal === endedBy.memory) return new TypesettingError('memory', `it took more than ${this.#limits.memoryMb} MB`);
    if (signal === endedBy.time || (this.#confined && signal === 'SIGXCPU'))
      return new TypesettingError('time', `it took longer than ${this.#limits.cpuSeconds} s`);
    // What is refused memory by the system, or exhausts its stack, ends itself.
    if (this.#confined && signal !== null && signal !== 'SIGKILL')
      return new TypesettingError('memory', 'it took more than a process may have');
    this.#log.warn({ signal, said }, 'a process that sets documents ended in the middle of one');
    return new TypesettingError('crashed', 'the process that was to set it ended');
  }

  /** A worker that does not even start is no reason to start another at once. */
  #failWaiting(said: string): void {
    this.#log.warn({ said }, 'a process that sets documents did not start');
    for (const order of this.#waiting.splice(0))
      order.reject(new TypesettingError('crashed', 'the process that was to set it did not start'));
  }

  #next(): void {
    if (this.#closed || this.#waiting.length === 0) return;
    const free = [...this.#workers].find(({ ready, order }) => ready && !order);
    const starting = [...this.#workers].filter(({ ready }) => !ready).length;
    if (!free) {
      if (this.#workers.size < this.#most && starting < this.#waiting.length) this.#start();
      return;
    }
    const order = this.#waiting.shift();
    if (!order) return;
    this.#send(free, order);
    this.#next();
  }

  #send(worker: WorkerProcess, order: Order): void {
    const { manuscript, signal } = order;
    clearTimeout(worker.timer);
    this.#asked += 1;
    worker.order = order;
    for (const handle of handlesOf(worker)) handle.ref();
    worker.timer = setTimeout(() => worker.child.kill(endedBy.time), (this.#limits.wallSeconds + graceSeconds) * 1_000);
    signal?.addEventListener('abort', () => worker.order === order && this.#end(worker), { once: true });
    const message: TypesetRequest = {
      id: this.#asked,
      files: manuscript.files,
      data: JSON.stringify(manuscript.data),
      standard: manuscript.standard ?? 'a-2a',
      schema: manuscript.schema,
      schemaKnown: manuscript.schemaKnown === true,
      ...(manuscript.query === undefined ? {} : { query: manuscript.query }),
    };
    worker.child.send(message, (error) => error && this.#lose(worker, null));
  }
}

function handlesOf({ child }: WorkerProcess): { ref(): void; unref(): void }[] {
  return [child, child.channel, child.stderr as Socket | null].filter((handle) => handle !== null && handle !== undefined);
}
