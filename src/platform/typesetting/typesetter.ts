import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { installedFonts } from './fonts.ts';
import { launch } from './launch.ts';
import { endedBy, type Limits, usualLimits } from './limits.ts';
import type { TypesetResponse, TypesetRequest, TypesetError, Finding, Manuscript } from './messages.ts';

export type { Manuscript } from './messages.ts';

/** A typeset document. `found` has the results of the query, in document order. */
export type Typeset = { pdf: Uint8Array; pages: number; found?: unknown[] };

/** Typesets documents as PDF/A, off the event loop. */
export type Typesetter = {
  /** Rejects with a {@link TypesettingError}. Aborting the signal ends the worker. */
  typeset(manuscript: Manuscript, signal?: AbortSignal): Promise<Typeset>;
  /** Ends all workers. Documents in progress fail. */
  close(): Promise<void>;
};

/**
 * Thrown if a document was not created. `template`, `schema`, `data`: `findings` has the errors. `pages`, `time`, `memory`: a limit was exceeded.
 * `busy`: too many documents wait. `crashed`: the worker ended, and a retry can succeed.
 */
export class TypesettingError extends Error {
  readonly reason: TypesetError['reason'] | 'time' | 'memory' | 'busy' | 'crashed';
  /** The errors of the template, its schema or the values. */
  readonly findings: readonly Finding[];
  constructor(reason: TypesettingError['reason'], message: string, findings: readonly Finding[] = []) {
    super(message);
    this.name = 'TypesettingError';
    this.reason = reason;
    this.findings = findings;
  }
}

type TypesetterOptions = {
  log: Pick<Logger, 'warn'>;
  /** Maximum number of workers. Default: one less than the number of processors. */
  workers?: number;
  /** A folder with additional fonts. */
  fontsFolder?: string | undefined;
  limits?: Partial<Limits>;
  /**
   * Whether templates are untrusted. Each document then gets a separate process with system limits, so that documents cannot affect each other. One
   * process is always ready.
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
  /** Whether the fonts are loaded. */
  ready: boolean;
  order: Order | undefined;
  /** The end of its stderr output, for the log of an unexpected exit. */
  said: string;
  timer: NodeJS.Timeout | undefined;
};

/** Memory in MB after which a worker is replaced, because its memory grows with each document. */
const renewAfter = { documents: 400, bytes: 200 * 1024 * 1024 };
const idleMs = 60_000;
const maxWaiting = 200;
const maxSaid = 2_000;
/** Additional seconds that the parent waits after the limit of the watch thread. */
const graceSeconds = 5;

export const createTypesetter = (options: TypesetterOptions): Typesetter => new WorkerTypesetter(options);

class WorkerTypesetter implements Typesetter {
  readonly #log: TypesetterOptions['log'];
  readonly #limits: Limits;
  readonly #launched: Parameters<typeof launch>[0];
  readonly #confined: boolean;
  /** Maximum number of workers, and of documents per worker. */
  readonly #most: number;
  readonly #maxMade: number;
  readonly #workers = new Set<WorkerProcess>();
  readonly #waiting: Order[] = [];
  #closed = false;
  #asked = 0;

  constructor({ log, workers = Math.max(1, availableParallelism() - 1), fontsFolder, limits, confined = false }: TypesetterOptions) {
    this.#log = log;
    this.#limits = { ...usualLimits, ...limits };
    this.#launched = { limits: this.#limits, fonts: installedFonts(fontsFolder) };
    this.#confined = confined;
    this.#most = workers;
    this.#maxMade = confined ? 1 : renewAfter.documents;
  }

  typeset(manuscript: Manuscript, signal?: AbortSignal): Promise<Typeset> {
    return new Promise<Typeset>((resolve, reject) => {
      for (const path of Object.keys(manuscript.files)) {
        if (!/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/.test(path)) throw new TypeError(`${path} is not a valid template path`);
      }
      signal?.throwIfAborted();
      if (this.#closed || this.#waiting.length >= maxWaiting) throw new TypesettingError('busy', 'Too many documents are waiting.');
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
    for (const order of this.#waiting.splice(0)) order.reject(new TypesettingError('crashed', 'The service is stopping.'));
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
    // A start takes a quarter of a second, so a process for the next document starts now.
    if (this.#confined && !this.#closed && this.#workers.size < this.#most) this.#start();
    if ('error' in answered) order?.reject(new TypesettingError(answered.error.reason, answered.error.message, answered.error.findings));
    else order?.resolve({ pdf: answered.pdf, pages: answered.pages, ...(answered.found === undefined ? {} : { found: answered.found }) });
  }

  /** Lets the service exit while the worker is idle, and ends the worker after the idle time. */
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
    if (signal === endedBy.memory) return new TypesettingError('memory', `The document needs more than ${this.#limits.memoryMb} MB.`);
    if (signal === endedBy.time || (this.#confined && signal === 'SIGXCPU'))
      return new TypesettingError('time', `The document takes longer than ${this.#limits.cpuSeconds} s.`);
    // A process without memory or stack space aborts itself.
    if (this.#confined && signal !== null && signal !== 'SIGKILL')
      return new TypesettingError('memory', 'The document exceeds the memory limit of the process.');
    this.#log.warn({ signal, said }, 'A typesetting process ended during a document');
    return new TypesettingError('crashed', 'The typesetting process ended.');
  }

  /** Rejects the waiting documents instead of starting another worker immediately, because the last worker did not start. */
  #failWaiting(said: string): void {
    this.#log.warn({ said }, 'A typesetting process did not start');
    for (const order of this.#waiting.splice(0)) order.reject(new TypesettingError('crashed', 'The typesetting process did not start.'));
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
