import type { Hours, Span } from '../src/intake/bookings/availability/opening-hours.ts';
import { weekdays } from '../src/intake/bookings/availability/opening-hours.ts';
import type { Occupied, SlotRules } from '../src/intake/bookings/availability/slots.ts';

/*
 * What slots there are, found by looking at each minute: slow, and nothing in it is clever. The service finds the same by
 * arithmetic over a few edges.
 */

type Minute = { at: number; date: string; day: number; weekday: number; minute: number; local: string };
type SlotQuery = { firstDate?: string; lastDate?: string; from?: number; until?: number };

const minuteMs = 60_000;
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** The hours of a day; its weekday is 1 for Monday. */
function hoursOf(rules: SlotRules, day: number, weekday: number): Hours {
  const own = rules.overrides.get(day);
  if (own) return own;
  if (rules.closed.has(day)) return [];
  return rules.weekly[weekdays[weekday - 1] ?? 'mon'] ?? [];
}

/** Each opening that the clocks are in at a minute, by the day that it begins on and its place in that day. */
function openingsAt(rules: SlotRules, { day, weekday, minute }: Minute): string[] {
  const today = hoursOf(rules, day, weekday).flatMap(([opens, closes], index) => {
    const [from, to] = [minuteOf(opens), minuteOf(closes)];
    const open = to > from ? from <= minute && minute < to : from <= minute;
    return open ? [`${day} ${index}`] : [];
  });
  const before = hoursOf(rules, day - 1, weekday === 1 ? 7 : weekday - 1).flatMap(([opens, closes], index) =>
    minuteOf(closes) <= minuteOf(opens) && minute < minuteOf(closes) ? [`${day - 1} ${index}`] : [],
  );
  return [...before, ...today];
}

const epoch = new Temporal.PlainDate(1970, 1, 1);
/** What clocks show, kept from one calendar to the next. */
const shown = new Map<string, Minute>();

function clockAt(zone: string, at: number): Minute {
  const key = `${zone} ${at}`;
  const kept = shown.get(key);
  if (kept) return kept;
  const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const date = here.toPlainDate();
  const minute = {
    at,
    date: date.toString(),
    day: epoch.until(date, { largestUnit: 'days' }).days,
    weekday: date.dayOfWeek,
    minute: here.hour * 60 + here.minute,
    local: here.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
  };
  shown.set(key, minute);
  return minute;
}

function clock(rules: SlotRules, from: number, until: number): Minute[] {
  const minutes: Minute[] = [];
  for (let at = Math.floor(from / minuteMs) * minuteMs; at < until; at += minuteMs) minutes.push(clockAt(rules.timeZone, at));
  return minutes;
}

/** Each minute at which a slot may begin: where an opening begins, or goes on after a gap, and each interval after that. */
function grid(rules: SlotRules, minutes: readonly Minute[], open: readonly string[][]): Set<number> {
  const begins = new Set<number>();
  minutes.forEach(({ at }, index) => {
    for (const opening of open[index] ?? []) {
      if (open[index - 1]?.includes(opening)) continue;
      for (let later = 0; open[index + later]?.includes(opening); later += 1)
        if (later % rules.slotIntervalMin === 0) begins.add(at + later * minuteMs);
    }
  });
  return begins;
}

const covering = (spans: readonly Span[], at: number) => spans.filter(({ from, until }) => from <= at && at < until).length;

/** The slots of {@link SlotRules} that begin in a range that is well inside the `padding` days that are looked at around it. */
export function slowSlots(rules: SlotRules, query: SlotQuery, now: number, { booked, busy }: Occupied) {
  const zone = rules.timeZone;
  const startOf = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
  const padding = 3 * 24 * 60 * minuteMs;
  const low = (query.from ?? startOf(query.firstDate ?? '')) - padding;
  const high = (query.until ?? startOf(query.lastDate ?? '')) + padding + 24 * 60 * minuteMs;
  const minutes = clock(rules, low, high);
  const open = minutes.map((minute) => openingsAt(rules, minute));
  const lastDay = clockAt(zone, Math.floor(now / minuteMs) * minuteMs).day + rules.maxDaysAhead;
  const begins = grid(rules, minutes, open);
  return minutes.flatMap(({ at, date, day, local }, index) => {
    if (!begins.has(at)) return [];
    if (query.from !== undefined && at < query.from) return [];
    if (query.until !== undefined && at >= query.until) return [];
    if (query.firstDate !== undefined && date < query.firstDate) return [];
    if (query.lastDate !== undefined && date > query.lastDate) return [];
    if (at < now + rules.minNoticeMin * minuteMs) return [];
    if (day > lastDay) return [];
    const during = open.slice(index, index + rules.durationMin);
    if (during.length < rules.durationMin || during.some((of) => of.length === 0)) return [];
    let remaining = rules.capacity;
    for (let minute = -rules.bufferBeforeMin; minute < rules.durationMin + rules.bufferAfterMin; minute += 1) {
      const then = at + minute * minuteMs;
      remaining = Math.min(remaining, rules.capacity - covering(booked, then), covering(busy, then) > 0 ? 0 : Infinity);
    }
    return [{ start: new Date(at).toISOString(), remaining: Math.max(0, remaining), localStart: local }];
  });
}
