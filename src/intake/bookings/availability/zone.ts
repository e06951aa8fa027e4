/** A period in which a zone has one UTC offset. All values are in milliseconds. */
export type Segment = { from: number; until: number; offset: number };

export const minuteMs = 60_000;
export const dayMs = 86_400_000;
/** An upper bound for the UTC offset of a zone, in milliseconds. */
const furthest = dayMs;

/**
 * Returns the periods of constant offset that cover `from` to `until`. Within a period, local time and instant differ by a constant,
 * so callers need no further conversion.
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

/** Returns the offset at an instant. The segments must cover the instant. */
export function offsetAt(segments: readonly Segment[], instant: number): number {
  const found = segments.find(({ until }) => instant < until) ?? segments.at(-1);
  if (found === undefined) throw new RangeError('the list of segments is empty');
  return found.offset;
}

/** Returns the local calendar day of an instant, in days since 1970-01-01. */
export function localDay(segments: readonly Segment[], instant: number): number {
  return Math.floor((instant + offsetAt(segments, instant)) / dayMs);
}

/** Converts a date such as `2026-12-31` to days since 1970-01-01. Returns `undefined` for a day that does not exist. */
export function dayOf(date: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const at = Date.parse(`${date}T00:00:00Z`);
  // JavaScript accepts dates such as 30 February and moves them to the next month.
  return Number.isNaN(at) || dateOf(at / dayMs) !== date ? undefined : at / dayMs;
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
