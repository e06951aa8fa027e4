import type { ReadScope, Scope } from '../../platform/scope.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import {
  dayMs,
  maxSlotsIn,
  onlyAt,
  presentSlots,
  type TimeRange,
  rangeOf,
  type Slot,
  type SlotRules,
  slotsIn,
  type Span,
} from './availability/index.ts';
import { rulesOf } from './calendar.ts';
import { type Around, type CalendarAround, calendarAround } from './calendar-queries.ts';
import { bookingProblems } from './problems.ts';
import type { Availability } from './schemas.ts';

type Asking = Pick<ReadScope | Scope, 'db' | 'team' | 'now'>;

/** The maximum distance that a slot with its buffers extends beyond a range. */
const reachMs = 3 * dayMs;

/** Returns the parameters for reading a calendar for the slots of a range. `without`: see {@link Around}. */
export function around(team: string, id: string, range: TimeRange, without?: string): Around {
  const [low, high] = [new Date(range.from - reachMs), new Date(range.until + reachMs)];
  return { team, id, low, high, without: without ?? null };
}

/** The number of slots that are computed without yielding. Some weeks have thousands of short slots. */
const shortWork = 2_000;

const spans = (pairs: readonly (readonly [number, number, ...unknown[]])[]): Span[] => pairs.map(([from, until]) => ({ from, until }));

/** Yields to the event loop before computing a range that can have many slots. */
export async function turnForSlots(team: string, rules: SlotRules, range: TimeRange): Promise<void> {
  if (maxSlotsIn(rules, range) > shortWork) await yieldToEventLoop(team).next();
}

/** Returns the slots of a calendar, including occupied ones. Lists and bookings both use this function. */
export function slotsOf(found: Pick<CalendarAround, 'booked' | 'busy'>, rules: SlotRules, range: TimeRange, now: Date): Slot[] {
  return slotsIn(rules, range, now.getTime(), { booked: spans(found.booked), busy: spans(found.busy) });
}

/** Returns the slot that begins at `from`, or `undefined`. */
export function slotAt(found: CalendarAround, rules: SlotRules, from: number, now: Date): Slot | undefined {
  return slotsOf(found, rules, onlyAt(from), now)[0];
}

/** Returns an empty list, for a form without bookable slots. Throws 400 for an invalid range. */
export function noSlots({ durationMin }: { durationMin: number }, requested: { from: string; to: string }): Availability {
  rangeOf(requested);
  return { durationMin, slots: [] };
}

/**
 * Returns the free slots; none if the calendar is closed. The time of the booking `without` counts as free. Throws 400 for an invalid
 * range, 409 `calendar_missing`.
 */
export async function availability(
  { db, team, now }: Asking,
  calendar: string,
  requested: { from: string; to: string },
  without?: string,
): Promise<Availability> {
  const range = rangeOf(requested);
  const found = await db.first(calendarAround, around(team, calendar, range, without));
  if (!found) throw bookingProblems.calendar_missing('This form has no calendar yet, so it has no free times. Ask the sender of the link.');
  const { durationMin } = found.definition;
  if (!found.accepting) return { durationMin, slots: [] };
  const rules = rulesOf(found.definition, found.holidays);
  await turnForSlots(team, rules, range);
  const turns = yieldToEventLoop(team);
  const slots = slotsOf(found, rules, range, now);
  if (turns.over) await turns.next();
  return { durationMin, slots: presentSlots(slots.filter(({ remaining }) => remaining > 0)) };
}
