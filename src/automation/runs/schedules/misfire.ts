import type { Schedule } from './schedule.ts';
import { timesOf } from './times.ts';

/** What becomes of times that passed while nobody looked: one run for all of them within the grace, or none. */
export type Misfire = { policy: 'run_once' | 'skip'; graceSeconds: number };

/** Times that passed: how many (`isLowerBound` when it is more than were counted), the first and the last. */
export type Missed = { count: number; first: string; last: string; isLowerBound?: true };

type Due = { due: Date; missed?: Missed };
/** What is to be done now. A run that is late by no more than {@link lateAfterMs} is on time. */
export type DueNow = {
  run?: Due & { trigger: 'schedule' | 'misfire' };
  /** Times for which nothing runs, which are kept as one skipped run. */
  skipped?: Required<Due>;
  /** When it is due next. */
  next: Date | undefined;
};

export const lateAfterMs = 60_000;
const maxCounted = 1_000;

/**
 * What is to be done of a schedule that is due: on time it runs once, however often it was looked at. Of times that have passed by
 * more than a minute those within the grace are made up for by one run under `run_once`; all others by none.
 *
 * @param due the first time that nothing was done for yet
 * @param now the time at which it is looked at, less the stagger of the job; not before `due`
 */
export function whatIsDue(schedule: Schedule, due: Date, now: Date, misfire: Misfire): DueNow {
  const after = timesOf(schedule);
  const next = after(now);
  const last = lastTime(after, due, now);
  const onTime = now.getTime() - last.getTime() <= lateAfterMs;
  if (onTime && last.getTime() === due.getTime()) return { run: { due, trigger: 'schedule' }, next };
  // Of those that were missed the last is not one that is on time.
  const lastMissed = onTime ? lastTime(after, due, new Date(last.getTime() - 1)) : last;
  const missed = countMissed(after, due, lastMissed);
  const makesUp = misfire.policy === 'run_once' && (onTime || now.getTime() - last.getTime() <= misfire.graceSeconds * 1_000);
  if (makesUp) return { run: { due: last, trigger: onTime ? 'schedule' : 'misfire', missed }, next };
  const skipped = { due: lastMissed, missed };
  return onTime ? { run: { due: last, trigger: 'schedule' }, skipped, next } : { skipped, next };
}

/** The last time from `due` on that is not after `now`. Its cost grows with the logarithm of the time between. */
function lastTime(after: (time: Date) => Date | undefined, due: Date, now: Date): Date {
  const follows = (time: number): Date | undefined => {
    const next = after(new Date(time));
    return next !== undefined && next <= now ? next : undefined;
  };
  let last = due;
  for (let low = due.getTime(), high = now.getTime(); low < high;) {
    // After `low` there may be one, after `high` there is none.
    const middle = low + Math.floor((high - low) / 2);
    const found = follows(middle);
    if (found === undefined) {
      high = middle;
    } else {
      last = found;
      low = Math.max(middle + 1, found.getTime());
    }
  }
  return last;
}

function countMissed(after: (time: Date) => Date | undefined, first: Date, last: Date): Missed {
  const said = { first: first.toISOString(), last: last.toISOString() };
  let count = 1;
  for (let time = after(first); time !== undefined && time <= last; time = after(time)) {
    if (count === maxCounted) return { count, ...said, isLowerBound: true };
    count += 1;
  }
  return { count, ...said };
}
