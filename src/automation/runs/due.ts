import { nextTime, type Schedule, staggerOf } from './schedules/index.ts';

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
