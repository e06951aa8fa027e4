import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { Schedule } from './schedule.ts';

type CronSchedule = Pick<Extract<Schedule, { kind: 'cron' }>, 'expr' | 'tz'>;

/** A cron expression, to be asked for its times. Throws on one that is none. */
export function compile({ expr, tz }: CronSchedule): Cron {
  // A list of hours is a wall-clock time as one hour is: it comes once in the night in which the clock goes back.
  return new Cron(expr, { timezone: tz, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}

/** When a schedule is due next, after a time; nothing when it is not due any more. */
export function nextTime(schedule: Schedule, after: Date): Date | undefined {
  return timesOf(schedule)(after);
}

/** What is due once in many years is looked for day by day: beyond this the times after the next are not told. */
const furthestMs = 50 * 366 * 86_400_000;

/** The next times after one, at most `count`, and of these beyond the first those of the next 50 years. */
export function nextTimes(schedule: Schedule, after: Date, count: number): Date[] {
  const next = timesOf(schedule);
  const times: Date[] = [];
  for (let time = next(after); time !== undefined && times.length < count; time = next(time)) {
    if (times.length > 0 && time.getTime() - after.getTime() > furthestMs) break;
    times.push(time);
  }
  return times;
}

/** What is due after a time, for whoever asks several times: a cron expression is read once. */
export function timesOf(schedule: Schedule): (after: Date) => Date | undefined {
  if (schedule.kind === 'at') {
    const at = new Date(schedule.at);
    return (after) => (at > after ? at : undefined);
  }
  if (schedule.kind === 'every') {
    const anchor = Date.parse(schedule.anchor);
    return (after) => {
      const passed = Math.floor((after.getTime() - anchor) / schedule.everyMs) + 1;
      return new Date(anchor + Math.max(0, passed) * schedule.everyMs);
    };
  }
  const cron = compile(schedule);
  return (after) => cron.nextRun(after) ?? undefined;
}

/** By how much a job comes later than its schedule says: the same each time, and spread over all jobs. */
export function staggerOf(schedule: Schedule, job: string): number {
  if (schedule.kind !== 'cron' || schedule.staggerMs === 0) return 0;
  return createHash('sha256').update(job).digest().readUInt32BE(0) % schedule.staggerMs;
}

/** When a job is due next by its schedule, and when it begins: by the stagger later. Neither, where it is due no more. */
export function dueAfter(schedule: Schedule, job: string, now: Date): { due: Date | null; wake: Date | null } {
  const stagger = staggerOf(schedule, job);
  // Due already and still to begin, by its stagger: it is among those to come.
  const due = nextTime(schedule, new Date(now.getTime() - stagger));
  return wakeOf(due, stagger);
}

export function wakeOf(due: Date | undefined, stagger: number): { due: Date | null; wake: Date | null } {
  return due === undefined ? { due: null, wake: null } : { due, wake: new Date(due.getTime() + stagger) };
}
