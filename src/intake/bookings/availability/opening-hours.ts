import { dayMs, minuteMs, type Segment } from './zone.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** From and until of opening hours, such as `["09:00", "17:00"]`; what ends no later than it begins ends the day after. */
export type Hours = readonly (readonly [string, string])[];

/** Milliseconds in which somebody is served, or is not. */
export type Span = { from: number; until: number };

/** When there are opening hours, by the clocks of a zone. */
export type OpeningHours = {
  weekly: Partial<Record<Weekday, Hours>>;
  /** Instead of the hours of the week, by day (days since 1970-01-01). */
  overrides: ReadonlyMap<number, Hours>;
  /** Days without hours, where no override gives them any. */
  closed: ReadonlySet<number>;
};

/** `24:00` is the end of a day. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function hoursOf({ weekly, overrides, closed }: OpeningHours, day: number): Hours {
  const own = overrides.get(day);
  if (own) return own;
  if (closed.has(day)) return [];
  // 1970-01-01 was a Thursday.
  const weekday = weekdays[(((day + 3) % 7) + 7) % 7];
  return (weekday && weekly[weekday]) ?? [];
}

/**
 * The spans in which there are opening hours that begin on one of these days, each opening with those of its own: a change of
 * the clocks may take a part of one away, or part it in two. A span is open when the clocks show a time within the hours: an
 * hour that is skipped is open in no span, one that comes twice in both.
 */
export function openings(hours: OpeningHours, segments: readonly Segment[], days: { first: number; last: number }): Span[] {
  const spans: Span[] = [];
  for (let day = days.first; day <= days.last; day += 1) {
    for (const [opens, closes] of hoursOf(hours, day)) {
      const [begin, end] = [minutesOf(opens), minutesOf(closes)];
      const local = { from: day * dayMs + begin * minuteMs, until: day * dayMs + end * minuteMs + (end <= begin ? dayMs : 0) };
      spans.push(...spansOf(local, segments));
    }
  }
  return spans.toSorted((a, b) => a.from - b.from || a.until - b.until);
}

/** When the clocks show a time between two, which are written as if they were UTC. */
function spansOf(local: Span, segments: readonly Segment[]): Span[] {
  const spans: Span[] = [];
  for (const { from, until, offset } of segments) {
    const span = { from: Math.max(from, local.from - offset), until: Math.min(until, local.until - offset) };
    if (span.from >= span.until) continue;
    const last = spans.at(-1);
    if (last?.until === span.from) last.until = span.until;
    else spans.push(span);
  }
  return spans;
}

/** The same time as spans that neither touch nor overlap; takes them in the order of their beginnings. */
export function merged(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans) {
    const last = whole.at(-1);
    if (last && span.from <= last.until) last.until = Math.max(last.until, span.until);
    else whole.push({ ...span });
  }
  return whole;
}
