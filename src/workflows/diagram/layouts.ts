import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { type Graph, inColumns, type Layout } from './graph.ts';

/** Milliseconds that one layout may take, and that somebody waits for those of others; layouts that are kept. */
const bounds = { makeMs: 2_000, waitMs: 4_000, idleMs: 30_000, kept: 500 } as const;

export type Layouts = {
  /** Where the boxes and arrows of a graph stand. `team`: whose it is; teams have turns. */
  of(team: string, graph: Graph): Promise<Layout>;
  close(): Promise<void>;
};

type Wanted = { graph: Graph; done: (layout: Layout) => void };

/**
 * Makes layouts in a thread of their own, one at a time and of one team after the other. A graph that takes too long, or whose
 * turn does not come soon enough, is laid out in plain columns: a picture is answered in any case.
 */
export function openLayouts(limits: { makeMs: number; waitMs: number } = bounds): Layouts {
  const kept = new LRUCache<string, Layout>({ max: bounds.kept });
  const waiting = new Map<string, Wanted[]>();
  let thread: Worker | undefined;
  let busy = false;
  let idle: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    const ending = thread;
    thread = undefined;
    clearTimeout(idle);
    await ending?.terminate();
  };

  const make = async (graph: Graph): Promise<Layout | undefined> => {
    clearTimeout(idle);
    thread ??= startThread();
    // The deadline has to keep the process awake: the thread does not.
    const late = new AbortController();
    const deadline = setTimeout(() => late.abort(), limits.makeMs);
    try {
      const answered = once(thread, 'message', { signal: late.signal });
      thread.postMessage(graph, []);
      return ((await answered) as [Layout])[0];
    } catch {
      // Not waited for: the next one has a thread of its own, however long this one takes to end.
      void end();
      return undefined;
    } finally {
      clearTimeout(deadline);
      if (thread) idle = setTimeout(() => void end(), bounds.idleMs).unref();
    }
  };

  const work = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    for (let [team, queue] = waiting.entries().next().value ?? []; team !== undefined && queue !== undefined;) {
      const next = queue.shift();
      // Whose turn it was is the last to have another.
      waiting.delete(team);
      if (queue.length > 0) waiting.set(team, queue);
      if (next) {
        const made = (await make(next.graph)) ?? inColumns(next.graph);
        kept.set(JSON.stringify(next.graph), made);
        next.done(made);
      }
      [team, queue] = waiting.entries().next().value ?? [];
    }
    busy = false;
  };

  return {
    async of(team, graph) {
      const known = kept.get(JSON.stringify(graph));
      if (known) return known;
      return new Promise<Layout>((resolve) => {
        const wanted: Wanted = { graph, done: resolve };
        const patience = setTimeout(() => {
          const queue = waiting.get(team);
          if (!queue?.includes(wanted)) return;
          queue.splice(queue.indexOf(wanted), 1);
          if (queue.length === 0) waiting.delete(team);
          resolve(inColumns(graph));
        }, limits.waitMs);
        wanted.done = (made) => {
          clearTimeout(patience);
          resolve(made);
        };
        waiting.set(team, [...(waiting.get(team) ?? []), wanted]);
        void work();
      });
    },
    close: end,
  };
}

function startThread(): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  // A thread can run out of memory after its deadline. Without a listener that error ends the process.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}
