import type { Slot } from './slots.ts';
import { dayMs, minuteMs } from './zone.ts';

/** A slot in responses: in UTC, and its start as local time of the calendar with the offset. */
export type ShownSlot = { start: string; end: string; remaining: number; localStart: string };

const minutes = Array.from({ length: 1_440 }, (_, minute) => {
  const two = (n: number) => String(n).padStart(2, '0');
  return `T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
});

/** Formats times like `toISOString`. Formats each day only once, because a list has thousands of times. */
function writer() {
  let [day, date] = [NaN, ''];
  return (ms: number, end: string): string => {
    const of = Math.floor(ms / dayMs);
    const minute = (ms - of * dayMs) / minuteMs;
    if (!Number.isInteger(minute)) return `${new Date(ms).toISOString().slice(0, 19)}${end}`;
    if (of !== day) [day, date] = [of, new Date(ms).toISOString().slice(0, 10)];
    return `${date}${minutes[minute]}${end}`;
  };
}

function offsetText(offset: number): string {
  const text = minutes[Math.floor(Math.abs(offset) / minuteMs) % 1_440] ?? '';
  return `${offset < 0 ? '-' : '+'}${text.slice(1, 6)}`;
}

export function presentSlots(slots: readonly Slot[]): ShownSlot[] {
  const [start, end, local] = [writer(), writer(), writer()];
  const offsets = new Map<number, string>();
  return slots.map(({ from, until, remaining, offset }) => {
    const shown = offsets.get(offset) ?? offsetText(offset);
    offsets.set(offset, shown);
    return { start: start(from, '.000Z'), end: end(until, '.000Z'), remaining, localStart: local(from + offset, shown) };
  });
}
