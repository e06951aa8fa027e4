/** Days of the week in the order of ISO 8601, from Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The working time of a team. `closes`: the end of a working day in the time zone of the team. Dates have the form `2026-12-25`. */
export type WorkingTime = { days: readonly Weekday[]; closes: string; free: ReadonlySet<string>; timeZone: string };

/** Number of days in which a working day is searched. A team without a working day in two years counts as a team without any. */
const maxDays = 731;

const isWorking = ({ days, free }: WorkingTime, date: Temporal.PlainDate): boolean =>
  days.includes(weekdays[date.dayOfWeek - 1] ?? 'sun') && !free.has(date.toString());

/**
 * Returns the end of a day. If a clock change skips that time, the end is the next time that exists. If the clock change repeats the time, the end is
 * the first of the two.
 */
const closeOf = ({ closes, timeZone }: WorkingTime, date: Temporal.PlainDate): Date =>
  new Date(date.toZonedDateTime({ timeZone, plainTime: closes }).epochMilliseconds);

/** Returns the first working days from a date. Stops after two years without one. */
export function workingDaysFrom(time: WorkingTime, from: Temporal.PlainDate, many: number): Temporal.PlainDate[] {
  const found: Temporal.PlainDate[] = [];
  let date = from;
  for (let without = 0; found.length < many && without < maxDays; date = date.add({ days: 1 })) {
    if (isWorking(time, date)) {
      found.push(date);
      without = 0;
    } else without += 1;
  }
  return found;
}

/**
 * Returns the beginning of the nth working day before the day of the given time. For 0, returns the beginning of that
 * day. Free days do not count.
 */
export function daysBefore(time: WorkingTime, at: Temporal.Instant, many: number): Date {
  let date = at.toZonedDateTimeISO(time.timeZone).toPlainDate();
  for (let [left, tries] = [many, 0]; left > 0 && tries < maxDays; tries += 1) {
    date = date.subtract({ days: 1 });
    if (isWorking(time, date)) left -= 1;
  }
  return new Date(date.toZonedDateTime(time.timeZone).epochMilliseconds);
}

/**
 * Returns the end of the nth working day after `now`. The day of `now` does not count, as in most laws. For 0 days, returns the next end of a working
 * day. Returns nothing if there are too few working days.
 */
export function endOfWorkingDay(time: WorkingTime, now: Date, many: number): Date | undefined {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time.timeZone).toPlainDate();
  if (many > 0) {
    const day = workingDaysFrom(time, today.add({ days: 1 }), many)[many - 1];
    return day && closeOf(time, day);
  }
  return workingDaysFrom(time, today, 2)
    .map((day) => closeOf(time, day))
    .find((end) => end > now);
}
