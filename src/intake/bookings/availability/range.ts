import { problems } from '../../../platform/problems.ts';
import { dayMs, dayOf } from './zone.ts';

/** Slots that begin from `from` on and before `until`, and by the clocks of the calendar's zone on these days. */
export type Range = { from: number; until: number; firstDay?: number; lastDay?: number };

/** Days that a range may span. */
export const maxDays = 62;

type Edge = { name: 'from' | 'to'; day?: number; at: number };

/**
 * Reads a range as it is asked for: two dates of the calendar's zone, both included, or two times, the second excluded, or one of
 * each. Throws 400 `validation_failed`.
 */
export function rangeOf(given: { from: string; to: string }): Range {
  const [from, to] = [edgeOf('from', given.from), edgeOf('to', given.to)];
  const [first, last] = [from.at, to.at];
  // Where one is a date and the other a time, that day may reach as far as a day to either side of the same day of UTC.
  const slack = (from.day === undefined) === (to.day === undefined) ? 0 : 2 * dayMs;
  if (last + slack < first) throw refused('to', '`to` lies before `from`. Give the later one as `to`.', 'lies before `from`', 'order');
  // Between two midnights an hour may come twice.
  const repeated = to.day === undefined ? dayMs / 24 : 0;
  if (last - first > maxDays * dayMs + repeated)
    throw refused('to', `Ask for at most ${maxDays} days at a time, page by page.`, `is more than ${maxDays} days after \`from\``, 'range');
  return {
    // A day begins within a day of where it does in UTC; which slots begin on it is looked at one by one.
    from: from.day === undefined ? from.at : from.at - dayMs,
    until: to.day === undefined ? to.at : to.at + 2 * dayMs,
    ...(from.day === undefined ? {} : { firstDay: from.day }),
    ...(to.day === undefined ? {} : { lastDay: to.day }),
  };
}

/** A range that holds more slots than one answer. */
export const tooMany = () =>
  refused(
    'to',
    'There are more slots in these days than one answer has. Ask for fewer days at a time.',
    'has too many slots before it',
    'range',
  );

/** The range that holds one beginning alone. */
export function onlyAt(from: number): Range {
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
    `\`${name}\` must be a date such as 2026-12-31, or a time with its offset such as 2026-12-31T09:00:00Z; a \`+\` in an address is written %2B.`,
    'is neither a date nor a time with an offset',
    'date-time',
  );
}

/** A time with an offset, in milliseconds; nothing where it is none. */
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
