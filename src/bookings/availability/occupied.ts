import { merged, type Span } from './opening-hours.ts';

/** How many of some spans cover each moment: `count[i]` of them from `at[i]` on. */
export type Steps = { at: readonly number[]; count: readonly number[] };

/** Counts spans, in any order. */
export function stepsOf(spans: readonly Span[]): Steps {
  const changes = new Map<number, number>();
  const change = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const { from, until } of spans) {
    change(from, 1);
    change(until, -1);
  }
  const at = [...changes.keys()].toSorted((a, b) => a - b);
  let sum = 0;
  return { at, count: at.map((time) => (sum += changes.get(time) ?? 0)) };
}

/** Asks for the most that cover any moment of one span after the other, which come in the order of their beginnings. */
export function peaks({ at, count }: Steps): (span: Span) => number {
  let first = 0;
  return ({ from, until }) => {
    while (first + 1 < at.length && (at[first + 1] ?? 0) <= from) first += 1;
    let most = (at[first] ?? Infinity) <= from ? (count[first] ?? 0) : 0;
    for (let next = first; next < at.length && (at[next] ?? 0) < until; next += 1) {
      if ((at[next] ?? 0) >= from) most = Math.max(most, count[next] ?? 0);
    }
    return most;
  };
}

/** Asks of one span after the other, in the order of their beginnings, whether it lies within some spans, whatever their order. */
export function within(spans: readonly Span[]): (span: Span) => boolean {
  const whole = merged(spans.toSorted((a, b) => a.from - b.from));
  let at = 0;
  return ({ from, until }) => {
    while (at < whole.length && (whole[at]?.until ?? 0) <= from) at += 1;
    const span = whole[at];
    return span !== undefined && span.from <= from && until <= span.until;
  };
}
