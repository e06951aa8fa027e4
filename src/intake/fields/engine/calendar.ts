const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const offsetPattern = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/i;
const clockPattern = /^([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?/;

/** Returns whether a text is a valid calendar date `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = datePattern.exec(text) ?? [];
  if (year === '' || Number(year) < 1) return false;
  const days = new Date(0);
  // Day 0 of the next month is the last day of this month.
  days.setUTCFullYear(Number(year), Number(month), 0);
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days.getUTCDate();
}

/** Returns whether a text is a time of day, `HH:MM` or `HH:MM:SS`. */
export function isTime(text: string): boolean {
  return timePattern.test(text);
}

/** Returns whether a text is a date with a time: an instant with an offset or `Z`, or a local time without one. */
export function isDatetime(text: string): boolean {
  if (!isDate(text.slice(0, 10)) || text[10] !== 'T') return false;
  const rest = text.slice(11);
  const clock = clockPattern.exec(rest)?.[0];
  if (clock === undefined) return false;
  const offset = rest.slice(clock.length);
  return offset === '' || offsetPattern.test(offset);
}
