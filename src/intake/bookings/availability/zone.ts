/** A stretch of time in which clocks of a zone differ from UTC by one offset; all in milliseconds. */
export type Segment = { from: number; until: number; offset: number };

export const minuteMs = 60_000;
export const dayMs = 86_400_000;
/** No zone is further from UTC. */
const furthest = dayMs;

/**
 * The stretches of one offset that cover `from` to `until`. Between two changes of the clocks a time of the wall and an instant
 * differ by a number: whoever has these needs no further conversion.
 */
export function segmentsOf(zone: string, from: number, until: number): Segment[] {
  const segments: Segment[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(from - furthest).toZonedDateTimeISO(zone);
  const end = until + furthest;
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    const last = next === null || next.epochMilliseconds >= end;
    const [begins, offset] = [at.epochMilliseconds, Math.trunc(at.offsetNanoseconds / 1e6)];
    segments.push({ from: begins, until: last ? end : next.epochMilliseconds, offset });
    if (last) return segments;
    at = next;
  }
}

/** The offset at an instant that the segments cover. */
export function offsetAt(segments: readonly Segment[], instant: number): number {
  const found = segments.find(({ until }) => instant < until) ?? segments.at(-1);
  if (found === undefined) throw new RangeError('there is no segment to look in');
  return found.offset;
}

/** The day of the calendar that the clocks of the zone show, as a number of days since 1970-01-01. */
export function localDay(segments: readonly Segment[], instant: number): number {
  return Math.floor((instant + offsetAt(segments, instant)) / dayMs);
}

/** A date such as `2026-12-31` as a number of days since 1970-01-01; nothing where there is no such day. */
export function dayOf(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const at = Date.parse(`${date}T00:00:00Z`);
  // What JavaScript takes for a day of the next month, such as 30 February, is none.
  return Number.isNaN(at) || dateOf(at / dayMs) !== date ? undefined : at / dayMs;
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
