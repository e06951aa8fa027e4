import { parentPort } from 'node:worker_threads';
import { Graph as Layered, layout as place } from '@dagrejs/dagre';
import { gap, type Graph, type Layout, margin } from './graph.ts';

/** The thread in which layouts are made, one after the other; whoever waits ends it when one takes too long. */

function layered({ boxes, arrows }: Graph): Layout {
  const graph = new Layered();
  graph.setGraph({ rankdir: 'LR', ranksep: gap.columns, nodesep: gap.boxes, marginx: margin, marginy: margin });
  for (const [at, box] of boxes.entries()) graph.setNode(String(at), { ...box });
  for (const [from, to] of arrows) graph.setEdge(String(from), String(to), {});
  place(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    boxes: boxes.map((_, at) => {
      const { x, y } = graph.node(String(at)) as { x: number; y: number };
      return { x, y };
    }),
    arrows: arrows.map(([from, to]) => (graph.edge(String(from), String(to)) as { points: { x: number; y: number }[] }).points),
  };
}

parentPort?.on('message', (graph: Graph) => parentPort?.postMessage(layered(graph), []));
