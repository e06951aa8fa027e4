import { timeZoneName } from '../../platform/time-zones.ts';
import { dayOf, type Hours, minutesOf, type OpeningHours, type SlotRules, weekdays } from './availability/index.ts';
import { bookingProblems } from './problems.ts';
import type { Calendar, CalendarBody } from './schemas.ts';

/** A holiday: the day in days since 1970-01-01, and the name. */
export type Holiday = readonly [day: number, name: string];

type CalendarError = readonly [pointer: string, reason: string];

/** Validates a calendar and fills in the defaults. Throws 422 `calendar_invalid`. */
export function completeCalendar(given: CalendarBody): Calendar {
  const zone = timeZoneName(given.timeZone);
  const errors: CalendarError[] = [
    ...(zone === undefined ? [['/timeZone', 'is not a zone of the IANA database'] as const] : []),
    ...weekdays.flatMap((day) => hoursErrors(`/weekly/${day}`, given.weekly?.[day] ?? [])),
    ...overrideErrors(given.overrides ?? []),
  ];
  if (errors.length > 0) throw invalidCalendar(errors);
  return {
    ...given,
    timeZone: zone ?? given.timeZone,
    slotIntervalMin: given.slotIntervalMin ?? given.durationMin,
    weekly: given.weekly ?? {},
    overrides: given.overrides ?? [],
    bufferBeforeMin: given.bufferBeforeMin ?? 0,
    bufferAfterMin: given.bufferAfterMin ?? 0,
    minNoticeMin: given.minNoticeMin ?? 0,
    maxDaysAhead: given.maxDaysAhead ?? 60,
    capacity: given.capacity ?? 1,
    confirmation: given.confirmation ?? 'automatic',
    confirmByMail: given.confirmByMail ?? false,
    changeUntilMin: given.changeUntilMin ?? 0,
    maxPerAddress: given.maxPerAddress ?? 2,
    reminders: (given.reminders ?? [1_440]).toSorted((a, b) => b - a),
    feedDetails: given.feedDetails ?? false,
  };
}

export function invalidCalendar(errors: readonly CalendarError[]) {
  const [[pointer, reason] = ['', ''] as const] = errors;
  return bookingProblems.calendar_invalid(`\`${pointer}\` ${reason}.`, {
    errors: errors.slice(0, 50).map(([at, why]) => ({ name: at.split('/').at(-1) ?? '', pointer: at, reason: why, rule: 'calendar' })),
  });
}

function hoursErrors(pointer: string, hours: Hours): CalendarError[] {
  const spans = hours.map(([opens, closes]) => {
    const [from, end] = [minutesOf(opens), minutesOf(closes)];
    return { from, until: end <= from ? end + 1_440 : end, same: opens === closes };
  });
  return spans.flatMap(({ from, until, same }, at): CalendarError[] => {
    if (from === 1_440) return [[`${pointer}/${at}`, 'begins at the end of the day; add the hours to the next day']];
    if (same) return [[`${pointer}/${at}`, 'has no length; use `["00:00", "24:00"]` for a whole day']];
    const overlaps = spans.some((other, index) => index < at && other.from < until && from < other.until);
    return overlaps ? [[`${pointer}/${at}`, 'overlaps earlier hours in the list']] : [];
  });
}

function overrideErrors(overrides: NonNullable<CalendarBody['overrides']>): CalendarError[] {
  const dates = overrides.map(({ date }) => date);
  return overrides.flatMap(({ date, hours }, at): CalendarError[] => [
    ...(dayOf(date) === undefined ? [[`/overrides/${at}/date`, 'is not a valid date'] as const] : []),
    ...(dates.indexOf(date) < at ? [[`/overrides/${at}/date`, 'occurs twice in the list'] as const] : []),
    ...hoursErrors(`/overrides/${at}/hours`, hours),
  ]);
}

/** Returns the rules for computing the slots of a calendar. */
export function rulesOf(calendar: Calendar, holidays: readonly Holiday[]): SlotRules {
  const { timeZone, durationMin, slotIntervalMin, bufferBeforeMin, bufferAfterMin, minNoticeMin, maxDaysAhead, capacity } = calendar;
  const hours: OpeningHours = {
    weekly: calendar.weekly,
    overrides: new Map(calendar.overrides.map((override) => [dayOf(override.date) ?? 0, override.hours])),
    closed: new Set(holidays.map(([day]) => day)),
  };
  return { timeZone, durationMin, slotIntervalMin, bufferBeforeMin, bufferAfterMin, minNoticeMin, maxDaysAhead, capacity, ...hours };
}

/** Returns the rules without minimum notice and maximum days ahead. Both limits apply only to new bookings of visitors. */
export function withoutNotice(rules: SlotRules): SlotRules {
  return { ...rules, minNoticeMin: 0, maxDaysAhead: 800 };
}
