import { merged, type Span } from './opening-hours.ts';

/** How many of some spans cover each moment: `count[i]` of them from `at[i]` on. */
export type Steps = { at: readonly number[]; count: readonly number[] };

/** Counts spans, in any order. */
export function stepsOf(spans: readonly Span[]): Steps {
  // Typed arrays sort numbers in a tenth of the time.
  const begins = Float64Array.from(spans, ({ from }) => from).toSorted();
  const ends = Float64Array.from(spans, ({ until }) => until).toSorted();
  const at: number[] = [];
  const count: number[] = [];
  let [begun, ended] = [0, 0];
  while (ended < ends.length) {
    const time = Math.min(begins[begun] ?? Infinity, ends[ended] ?? Infinity);
    while (begins[begun] === time) begun += 1;
    while (ends[ended] === time) ended += 1;
    at.push(time);
    count.push(begun - ended);
  }
  return { at, count };
}

/** So many steps have their most written down: a span with its buffers may cover a hundred thousand. */
const stepsPerGroup = 512;

/** Asks for the most that cover any moment of a span. */
export function peaks({ at, count }: Steps): (span: Span) => number {
  const mosts: number[] = [];
  for (const [step, covering] of count.entries()) {
    const group = Math.floor(step / stepsPerGroup);
    mosts[group] = Math.max(mosts[group] ?? 0, covering);
  }
  return ({ from, until }) => {
    const first = firstBehind(at, from);
    // What covers its beginning, and each change within it.
    let most = count[first - 1] ?? 0;
    for (let next = first; (at[next] ?? Infinity) < until;) {
      const whole = next % stepsPerGroup === 0 && (at[next + stepsPerGroup - 1] ?? Infinity) < until;
      most = Math.max(most, (whole ? mosts[next / stepsPerGroup] : count[next]) ?? 0);
      next += whole ? stepsPerGroup : 1;
    }
    return most;
  };
}

/** Where in some times, which are in order, the first stands that is later than a time. */
function firstBehind(at: readonly number[], time: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((at[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
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
