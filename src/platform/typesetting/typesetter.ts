import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { endedBy, type Limits, usualLimits } from './limits.ts';
import type { Answered, Asked, Fault, Manuscript, WorkerSetting } from './messages.ts';

export type { Manuscript } from './messages.ts';

export type Typeset = { pdf: Uint8Array; pages: number };

/** Sets documents as PDF/A, off the event loop. */
export type Typesetter = {
  /** Rejects with a {@link TypesettingError}. When the signal is aborted, its worker is ended. */
  typeset(manuscript: Manuscript, signal?: AbortSignal): Promise<Typeset>;
  /** Ends its workers; what is under way fails. */
  close(): Promise<void>;
};

/**
 * A document that was not made. `template`: what is wrong with the template, with where; `pages`, `time`, `memory`: the limit
 * it met; `busy`: too many wait already; `crashed`: its worker ended, which another try may mend.
 */
export class TypesettingError extends Error {
  readonly reason: Fault['reason'] | 'time' | 'memory' | 'busy' | 'crashed';
  constructor(reason: TypesettingError['reason'], message: string) {
    super(message);
    this.name = 'TypesettingError';
    this.reason = reason;
  }
}

type Options = {
  log: Pick<Logger, 'warn'>;
  /** Workers at a time; by default one for each processor but one. */
  workers?: number;
  /** A folder of further fonts. */
  fontsFolder?: string | undefined;
  limits?: Partial<Limits>;
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

/** What a worker's environment holds: nothing of ours, and a proxy that cannot be there for whatever would go out. */
const nowhere = 'http://127.0.0.1:0';
const environment = {
  HOME: '/nonexistent',
  HTTP_PROXY: nowhere,
  HTTPS_PROXY: nowhere,
  ALL_PROXY: nowhere,
  http_proxy: nowhere,
  https_proxy: nowhere,
  all_proxy: nowhere,
};

export function createTypesetter({
  log,
  workers: most = Math.max(1, availableParallelism() - 1),
  fontsFolder,
  limits: own,
}: Options): Typesetter {
  const limits = { ...usualLimits, ...own };
  const setting: WorkerSetting = { limits, ...(fontsFolder === undefined ? {} : { fontsFolder }) };
  const workers = new Set<WorkerProcess>();
  const waiting: Order[] = [];
  let closed = false;
  let asked = 0;

  function start(): void {
    const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), [JSON.stringify(setting)], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=128'],
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const worker: WorkerProcess = { child, made: 0, ready: false, order: undefined, said: '', timer: undefined };
    workers.add(worker);
    child.stderr?.on('data', (text: Buffer) => {
      worker.said = (worker.said + text.toString()).slice(-mostSaid);
    });
    giveWay(child);
    child.on('message', (message: Answered | 'ready') => {
      if (message === 'ready') worker.ready = true;
      else finish(worker, message);
      next();
    });
    child.on('error', () => lose(worker, null));
    child.on('exit', (_code, signal) => lose(worker, signal));
  }

  /** Requests come first. */
  function giveWay(child: ChildProcess): void {
    try {
      if (child.pid !== undefined) setPriority(child.pid, 10);
    } catch {
      // Where it may not, documents and requests share alike.
    }
  }

  function finish(worker: WorkerProcess, answered: Answered): void {
    const { order } = worker;
    clearTimeout(worker.timer);
    worker.order = undefined;
    worker.made += 1;
    if (worker.made >= renewAfter.documents || answered.rss > renewAfter.bytes) end(worker);
    else rest(worker);
    if ('fault' in answered) order?.reject(new TypesettingError(answered.fault.reason, answered.fault.message));
    else order?.resolve({ pdf: answered.pdf, pages: answered.pages });
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
    else if (!worker.ready) failWaiting(worker.said);
    next();
  }

  function reasonOf(signal: NodeJS.Signals | null, said: string): TypesettingError {
    if (signal === endedBy.memory) return new TypesettingError('memory', `it took more than ${limits.memoryMb} MB`);
    if (signal === endedBy.time) return new TypesettingError('time', `it took longer than ${limits.cpuSeconds} s`);
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
