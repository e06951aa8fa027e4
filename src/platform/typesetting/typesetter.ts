import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { launch } from './launch.ts';
import { endedBy, type Limits, usualLimits } from './limits.ts';
import type { Answered, Asked, Fault, Finding, Manuscript } from './messages.ts';

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
  readonly reason: Fault['reason'] | 'time' | 'memory' | 'busy' | 'crashed';
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
const mostWaiting = 200;
const mostSaid = 2_000;
/** How much longer than the worker's own watch the parent waits. */
const graceSeconds = 5;

export function createTypesetter({
  log,
  workers: most = Math.max(1, availableParallelism() - 1),
  fontsFolder,
  limits: own,
  confined = false,
}: Options): Typesetter {
  const limits = { ...usualLimits, ...own };
  const mostMade = confined ? 1 : renewAfter.documents;
  const workers = new Set<WorkerProcess>();
  const waiting: Order[] = [];
  let closed = false;
  let asked = 0;

  function start(): void {
    const child = launch({ limits, ...(fontsFolder === undefined ? {} : { fontsFolder }) }, confined);
    const worker: WorkerProcess = { child, made: 0, ready: false, order: undefined, said: '', timer: undefined };
    workers.add(worker);
    child.stderr?.on('data', (text: Buffer) => {
      worker.said = (worker.said + text.toString()).slice(-mostSaid);
    });
    child.on('message', (message: Answered | 'ready') => {
      if (message === 'ready') {
        worker.ready = true;
        rest(worker);
      } else finish(worker, message);
      next();
    });
    child.on('error', () => lose(worker, null));
    child.on('exit', (_code, signal) => lose(worker, signal));
  }

  function finish(worker: WorkerProcess, answered: Answered): void {
    const { order } = worker;
    clearTimeout(worker.timer);
    worker.order = undefined;
    worker.made += 1;
    if (worker.made >= mostMade || answered.rss > renewAfter.bytes) end(worker);
    else rest(worker);
    // To start one takes a quarter of a second: the next document finds it ready.
    if (confined && !closed && workers.size < most) start();
    if ('fault' in answered) order?.reject(new TypesettingError(answered.fault.reason, answered.fault.message, answered.fault.findings));
    else order?.resolve({ pdf: answered.pdf, pages: answered.pages, ...(answered.found === undefined ? {} : { found: answered.found }) });
  }

  /** A worker with nothing to do keeps no process alive, and is ended after a while. */
  function rest(worker: WorkerProcess): void {
    worker.timer = setTimeout(() => end(worker), idleMs).unref();
    for (const handle of handlesOf(worker)) handle.unref();
  }

  function handlesOf({ child }: WorkerProcess): { ref(): void; unref(): void }[] {
    return [child, child.channel, child.stderr as Socket | null].filter((handle) => handle !== null && handle !== undefined);
  }

  function end(worker: WorkerProcess): void {
    clearTimeout(worker.timer);
    workers.delete(worker);
    worker.child.kill('SIGKILL');
  }

  function lose(worker: WorkerProcess, signal: NodeJS.Signals | null): void {
    clearTimeout(worker.timer);
    workers.delete(worker);
    const { order } = worker;
    worker.order = undefined;
    if (order) order.reject(reasonOf(signal, worker.said));
    else if (!worker.ready && !closed) failWaiting(worker.said);
    next();
  }

  function reasonOf(signal: NodeJS.Signals | null, said: string): TypesettingError {
    if (signal === endedBy.memory) return new TypesettingError('memory', `it took more than ${limits.memoryMb} MB`);
    if (signal === endedBy.time || (confined && signal === 'SIGXCPU'))
      return new TypesettingError('time', `it took longer than ${limits.cpuSeconds} s`);
    // What is refused memory by the system, or exhausts its stack, ends itself.
    if (confined && signal !== null && signal !== 'SIGKILL') return new TypesettingError('memory', 'it took more than a process may have');
    log.warn({ signal, said }, 'a process that sets documents ended in the middle of one');
    return new TypesettingError('crashed', 'the process that was to set it ended');
  }

  /** A worker that does not even start is no reason to start another at once. */
  function failWaiting(said: string): void {
    log.warn({ said }, 'a process that sets documents did not start');
    for (const order of waiting.splice(0)) order.reject(new TypesettingError('crashed', 'the process that was to set it did not start'));
  }

  function next(): void {
    if (closed || waiting.length === 0) return;
    const free = [...workers].find(({ ready, order }) => ready && !order);
    const starting = [...workers].filter(({ ready }) => !ready).length;
    if (!free) {
      if (workers.size < most && starting < waiting.length) start();
      return;
    }
    const order = waiting.shift();
    if (!order) return;
    send(free, order);
    next();
  }

  function send(worker: WorkerProcess, order: Order): void {
    const { manuscript, signal } = order;
    clearTimeout(worker.timer);
    asked += 1;
    worker.order = order;
    for (const handle of handlesOf(worker)) handle.ref();
    worker.timer = setTimeout(() => worker.child.kill(endedBy.time), (limits.wallSeconds + graceSeconds) * 1_000);
    signal?.addEventListener('abort', () => worker.order === order && end(worker), { once: true });
    const message: Asked = {
      id: asked,
      files: manuscript.files,
      data: JSON.stringify(manuscript.data),
      standard: manuscript.standard ?? 'a-2a',
      schema: manuscript.schema,
      schemaKnown: manuscript.schemaKnown === true,
      ...(manuscript.query === undefined ? {} : { query: manuscript.query }),
    };
    worker.child.send(message, (error) => error && lose(worker, null));
  }

  return {
    typeset(manuscript, signal) {
      return new Promise<Typeset>((resolve, reject) => {
        for (const path of Object.keys(manuscript.files)) {
          if (!/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.-]+(?:\/[\w.-]+)*$/.test(path)) throw new TypeError(`${path} is no path of a template`);
        }
        signal?.throwIfAborted();
        if (closed || waiting.length >= mostWaiting) throw new TypesettingError('busy', 'too many documents wait to be set');
        const order = { manuscript, signal, resolve, reject };
        signal?.addEventListener(
          'abort',
          () => {
            const at = waiting.indexOf(order);
            if (at >= 0) waiting.splice(at, 1);
            reject(signal.reason as Error);
          },
          { once: true },
        );
        waiting.push(order);
        next();
      });
    },
    async close() {
      closed = true;
      for (const order of waiting.splice(0)) order.reject(new TypesettingError('crashed', 'the service is stopping'));
      const ended = [...workers].map(
        ({ child }) =>
          new Promise<void>((resolve) => {
            child.once('exit', () => resolve());
            child.ref();
            child.kill('SIGKILL');
          }),
      );
      await Promise.all(ended);
    },
  };
}
