/** A step of a workflow, as the diagram needs it. */
export type GraphStep = { id: string; dependsOn?: readonly string[] };
type Point = { x: number; y: number };
/** Where the boxes and the points of the arrows are (pixels). The place of a box is its top left corner. */
export type GraphLayout = { width: number; height: number; boxes: readonly Point[]; arrows: readonly Arrow[] };
type Arrow = { from: number; to: number; points: readonly Point[] };

export const box = { width: 184, height: 76 } as const;
const gap = { columns: 48, boxes: 20 } as const;
/** Room for the outline of a box with the focus. */
const margin = 6;
/** The height of an arrow that passes a column between other boxes. */
const passage = 16;

/** Returns the arrows of steps by their index, without implied ones. If c depends on b, and b on a, no arrow leads from a to c. */
export function arrowsOf(steps: readonly GraphStep[]): [from: number, to: number][] {
  const { direct, before } = dependenciesOf(steps);
  return direct.flatMap((froms, to) => {
    const implied = froms.reduce((all, from) => all | (before[from] ?? 0n), 0n);
    return froms.filter((from) => ((implied >> BigInt(from)) & 1n) === 0n).map((from): [number, number] => [from, to]);
  });
}

/** The direct dependencies of each step, the set of all its dependencies as bits, and its column: one after its last dependency. */
function dependenciesOf(steps: readonly GraphStep[]) {
  const place = new Map(steps.map(({ id }, at) => [id, at]));
  const direct = steps.map(({ dependsOn = [] }) => [...new Set(dependsOn)].flatMap((id) => place.get(id) ?? []));
  const before: (bigint | undefined)[] = steps.map(() => undefined);
  const column = steps.map(() => 0);
  const visit = (at: number): bigint => {
    const known = before[at];
    if (known !== undefined) return known;
    // The service accepts no cycles. This keeps a cycle from repeating forever.
    before[at] = 0n;
    let all = 0n;
    for (const from of direct[at] ?? []) {
      all |= visit(from) | (1n << BigInt(from));
      column[at] = Math.max(column[at] ?? 0, (column[from] ?? 0) + 1);
    }
    before[at] = all;
    return all;
  };
  for (const at of steps.keys()) visit(at);
  return { direct, before, column };
}

/** A box, or an arrow that passes its column. */
type Slot = { step: number | undefined; height: number; y: number; sources: Slot[] };

/** Places steps from left to right, each after its dependencies and beside them. Arrows pass between the boxes of the columns that they cross. */
export function layoutOf(steps: readonly GraphStep[]): GraphLayout {
  const { column } = dependenciesOf(steps);
  const columns: Slot[][] = [];
  const put = (at: number, slot: Slot) => {
    (columns[at] ??= []).push(slot);
    return slot;
  };
  const boxes = steps.map((_, at) => put(column[at] ?? 0, { step: at, height: box.height, y: 0, sources: [] }));
  const routes = arrowsOf(steps).map(([from, to]) => {
    const slots = [boxes[from] as Slot];
    for (let at = (column[from] ?? 0) + 1; at < (column[to] ?? 0); at += 1)
      slots.push(put(at, { step: undefined, height: passage, y: 0, sources: slots.slice(-1) }));
    const last = boxes[to] as Slot;
    last.sources.push(...slots.slice(-1));
    return { from, to, slots: [...slots, last] };
  });
  const heightOf = (slots: readonly Slot[]) => slots.reduce((sum, { height }) => sum + height + gap.boxes, -gap.boxes);
  const height = Math.max(0, ...columns.map(heightOf));
  for (const slots of columns) {
    // Boxes are beside the boxes that lead to them.
    const wanted = new Map(slots.map((slot) => [slot, mean(slot.sources.map((one) => one.y + one.height / 2))]));
    slots.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    let y = margin + (height - heightOf(slots)) / 2;
    for (const slot of slots) {
      slot.y = y;
      y += slot.height + gap.boxes;
    }
  }
  const left = (at: number) => margin + at * (box.width + gap.columns);
  const middle = ({ y, height: of }: Slot) => y + of / 2;
  return {
    width: left(Math.max(0, columns.length - 1)) + box.width + margin,
    height: height + 2 * margin,
    boxes: boxes.map(({ y }, at) => ({ x: left(column[at] ?? 0), y })),
    arrows: routes.map(({ from, to, slots }) => {
      const start = column[from] ?? 0;
      const points = slots.flatMap((slot, step): Point[] => {
        const [x, y] = [left(start + step), middle(slot)];
        if (step === 0) return [{ x: x + box.width, y }];
        return step === slots.length - 1
          ? [{ x, y }]
          : [
              { x, y },
              { x: x + box.width, y },
            ];
      });
      return { from, to, points };
    }),
  };
}

const mean = (values: readonly number[]) => (values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length);

/** A curve through points that leaves and enters each point horizontally. */
export function curveOf(points: readonly Point[]): string {
  return points
    .map(({ x, y }, at) => {
      const before = points[at - 1];
      if (before === undefined) return `M${x} ${y}`;
      const half = (before.x + x) / 2;
      return `C${half} ${before.y} ${half} ${y} ${x} ${y}`;
    })
    .join('');
}
