import { type Fault, fault } from './step-faults.ts';

const hourMs = 3_600_000;
const defaultTimeoutHours = 168;
const mostTimeoutHours = 720;

/** What is wrong with the time that a program has for a step. */
export function timeoutFaults(hours: unknown): Fault[] {
  if (hours === undefined) return [];
  if (typeof hours === 'number' && Number.isInteger(hours) && hours >= 1 && hours <= mostTimeoutHours) return [];
  return [fault('config/timeoutHours', `must be a whole number from 1 to ${mostTimeoutHours}`, 'range')];
}

/** Until when a program has time for a step that begins now: a week, where it does not say. */
export function timeoutOf({ timeoutHours: hours }: Readonly<Record<string, unknown>>, now: Date): string {
  return new Date(now.getTime() + (typeof hours === 'number' ? hours : defaultTimeoutHours) * hourMs).toISOString();
}
