import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { isDatabaseUnavailable, sqlState } from '../database/errors.ts';
import type { JobMetrics } from '../telemetry/metrics.ts';
import { keptReason } from '../text.ts';
import { countSetAside, clearJobFailure, failuresUntilSetAside, recordJobFailure, type JobFailure, troublesOf } from './failure-queries.ts';

/** One thing of a background pass: whose it is, and its identifier among what the job does for that team. */
export type Thing = { team: string; id: string };

/** Carries out a background pass over things of many teams, so that the fault of one stays its own. */
export type Isolation = {
  /**
   * Does `work` for each thing, which opens a transaction of its own. A thing that fails or takes too long is logged,
   * counted in the metrics and tried again later, and the others are done. Teams take turns, each with its things in the
   * order given (give the oldest first), a few teams at a time. The statement that finds the things should name
   * `job_waits`. `limitMs` is how long one thing may take, half a minute by default; `onSetAside` hears of a
   * thing that has just failed for the tenth time. Rejects only when the database is away, since then nothing is the fault
   * of a thing; a deadlock is.
   */
  each<T extends Thing>(
    job: string,
    things: readonly T[],
    work: (thing: T) => Promise<unknown>,
    options?: { limitMs?: number; onSetAside?: (thing: T, failures: number) => Promise<unknown> },
  ): Promise<void>;
};

const teamConcurrency = 4;
/** Things that one statement asks about. */
const lookupBatchSize = 5_000;

const defaultLimitMs = 30_000;

export function isolateErrors({ database, log, metrics }: { database: Database; log: Logger; metrics: JobMetrics }): Isolation {
  async function fail(job: string, { team, id }: Thing, error: unknown): Promise<number> {
    const reason = keptReason(error);
    const row = await database.asSystem('note a failure of background work', (tx) =>
      tx.first(recordJobFailure, { team, job, thing: id, reason }),
    );
    const failures = row?.failures ?? 1;
    metrics.failed(job);
    const entry = { err: error, job, team, thing: id, failures };
    if (failures >= failuresUntilSetAside) log.error(entry, 'background work failed ten times for one thing: set aside, tried once a day');
    else log.error(entry, 'background work failed for one thing; the rest goes on, and it is tried again later');
    return failures;
  }

  type Once = { work: () => Promise<unknown>; failedBefore: boolean; onSetAside?: ((failures: number) => Promise<unknown>) | undefined };

  async function once(job: string, thing: Thing, { work, failedBefore, onSetAside }: Once): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isDatabaseUnavailable(error) && !sqlState(error)?.startsWith('40')) throw error;
      const failures = await fail(job, thing, error);
      if (failures === failuresUntilSetAside) await onSetAside?.(failures);
      return;
    }
    if (failedBefore)
      await database.asSystem('background work succeeds again', (tx) =>
        tx.all(clearJobFailure, { team: thing.team, job, thing: thing.id }),
      );
  }

  /** What failed of these things before, by whose they are and which. Of these alone: what one team has set aside hides nothing of another. */
  async function troublesAmong(job: string, things: readonly Thing[]): Promise<ReadonlyMap<string, JobFailure>> {
    const troubles = new Map<string, JobFailure>();
    await database.asSystem('look at what background work failed at', async (tx) => {
      metrics.setAside(job, (await tx.first(countSetAside, { job }))?.things ?? 0);
      for (let at = 0; at < things.length; at += lookupBatchSize) {
        const some = things.slice(at, at + lookupBatchSize);
        const rows = await tx.all(troublesOf, { job, teams: some.map(({ team }) => team), things: some.map(({ id }) => id) });
        for (const row of rows) troubles.set(`${row.team_id} ${row.thing}`, row);
      }
    });
    return troubles;
  }

  return {
    async each(job, things, work, { limitMs = defaultLimitMs, onSetAside } = {}) {
      const troubles = await troublesAmong(job, things);
      const failureOf = ({ team, id }: Thing) => troubles.get(`${team} ${id}`);
      const queues = [
        ...Map.groupBy(
          things.filter((thing) => !failureOf(thing)?.waits),
          ({ team }) => team,
        ).values(),
        // From its end: of an array the first is taken out by moving all the others.
      ].map((queue) => queue.toReversed());
      const lane = async (): Promise<void> => {
        for (let queue = queues.shift(); queue; queue = queues.shift()) {
          const thing = queue.pop();
          if (!thing) continue;
          await once(job, thing, {
            work: () => within(limitMs, work(thing)),
            failedBefore: failureOf(thing) !== undefined,
            onSetAside: onSetAside && ((failures) => onSetAside(thing, failures)),
          });
          // Its next thing comes after one of each other team.
          queues.push(queue);
        }
      };
      await Promise.all(Array.from({ length: teamConcurrency }, lane));
    },
  };
}

/** Rejects when the work has not ended in time. What it holds of the database ends by the database's own limits. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
