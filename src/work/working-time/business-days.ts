/** Days of a week as ISO 8601 counts them, from Monday. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** When a team works. `closes`: the time of day, in the team's zone, at which a working day is over; dates are as `2026-12-25`. */
export type WorkingTime = { days: readonly Weekday[]; closes: string; free: ReadonlySet<string>; timeZone: string };

/** How far a working day is looked for: a team that has none in two years has none. */
const maxDays = 731;

const isWorking = ({ days, free }: WorkingTime, date: Temporal.PlainDate): boolean =>
  days.includes(weekdays[date.dayOfWeek - 1] ?? 'sun') && !free.has(date.toString());

/** When a day is over. Where the clocks leave that time out it is the first there is after it, and the earlier one of two. */
const closeOf = ({ closes, timeZone }: WorkingTime, date: Temporal.PlainDate): Date =>
  new Date(date.toZonedDateTime({ timeZone, plainTime: closes }).epochMilliseconds);

/** The first working days from a date on, as many as there are within two years of the one before. */
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
 * The end of the nth working day after the day of `now`, which is not counted itself, as periods of days are reckoned in most laws; of
 * the next that is not over yet for none. Nothing where there are not so many.
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
