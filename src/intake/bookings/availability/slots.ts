import { dayMs, localDay, minuteMs, offsetAt, type Segment, segmentsOf } from './zone.ts';
import { minutesOf, openings, type OpeningHours, type Span } from './opening-hours.ts';
import { peaks, stepsOf, within } from './occupied.ts';
import { type Range, tooMany } from './range.ts';

/** What decides which slots there are; minutes, and days since 1970-01-01. */
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

/** What is taken: by bookings, each with its buffers as they were when it was made, and by what is busy elsewhere. */
export type Occupied = { booked: readonly Span[]; busy: readonly Span[] };

/** A slot, from its first to its last millisecond; `remaining` 0 is taken. `offset` is that of the zone at its beginning. */
export type Slot = Span & { remaining: number; offset: number };

/** Slots that one range may have: as many as one every five minutes for as many days as may be asked for, day and night, and more. */
const maxSlots = 25_000;

/** How many slots there are in a range at the most, told without looking for them. */
export function maxSlotsIn({ weekly, overrides, slotIntervalMin }: SlotRules, range: Range): number {
  const aDay = [...Object.values(weekly), ...overrides.values()].map((hours) =>
    hours.reduce((sum, [from, until]) => sum + Math.ceil(lengthOf(from, until) / slotIntervalMin), 0),
  );
  return Math.max(0, ...aDay) * Math.ceil((range.until - range.from) / dayMs);
}

const lengthOf = (from: string, until: string): number => {
  const length = minutesOf(until) - minutesOf(from);
  return length > 0 ? length : length + dayMs / minuteMs;
};

/** What a booking at `from` takes, with its buffers. */
export function blockOf(rules: Pick<SlotRules, 'durationMin' | 'bufferBeforeMin' | 'bufferAfterMin'>, from: number): Span {
  return {
    from: from - rules.bufferBeforeMin * minuteMs,
    until: from + (rules.durationMin + rules.bufferAfterMin) * minuteMs,
  };
}

/**
 * The slots of a calendar that begin in a range, taken ones too: what lists show, and what decides whether a booking may be made.
 *
 * Each opening has a grid of its own, which begins with it. A slot is one whose every moment is open. It is free where what is
 * booked leaves one of the capacity in every moment of the slot and its buffers, and nothing is busy elsewhere then. Throws 400
 * `validation_failed` where these are too many.
 */
export function slotsIn(rules: SlotRules, range: Range, now: number, { booked, busy }: Occupied): Slot[] {
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

/** Which slots are asked for at all, and the days whose openings they may lie in. */
function walked(rules: SlotRules, range: Range, now: number) {
  const around = segmentsOf(rules.timeZone, now, now);
  const today = localDay(around, now);
  const earliest = Math.max(now + rules.minNoticeMin * minuteMs, range.from);
  const lastDay = today + rules.maxDaysAhead;
  const first = Math.max(Math.floor(earliest / dayMs) - 1, range.firstDay ?? -Infinity);
  const last = Math.min(Math.floor(range.until / dayMs) + 1, range.lastDay ?? Infinity, lastDay);
  // Openings of the day before may last into the first one, and slots into openings of the day after the last.
  const days = { first: first - 1, last: first > last ? first - 2 : last + 2 };
  const segments = segmentsOf(rules.timeZone, (days.first - 1) * dayMs, (Math.max(days.first, days.last) + 3) * dayMs);
  const begins = (from: number, day: number) =>
    from >= earliest && from < range.until && day <= lastDay && day >= (range.firstDay ?? day) && day <= (range.lastDay ?? day);
  return { segments, days, begins };
}

/** Each beginning once, in order, of all grids. */
function starts(spans: readonly Span[], stepMs: number): number[] {
  const found: number[] = [];
  let sorted = true;
  for (const { from, until } of spans) {
    // One that ends after its opening may still be open, by an opening that follows or overlaps.
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
