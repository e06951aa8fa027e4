import { placesBefore } from '../steps.ts';

/** The size of a box in the diagram, in pixels. */
export type BoxSize = { width: number; height: number };
/** Boxes, and arrows between them by their index in the list. The layout depends on this alone. */
export type Graph = { boxes: readonly BoxSize[]; arrows: readonly (readonly [from: number, to: number])[] };

type Point = { x: number; y: number };
/** The centers of the boxes, and the points of each arrow from its start to its end (pixels). */
export type Layout = { width: number; height: number; boxes: readonly Point[]; arrows: readonly (readonly Point[])[] };

/** Gaps between columns, and between the boxes of a column (pixels). */
export const gap = { columns: 56, boxes: 24 } as const;
export const margin = 16;

/**
 * Returns the dependencies of steps without implied ones: if c depends on b and b on a, there is no arrow from a to c.
 */
export function arrowsOf(steps: readonly { id: string; depends_on: readonly string[] }[]): [from: number, to: number][] {
  const place = new Map(steps.map(({ id }, at) => [id, at]));
  const direct = steps.map(({ depends_on: ids }, at) =>
    [...new Set(ids)].flatMap((id) => place.get(id) ?? []).filter((from) => from !== at),
  );
  const before = placesBefore(steps);
  return direct.flatMap((froms, to) => {
    const implied = froms.reduce((all, from) => all | before(from), 0n);
    return froms.filter((from) => ((implied >> BigInt(from)) & 1n) === 0n).map((from): [number, number] => [from, to]);
  });
}

/** Returns the center of the right (1) or left (-1) side of a box. */
export function sideOf(placed: readonly Point[], boxes: readonly BoxSize[], at: number, by: -1 | 1): Point {
  const { x, y } = placed[at] ?? { x: 0, y: 0 };
  return { x: x + (by * (boxes[at]?.width ?? 0)) / 2, y };
}

/**
 * A plain layout for graphs whose usual layout takes too long. Its time depends only on the size of the graph. Each box is in the column after its
 * last predecessor, in the order of the list. Arrows are straight lines.
 */
export function inColumns({ boxes, arrows }: Graph): Layout {
  const column = boxes.map(() => 0);
  const leading = Map.groupBy(arrows, ([from]) => from);
  const missing = boxes.map((_, at) => arrows.filter(([, to]) => to === at).length);
  const free = boxes.flatMap((_, at) => (missing[at] === 0 ? [at] : []));
  for (let at = free.pop(); at !== undefined; at = free.pop())
    for (const [, to] of leading.get(at) ?? []) {
      column[to] = Math.max(column[to] ?? 0, (column[at] ?? 0) + 1);
      missing[to] = (missing[to] ?? 0) - 1;
      if (missing[to] === 0) free.push(to);
    }
  const widest = Math.max(0, ...boxes.map(({ width }) => width));
  const filled: number[] = [];
  const placed = boxes.map(({ height }, at): Point => {
    const top = filled[column[at] ?? 0] ?? margin;
    filled[column[at] ?? 0] = top + height + gap.boxes;
    return { x: margin + (column[at] ?? 0) * (widest + gap.columns) + widest / 2, y: top + height / 2 };
  });
  return {
    width: 2 * margin + Math.max(0, ...column) * (widest + gap.columns) + widest,
    height: Math.max(margin, ...filled.map((to) => to - gap.boxes)) + margin,
    boxes: placed,
    arrows: arrows.map(([from, to]) => [sideOf(placed, boxes, from, 1), sideOf(placed, boxes, to, -1)]),
  };
}
