import { minuteMs } from './availability/index.ts';

/** When the next reminder of an appointment is due, of those that lie ahead; nothing where none does. */
export function nextReminder(start: Date, minutesBefore: readonly number[], now: Date): Date | null {
  const ahead = minutesBefore.map((minutes) => start.getTime() - minutes * minuteMs).filter((at) => at > now.getTime());
  return ahead.length === 0 ? null : new Date(Math.min(...ahead));
}
