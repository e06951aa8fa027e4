import { LRUCache } from 'lru-cache';
import { openLimitedThread, ThreadLimitError } from '../../../platform/limited-thread.ts';
import { builtFile } from '../../../platform/entry-points.ts';
import { type Graph, inColumns, type Layout } from './graph.ts';

/** `makeMs`: CPU time of one layout. `waitMs`: time until a layout, including the wait for other layouts. Both are limits in milliseconds. */
const bounds = { makeMs: 2_000, waitMs: 4_000 } as const;
const maxKept = 500;

export type Layouts = {
  /** Returns the layout of a graph. Teams take turns in the queue. */
  of(team: string, graph: Graph): Promise<Layout>;
  close(): Promise<void>;
};

/** Computes layouts in a thread, one at a time, with teams in turn. A graph that exceeds a limit gets plain columns, so there is always a diagram. */
export function openLayouts({ makeMs, waitMs }: { makeMs: number; waitMs: number } = bounds): Layouts {
  const kept = new LRUCache<string, Layout>({ max: maxKept });
  const thread = openLimitedThread<Graph, Layout>(builtFile(new URL('./thread.ts', import.meta.url)));
  return {
    async of(team, graph) {
      const key = JSON.stringify(graph);
      const known = kept.get(key);
      if (known) return known;
      try {
        const made = await thread.ask(team, graph, { cpuMs: makeMs, waitMs });
        kept.set(key, made);
        return made;
      } catch (error) {
        if (!(error instanceof ThreadLimitError)) throw error;
        const columns = inColumns(graph);
        // Without CPU time the graph only waited, so a later request may get its layout.
        if (error.usedMs > makeMs) kept.set(key, columns);
        return columns;
      }
    },
    close: () => thread.close(),
  };
}
