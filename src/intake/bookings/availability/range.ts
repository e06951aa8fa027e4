import { problems } from '../../../platform/problems.ts';
import { dayMs, dayOf } from './zone.ts';

/** Selects slots that begin from `from` to before `until`, on these local days of the calendar. */
export type TimeRange = { from: number; until: number; firstDay?: number; lastDay?: number };

/** The maximum length of a range, in days. */
export const maxDays = 62;

type Edge = { name: 'from' | 'to'; day?: number; at: number };

/**
 * Parses a requested range: two inclusive dates in the zone of the calendar, two times (the second exclusive), or one of each. Throws
 * 400 `validation_failed`.
 */
export function rangeOf(given: { from: string; to: string }): TimeRange {
  const [from, to] = [edgeOf('from', given.from), edgeOf('to', given.to)];
  const [first, last] = [from.at, to.at];
  // For a date and a time, allow two days: a local day starts up to one day before or after the UTC day.
  const slack = (from.day === undefined) === (to.day === undefined) ? 0 : 2 * dayMs;
  if (last + slack < first) throw refused('to', '`to` is before `from`. Swap the two values.', 'is before `from`', 'order');
  // An hour can occur twice between two midnights.
  const repeated = to.day === undefined ? dayMs / 24 : 0;
  if (last - first > maxDays * dayMs + repeated)
    throw refused('to', `Request at most ${maxDays} days at a time.`, `is more than ${maxDays} days after \`from\``, 'range');
  return {
    // A local day starts at most one day before or after the UTC day. Each slot is then checked against the local day.
    from: from.day === undefined ? from.at : from.at - dayMs,
    until: to.day === undefined ? to.at : to.at + 2 * dayMs,
    ...(from.day === undefined ? {} : { firstDay: from.day }),
    ...(to.day === undefined ? {} : { lastDay: to.day }),
  };
}

/** The error for a range with more slots than a response can have. */
export const tooMany = () =>
  refused(
    'to',
    'The range has more slots than one response can contain. Request fewer days at a time.',
    'ends a range with too many slots',
    'range',
  );

/** Returns a range that contains only slots that begin at `from`. */
export function onlyAt(from: number): TimeRange {
  return { from, until: from + 1 };
}

const withOffset = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;

function edgeOf(name: Edge['name'], text: string): Edge {
  const day = dayOf(text);
  if (day !== undefined) return { name, day, at: day * dayMs };
  const at = instantOf(text);
  if (at !== undefined) return { name, at };
  throw refused(
    name,
    `\`${name}\` must be a date such as 2026-12-31, or a time with its offset such as 2026-12-31T09:00:00Z; encode \`+\` as %2B in a URL.`,
    'is neither a date nor a time with an offset',
    'date-time',
  );
}

/** Parses a time with an offset, in milliseconds. Returns `undefined` if the text is invalid. */
export function instantOf(text: string): number | undefined {
  if (!withOffset.test(text)) return undefined;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function refused(name: Edge['name'], detail: string, reason: string, rule: string) {
  return problems.validation_failed(detail, { errors: [{ name, pointer: `/${name}`, reason, rule }] });
}
