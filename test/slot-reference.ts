import type { Hours, Span } from '../src/intake/bookings/availability/opening-hours.ts';
import { weekdays } from '../src/intake/bookings/availability/opening-hours.ts';
import type { Occupied, SlotRules } from '../src/intake/bookings/availability/slots.ts';

/* A reference implementation of slots that checks each minute. It is slow and simple. The service computes the same slots by interval arithmetic. */

type Minute = { at: number; date: string; day: number; weekday: number; minute: number; local: string };
type SlotQuery = { firstDate?: string; lastDate?: string; from?: number; until?: number };

const minuteMs = 60_000;
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Returns the opening hours of a day; its weekday is 1 for Monday. */
function hoursOf(rules: SlotRules, day: number, weekday: number): Hours {
  const own = rules.overrides.get(day);
  if (own) return own;
  if (rules.closed.has(day)) return [];
  return rules.weekly[weekdays[weekday - 1] ?? 'mon'] ?? [];
}

/** Returns the openings that contain a minute of local time. An opening is named by its first day and its position in that day. */
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
/** Local times, cached for all calendars. */
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

/** Returns the minutes at which a slot can begin: the start of an opening, its continuation after a gap, and each interval after these. */
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

/** Returns the slots of {@link SlotRules} in a range. Checks `padding` days before and after the range. */
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
