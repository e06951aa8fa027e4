/** A rectangle in points from the left and the top of a page. */
export type FieldArea = { x: number; y: number; width: number; height: number };
export type PageSize = { width: number; height: number };

/** The smallest width and height of a field. */
export const minSize = 8;
/** Distance at which a moved field sticks to the edge or the middle of another one. */
const snapDistance = 4;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));
const tenth = (value: number) => Math.round(value * 10) / 10;

/** Keeps a box on its page, in tenths of a point. */
export function onPage({ x, y, width, height }: FieldArea, page: PageSize): FieldArea {
  const [w, h] = [clamp(tenth(width), minSize, page.width), clamp(tenth(height), minSize, page.height)];
  return { x: clamp(tenth(x), 0, page.width - w), y: clamp(tenth(y), 0, page.height - h), width: w, height: h };
}

type Line = { own: number; other: number };
const pairs = (own: readonly number[], others: readonly number[]): Line[] =>
  own.flatMap((at) => others.map((other) => ({ own: at, other })));

/** Returns how far to move to the nearest line, or 0 if none is near. */
function pull(lines: readonly Line[]): number {
  const steps = lines.map(({ own, other }) => other - own).filter((step) => Math.abs(step) <= snapDistance);
  return steps.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
}

const across = ({ x, width }: FieldArea) => [x, x + width / 2, x + width];
const down = ({ y, height }: FieldArea) => [y, y + height / 2, y + height];

/** Moves a box so that it is in line with the middle of the page or with another box, if it is nearly so. */
export function snapped(box: FieldArea, others: readonly FieldArea[], page: PageSize): FieldArea {
  const middle = { own: box.x + box.width / 2, other: page.width / 2 };
  const dx = pull([middle, ...pairs(across(box), others.flatMap(across))]);
  const dy = pull(pairs(down(box), others.flatMap(down)));
  return { ...box, x: box.x + dx, y: box.y + dy };
}

const overlaps = (a: FieldArea, b: FieldArea) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const gap = 12;

/** Returns a place for a new box near `wanted` that covers no other one: further right, then further up. */
export function freePlace(wanted: FieldArea, others: readonly FieldArea[], page: PageSize): FieldArea {
  for (let { y } = wanted; y >= 0; y -= wanted.height + gap)
    for (let { x } = wanted; x + wanted.width <= page.width; x += wanted.width + gap) {
      const box = { ...wanted, x, y };
      if (!others.some((other) => overlaps(box, other))) return onPage(box, page);
    }
  return onPage(wanted, page);
}
