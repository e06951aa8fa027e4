import { minuteMs } from './availability/index.ts';

/** Returns the time of the next future reminder, or `null`. */
export function nextReminder(start: Date, minutesBefore: readonly number[], now: Date): Date | null {
  const ahead = minutesBefore.map((minutes) => start.getTime() - minutes * minuteMs).filter((at) => at > now.getTime());
  return ahead.length === 0 ? null : new Date(Math.min(...ahead));
}
