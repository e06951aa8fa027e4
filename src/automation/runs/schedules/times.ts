import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { Schedule } from './schedule.ts';

type CronSchedule = Pick<Extract<Schedule, { kind: 'cron' }>, 'expr' | 'tz'>;

/** Compiles a cron expression. Throws for an invalid one. */
export function compile({ expr, tz }: CronSchedule): Cron {
  // With this rule a list of hours is a fixed time, like one hour: it occurs once in the night when the clock goes back.
  return new Cron(expr, { timezone: tz, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true });
}

/** Returns the next due time after a time, or nothing if there is none. */
export function nextTime(schedule: Schedule, after: Date): Date | undefined {
  return timesOf(schedule)(after);
}

/** The search for a rare time checks each day, so times after the first are limited to 50 years. */
const furthestMs = 50 * 366 * 86_400_000;

/** Returns at most `count` times after a time. Those after the first are within 50 years. */
export function nextTimes(schedule: Schedule, after: Date, count: number): Date[] {
  const next = timesOf(schedule);
  const times: Date[] = [];
  for (let time = next(after); time !== undefined && times.length < count; time = next(time)) {
    if (times.length > 0 && time.getTime() - after.getTime() > furthestMs) break;
    times.push(time);
  }
  return times;
}

/** Returns a function for several queries of the next time, which compiles a cron expression once. */
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

/** Returns the delay of a job after its due times: constant for a job, and spread over all jobs. */
export function staggerOf(schedule: Schedule, job: string): number {
  if (schedule.kind !== 'cron' || schedule.staggerMs === 0) return 0;
  return createHash('sha256').update(job).digest().readUInt32BE(0) % schedule.staggerMs;
}

/** Returns the next due time of a job and its start, which is later by the stagger. Both are null if there is no further due time. */
export function dueAfter(schedule: Schedule, job: string, now: Date): { due: Date | null; wake: Date | null } {
  const stagger = staggerOf(schedule, job);
  // A due time whose delayed start is still to come counts too.
  const due = nextTime(schedule, new Date(now.getTime() - stagger));
  return wakeOf(due, stagger);
}

export function wakeOf(due: Date | undefined, stagger: number): { due: Date | null; wake: Date | null } {
  return due === undefined ? { due: null, wake: null } : { due, wake: new Date(due.getTime() + stagger) };
}
