import { dayMs, localDay, minuteMs, offsetAt, type Segment, segmentsOf } from './zone.ts';
import { minutesOf, openings, type OpeningHours, type Span } from './opening-hours.ts';
import { peaks, stepsOf, within } from './occupied.ts';
import { type TimeRange, tooMany } from './range.ts';

/** The rules that determine the slots. Durations are in minutes, days are counted from 1970-01-01. */
export type SlotRules = OpeningHours & {
  timeZone: string;
  durationMin: number;
  slotIntervalMin: number;
  bufferBeforeMin: number;
  bufferAfterMin: number;
  minNoticeMin: number;
  maxDaysAhead: number;
  capacity: number;
};

/** Occupied times: bookings with the buffers that applied when they were created, and busy times of other calendars. */
export type Occupied = { booked: readonly Span[]; busy: readonly Span[] };

/** A slot in milliseconds. `remaining` 0 means fully booked. `offset` is the offset of the zone at the start. */
export type Slot = Span & { remaining: number; offset: number };

/** The maximum number of slots of one range. It exceeds one slot every five minutes for the longest range. */
const maxSlots = 25_000;

/** Returns an upper bound for the number of slots in a range, without computing them. */
export function maxSlotsIn({ weekly, overrides, slotIntervalMin }: SlotRules, range: TimeRange): number {
  const aDay = [...Object.values(weekly), ...overrides.values()].map((hours) =>
    hours.reduce((sum, [from, until]) => sum + Math.ceil(lengthOf(from, until) / slotIntervalMin), 0),
  );
  return Math.max(0, ...aDay) * Math.ceil((range.until - range.from) / dayMs);
}

const lengthOf = (from: string, until: string): number => {
  const length = minutesOf(until) - minutesOf(from);
  return length > 0 ? length : length + dayMs / minuteMs;
};

/** Returns the time that a booking at `from` occupies, including its buffers. */
export function blockOf(rules: Pick<SlotRules, 'durationMin' | 'bufferBeforeMin' | 'bufferAfterMin'>, from: number): Span {
  return {
    from: from - rules.bufferBeforeMin * minuteMs,
    until: from + (rules.durationMin + rules.bufferAfterMin) * minuteMs,
  };
}

/**
 * Returns all slots of a calendar that begin in a range, including occupied ones. Lists and bookings use the same slots.
 *
 * Slots start at fixed intervals from the start of each opening (a grid). A slot is open for its whole length. It is free if the capacity is not used
 * up at any moment of the slot and its buffers, and no busy time overlaps. Throws 400 `validation_failed` if there are too many slots.
 */
export function slotsIn(rules: SlotRules, range: TimeRange, now: number, { booked, busy }: Occupied): Slot[] {
  const { segments, days, begins } = walked(rules, range, now);
  if (days.first > days.last) return [];
  const spans = openings(rules, segments, days);
  const isOpen = within(spans);
  const most = peaks(stepsOf(booked));
  const busyMost = peaks(stepsOf(busy));
  const lengthMs = rules.durationMin * minuteMs;
  if (spans.reduce((sum, { from, until }) => sum + (until - from), 0) / (rules.slotIntervalMin * minuteMs) > maxSlots) throw tooMany();
  const zone = offsetsFrom(segments);
  const slots: Slot[] = [];
  for (const from of starts(spans, rules.slotIntervalMin * minuteMs)) {
    const until = from + lengthMs;
    if (!isOpen({ from, until })) continue;
    const offset = zone(from);
    if (!begins(from, Math.floor((from + offset) / dayMs))) continue;
    const block = blockOf(rules, from);
    const remaining = busyMost(block) > 0 ? 0 : Math.max(0, rules.capacity - most(block));
    slots.push({ from, until, remaining, offset });
  }
  return slots;
}

/** Returns the days whose openings can contain the requested slots, and a filter for the start of a slot. */
function walked(rules: SlotRules, range: TimeRange, now: number) {
  const around = segmentsOf(rules.timeZone, now, now);
  const today = localDay(around, now);
  const earliest = Math.max(now + rules.minNoticeMin * minuteMs, range.from);
  const lastDay = today + rules.maxDaysAhead;
  const first = Math.max(Math.floor(earliest / dayMs) - 1, range.firstDay ?? -Infinity);
  const last = Math.min(Math.floor(range.until / dayMs) + 1, range.lastDay ?? Infinity, lastDay);
  // Openings of the previous day can reach into the first day, and slots can reach into openings of the day after the last.
  const days = { first: first - 1, last: first > last ? first - 2 : last + 2 };
  const segments = segmentsOf(rules.timeZone, (days.first - 1) * dayMs, (Math.max(days.first, days.last) + 3) * dayMs);
  const begins = (from: number, day: number) =>
    from >= earliest && from < range.until && day <= lastDay && day >= (range.firstDay ?? day) && day <= (range.lastDay ?? day);
  return { segments, days, begins };
}

/** Returns the start times of all grids, sorted and without duplicates. */
function starts(spans: readonly Span[], stepMs: number): number[] {
  const found: number[] = [];
  let sorted = true;
  for (const { from, until } of spans) {
    // A slot that ends after its opening can still be open because another opening follows or overlaps.
    for (let at = from; at < until; at += stepMs) {
      sorted &&= at > (found.at(-1) ?? -Infinity);
      found.push(at);
    }
  }
  return sorted ? found : [...new Set(found)].toSorted((a, b) => a - b);
}

function offsetsFrom(segments: readonly Segment[]): (instant: number) => number {
  let at = 0;
  return (instant) => {
    while (at + 1 < segments.length && (segments[at]?.until ?? 0) <= instant) at += 1;
    return segments[at]?.offset ?? offsetAt(segments, instant);
  };
}
