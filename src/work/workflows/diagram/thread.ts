import { Graph as Layered, layout as place } from '@dagrejs/dagre';
import { answerQuestions } from '../../../platform/thread-port.ts';
import { gap, type Graph, type Layout, margin, sideOf } from './graph.ts';

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
    // Arrows go from side to side. The library ends them where the line meets the edge of a box.
    arrows: arrows.map(([from, to]) => {
      const { points } = graph.edge(String(from), String(to)) as { points: { x: number; y: number }[] };
      // An arrow of at most three points has no box to go around.
      const around = points.length > 3 ? points.slice(1, -1) : [];
      return [sideOf(placed, boxes, from, 1), ...around, sideOf(placed, boxes, to, -1)];
    }),
  };
}

/** The thread that computes layouts. */
answerQuestions(layered);
