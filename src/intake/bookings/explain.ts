import type { ReadScope } from '../../platform/scope.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import {
  blockOf,
  dayMs,
  localDay,
  minuteMs,
  presentSlots,
  type TimeRange,
  rangeOf,
  segmentsOf,
  type Slot,
  type SlotRules,
  slotsIn,
} from './availability/index.ts';
import { rulesOf, withoutNotice } from './calendar.ts';
import { calendarExplained, type ExplainedAround } from './calendar-queries.ts';
import { isStale } from './busy/index.ts';
import { around, turnForSlots } from './free-slots.ts';
import { bookingProblems } from './problems.ts';
import type { Because, ExplainedSlots } from './schemas.ts';

/**
 * Returns all slots of a range for the managers of the calendar, each with the reasons why it is not free. Minimum notice and maximum days ahead do
 * not exclude slots here but appear as reasons. Throws 400, 409 `calendar_missing`.
 */
export async function explainSlots(
  { db, team, now }: Pick<ReadScope, 'db' | 'team' | 'now'>,
  calendar: string,
  requested: { from: string; to: string },
): Promise<ExplainedSlots> {
  const range = rangeOf(requested);
  const found = await db.first(calendarExplained, around(team, calendar, range));
  if (!found) throw bookingProblems.calendar_missing('This form has no calendar yet. Create one first.');
  const rules = rulesOf(found.definition, found.holidays);
  await turnForSlots(team, rules, range);
  const turns = yieldToEventLoop(team);
  const slots = slotsIn(withoutNotice(rules), range, now.getTime(), found);
  if (turns.over) await turns.next();
  const reasons = reasonsFor(found, rules, range, now);
  const shown = presentSlots(slots);
  const explained: ExplainedSlots['slots'] = [];
  for (const [at, slot] of shown.entries()) {
    explained.push({ ...slot, because: reasons(slots[at]) });
    if (turns.over) await turns.next();
  }
  return { durationMin: found.definition.durationMin, slots: explained };
}

const maxReasons = 20;

function reasonsFor(found: ExplainedAround, rules: SlotRules, range: TimeRange, now: Date): (slot: Slot | undefined) => Because[] {
  const earliest = now.getTime() + rules.minNoticeMin * minuteMs;
  const lastDay = localDay(segmentsOf(rules.timeZone, now.getTime(), now.getTime()), now.getTime()) + rules.maxDaysAhead;
  const taken = [...found.booked, ...found.busy].toSorted((a, b) => a.from - b.from);
  let next = 0;
  // Occupied times that begin before the end of the slot and end after its start.
  let near: typeof taken = [];
  return (slot) => {
    if (slot === undefined || slot.from >= range.until) return [];
    const block = blockOf(rules, slot.from);
    for (let one = taken[next]; one !== undefined && one.from < block.until; one = taken[next]) {
      near.push(one);
      next += 1;
    }
    near = near.filter(({ until }) => until > block.from);
    const because: Because[] = [];
    if (slot.from < earliest) because.push({ kind: 'notice' });
    if (Math.floor((slot.from + slot.offset) / dayMs) > lastDay) because.push({ kind: 'too_far' });
    const inTheWay = near
      .slice(0, maxReasons - because.length)
      .map((one): Because =>
        'id' in one
          ? { kind: 'booking', bookingId: one.moves ?? one.id }
          : { kind: 'busy', name: one.name, stale: isStale(one.readAt, now) },
      );
    return [...because, ...inTheWay];
  };
}
