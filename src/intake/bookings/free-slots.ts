import type { ReadScope, Scope } from '../../platform/scope.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import {
  dayMs,
  maxSlotsIn,
  onlyAt,
  presentSlots,
  type Range,
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

/** A slot with its buffers reaches no further to either side. */
const reachMs = 3 * dayMs;

/** What is read of a calendar for the slots of a range. `without`: see {@link Around}. */
export function around(team: string, id: string, range: Range, without?: string): Around {
  const [low, high] = [new Date(range.from - reachMs), new Date(range.until + reachMs)];
  return { team, id, low, high, without: without ?? null };
}

/** So many slots are found at once; weeks of a calendar with short ones are thousands. */
const shortWork = 2_000;

const spans = (pairs: readonly (readonly [number, number, ...unknown[]])[]): Span[] => pairs.map(([from, until]) => ({ from, until }));

/** Waits for a turn where a range may have so many slots that others would wait for them. */
export async function turnForSlots(team: string, rules: SlotRules, range: Range): Promise<void> {
  if (maxSlotsIn(rules, range) > shortWork) await yieldToEventLoop(team).next();
}

/** The slots of a calendar, taken ones too: lists and bookings both ask here. */
export function slotsOf(found: Pick<CalendarAround, 'booked' | 'busy'>, rules: SlotRules, range: Range, now: Date): Slot[] {
  return slotsIn(rules, range, now.getTime(), { booked: spans(found.booked), busy: spans(found.busy) });
}

/** The slot that begins at a time, where there is one. */
export function slotAt(found: CalendarAround, rules: SlotRules, from: number, now: Date): Slot | undefined {
  return slotsOf(found, rules, onlyAt(from), now)[0];
}

/** The slots where nothing can be booked or moved. Errors: 400 for a range that is none. */
export function noSlots({ durationMin }: { durationMin: number }, requested: { from: string; to: string }): Availability {
  rangeOf(requested);
  return { durationMin, slots: [] };
}

/**
 * The slots that can be booked. Of a calendar that takes no bookings there are none. `without`: of a booking that is to be
 * moved, what it takes itself is free. Errors: 400 for a range that is none, 409 `calendar_missing`.
 */
export async function availability(
  { db, team, now }: Asking,
  calendar: string,
  requested: { from: string; to: string },
  without?: string,
): Promise<Availability> {
  const range = rangeOf(requested);
  const found = await db.first(calendarAround, around(team, calendar, range, without));
  if (!found) throw bookingProblems.calendar_missing('Nothing can be booked here: there is no calendar yet.');
  const { durationMin } = found.definition;
  if (!found.accepting) return { durationMin, slots: [] };
  const rules = rulesOf(found.definition, found.holidays);
  await turnForSlots(team, rules, range);
  const turns = yieldToEventLoop(team);
  const slots = slotsOf(found, rules, range, now);
  if (turns.over) await turns.next();
  return { durationMin, slots: presentSlots(slots.filter(({ remaining }) => remaining > 0)) };
}
