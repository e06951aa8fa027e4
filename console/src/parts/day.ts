const dayMs = 86_400_000;

/** How far a time zone is before UTC at a time, in milliseconds. */
function offsetMs(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).formatToParts(time);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour') % 24, part('minute'), part('second'));
  return local - Math.floor(time / 1_000) * 1_000;
}

/** The day of a time in a time zone, as a date field has it: `2026-12-24`. */
export const dayIn = (time: Date, timeZone: string): string =>
  new Date(time.getTime() + offsetMs(time.getTime(), timeZone)).toISOString().slice(0, 10);

/** The last minute of a day in a time zone. */
export function endOfDay(day: string, timeZone: string): Date {
  const end = Date.parse(`${day}T23:59:00Z`);
  const guess = end - offsetMs(end, timeZone);
  // The offset at the guess counts, because clocks can change on that day.
  return new Date(end - offsetMs(guess, timeZone));
}

export const daysFromNow = (days: number): Date => new Date(Date.now() + days * dayMs);
