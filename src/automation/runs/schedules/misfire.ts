import type { Schedule } from './schedule.ts';
import { timesOf } from './times.ts';

/** The handling of missed times: one run for all of them within the grace period, or none. */
export type Misfire = { policy: 'run_once' | 'skip'; graceSeconds: number };

/** Missed times: their number (a lower bound if `isLowerBound`), the first and the last. */
export type Missed = { count: number; first: string; last: string; isLowerBound?: true };

type Due = { due: Date; missed?: Missed };
/** The decision for a due schedule. A run that is at most {@link lateAfterMs} late counts as on time. */
export type DueNow = {
  run?: Due & { trigger: 'schedule' | 'misfire' };
  /** Missed times that get no run; they are recorded as one skipped run. */
  skipped?: Required<Due>;
  /** The next due time. */
  next: Date | undefined;
};

export const lateAfterMs = 60_000;
const maxCounted = 1_000;

/**
 * Decides what to do for a due schedule. A time that is at most a minute late gets one run. With `run_once`, one run also replaces the missed times,
 * if the last time is within the grace period. Other missed times get no run.
 *
 * @param due the first time that was not handled yet
 * @param now the current time minus the stagger of the job; not before `due`
 */
export function dueRunOf(schedule: Schedule, due: Date, now: Date, misfire: Misfire): DueNow {
  const after = timesOf(schedule);
  const next = after(now);
  const last = lastTime(after, due, now);
  const onTime = now.getTime() - last.getTime() <= lateAfterMs;
  if (onTime && last.getTime() === due.getTime()) return { run: { due, trigger: 'schedule' }, next };
  // The last missed time is the one before the time that is on time.
  const lastMissed = onTime ? lastTime(after, due, new Date(last.getTime() - 1)) : last;
  const missed = countMissed(after, due, lastMissed);
  const makesUp = misfire.policy === 'run_once' && (onTime || now.getTime() - last.getTime() <= misfire.graceSeconds * 1_000);
  if (makesUp) return { run: { due: last, trigger: onTime ? 'schedule' : 'misfire', missed }, next };
  const skipped = { due: lastMissed, missed };
  return onTime ? { run: { due: last, trigger: 'schedule' }, skipped, next } : { skipped, next };
}

/** Returns the last time from `due` on that is not after `now`. The cost grows with the logarithm of the time between. */
function lastTime(after: (time: Date) => Date | undefined, due: Date, now: Date): Date {
  const follows = (time: number): Date | undefined => {
    const next = after(new Date(time));
    return next !== undefined && next <= now ? next : undefined;
  };
  let last = due;
  for (let low = due.getTime(), high = now.getTime(); low < high;) {
    // A time may follow after `low`; none follows after `high`.
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
