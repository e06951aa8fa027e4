import type { ReadScope } from '../platform/scope.ts';
import {
  blockOf,
  dayMs,
  localDay,
  minuteMs,
  presentSlots,
  type Range,
  rangeOf,
  segmentsOf,
  type Slot,
  type SlotRules,
  slotsIn,
} from './availability/index.ts';
import { rulesOf, withoutNotice } from './calendar.ts';
import { calendarExplained, type ExplainedAround } from './calendar-queries.ts';
import { isStale } from './busy/index.ts';
import { around } from './free-slots.ts';
import { bookingProblems } from './problems.ts';
import type { Because, ExplainedSlots } from './schemas.ts';

/**
 * All slots of a range, free or not, for those who manage the calendar: each says what is in its way. By the list that visitors
 * see, save that notice and days ahead are reasons here. Errors: 400, 409 `calendar_missing`.
 */
export async function explainSlots(
  { db, team, now }: Pick<ReadScope, 'db' | 'team' | 'now'>,
  calendar: string,
  asked: { from: string; to: string },
): Promise<ExplainedSlots> {
  const range = rangeOf(asked);
  const found = await db.first(calendarExplained, around(team, calendar, range));
  if (!found) throw bookingProblems.calendar_missing('This interface has no calendar yet.');
  const rules = rulesOf(found.definition, found.holidays);
  const slots = slotsIn(withoutNotice(rules), range, now.getTime(), found);
  const reasons = reasonsFor(found, rules, range, now);
  const shown = presentSlots(slots);
  return {
    durationMin: found.definition.durationMin,
    slots: shown.map((slot, at) => ({ ...slot, because: reasons(slots[at]) })),
  };
}

const mostReasons = 20;

function reasonsFor(found: ExplainedAround, rules: SlotRules, range: Range, now: Date): (slot: Slot | undefined) => Because[] {
  const earliest = now.getTime() + rules.minNoticeMin * minuteMs;
  const lastDay = localDay(segmentsOf(rules.timeZone, now.getTime(), now.getTime()), now.getTime()) + rules.maxDaysAhead;
  const taken = [...found.booked, ...found.busy].toSorted((a, b) => a.from - b.from);
  // The longest of them says how far before a slot one may begin that reaches into it.
  const longest = Math.max(0, ...taken.map(({ from, until }) => until - from));
  let first = 0;
  return (slot) => {
    if (slot === undefined || slot.from >= range.until) return [];
    const block = blockOf(rules, slot.from);
    while (first < taken.length && (taken[first]?.from ?? 0) < block.from - longest) first += 1;
    const because: Because[] = [];
    if (slot.from < earliest) because.push({ kind: 'notice' });
    if (Math.floor((slot.from + slot.offset) / dayMs) > lastDay) because.push({ kind: 'too_far' });
    for (let at = first; at < taken.length && because.length < mostReasons; at += 1) {
      const one = taken[at];
      if (one === undefined || one.from >= block.until) break;
      if (one.until <= block.from) continue;
      because.push(
        'id' in one
          ? { kind: 'booking', bookingId: one.moves ?? one.id }
          : { kind: 'busy', name: one.name, stale: isStale(one.readAt, now) },
      );
    }
    return because;
  };
}
