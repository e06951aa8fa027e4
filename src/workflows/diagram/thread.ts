import { parentPort } from 'node:worker_threads';
import { Graph as Layered, layout as place } from '@dagrejs/dagre';
import { gap, type Graph, type Layout, margin, sideOf } from './graph.ts';

/** The thread in which layouts are made, one after the other; whoever waits ends it when one takes too long. */

function layered({ boxes, arrows }: Graph): Layout {
  const graph = new Layered();
  graph.setGraph({ rankdir: 'LR', ranksep: gap.columns, nodesep: gap.boxes, marginx: margin, marginy: margin });
  for (const [at, box] of boxes.entries()) graph.setNode(String(at), { ...box });
  for (const [from, to] of arrows) graph.setEdge(String(from), String(to), {});
  place(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const placed = boxes.map((_, at) => {
    const { x, y } = graph.node(String(at)) as { x: number; y: number };
    return { x, y };
  });
  return {
    width,
    height,
    boxes: placed,
    // From the side of the one to that of the other: the library leads them to wherever the line meets the edge of a box.
    arrows: arrows.map(([from, to]) => {
      const { points } = graph.edge(String(from), String(to)) as { points: { x: number; y: number }[] };
      // Between two that stand side by side there is nothing to go around.
      const around = points.length > 3 ? points.slice(1, -1) : [];
      return [sideOf(placed, boxes, from, 1), ...around, sideOf(placed, boxes, to, -1)];
    }),
  };
}

parentPort?.on('message', (graph: Graph) => parentPort?.postMessage(layered(graph), []));
