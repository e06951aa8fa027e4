import { dayMs, minuteMs, type Segment } from './zone.ts';

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** Start and end of opening hours, such as `["09:00", "17:00"]`. An end at or before the start is on the next day. */
export type Hours = readonly (readonly [string, string])[];

/** A period of time, in milliseconds. */
export type Span = { from: number; until: number };

/** Opening hours in local time of a zone. */
export type OpeningHours = {
  weekly: Partial<Record<Weekday, Hours>>;
  /** Hours that replace those of the week, by day (days since 1970-01-01). */
  overrides: ReadonlyMap<number, Hours>;
  /** Days without hours, unless an override has hours for them. */
  closed: ReadonlySet<number>;
};

/** Converts a time of day to minutes. `24:00` is the end of a day. */
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
 * Returns the open spans of opening hours that start on these days. A clock change can shorten an opening or split it into two spans. A span is open
 * while the local time is within the hours. An hour that the clocks skip is never open, and an hour that they repeat is open twice.
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

/** Returns the spans in which the local time lies between two times. The local times are encoded as if they were UTC. */
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

/** Merges spans that touch or overlap. The input is in the order of the start times. */
export function merged(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans) {
    const last = whole.at(-1);
    if (last && span.from <= last.until) last.until = Math.max(last.until, span.until);
    else whole.push({ ...span });
  }
  return whole;
}
