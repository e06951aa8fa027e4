import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { isDatabaseUnavailable, sqlState } from '../database/errors.ts';
import type { JobMetrics } from '../telemetry/metrics.ts';
import { keptReason } from '../text.ts';
import { countSetAside, clearJobFailure, failuresUntilSetAside, recordJobFailure, type JobFailure, failuresOf } from './failure-queries.ts';

/** An item of background work: its team, and its identifier within the job and team. */
export type Thing = { team: string; id: string };

const teamConcurrency = 4;
/** Maximum number of items in one statement. */
const lookupBatchSize = 5_000;

const defaultLimitMs = 30_000;

type EachOptions<T extends Thing> = {
  /** Maximum time for one item, in milliseconds. */
  limitMs?: number;
  /** Called when an item fails for the tenth time. */
  onSetAside?: (thing: T, failures: number) => Promise<unknown>;
};

/** Runs background work for items of many teams. A failure of one item does not affect the others. */
export class Isolation {
  readonly #database: Database;
  readonly #log: Logger;
  readonly #metrics: JobMetrics;

  constructor({ database, log, metrics }: { database: Database; log: Logger; metrics: JobMetrics }) {
    this.#database = database;
    this.#log = log;
    this.#metrics = metrics;
  }

  /**
   * Runs `work` for each item; `work` opens a transaction itself. A failing or slow item is logged, counted in the metrics and retried later, and the
   * others continue. A few teams run at a time and take turns, each with its items in the given order (pass the oldest first). The statement that
   * selects the items should exclude those with `job_waits`. Rejects only if the database is unavailable, which does not count as a failure of an
   * item; a deadlock does.
   */
  async each<T extends Thing>(
    job: string,
    things: readonly T[],
    work: (thing: T) => Promise<unknown>,
    { limitMs = defaultLimitMs, onSetAside }: EachOptions<T> = {},
  ): Promise<void> {
    const known = await this.#failuresAmong(job, things);
    const failureOf = ({ team, id }: Thing) => known.get(`${team} ${id}`);
    const ready = things.filter((thing) => !failureOf(thing)?.waits);
    // Reversed, because removing the first element of an array moves all others.
    const queues = [...Map.groupBy(ready, ({ team }) => team).values()].map((queue) => queue.toReversed());
    const lane = async (): Promise<void> => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) {
        const thing = queue.pop();
        if (!thing) continue;
        const failures = await this.#once(job, thing, () => within(limitMs, work(thing)), failureOf(thing) !== undefined);
        if (failures === failuresUntilSetAside) await onSetAside?.(thing, failures);
        // Each other team gets a turn before the next item of this team.
        queues.push(queue);
      }
    };
    await Promise.all(Array.from({ length: teamConcurrency }, lane));
  }

  /** Returns the earlier failures of exactly these items, so that discarded items of one team do not hide those of another. */
  async #failuresAmong(job: string, things: readonly Thing[]): Promise<ReadonlyMap<string, JobFailure>> {
    const failures = new Map<string, JobFailure>();
    await this.#database.asSystem('read failures of background work', async (tx) => {
      this.#metrics.setAside(job, (await tx.first(countSetAside, { job }))?.things ?? 0);
      for (let at = 0; at < things.length; at += lookupBatchSize) {
        const some = things.slice(at, at + lookupBatchSize);
        const rows = await tx.all(failuresOf, { job, teams: some.map(({ team }) => team), things: some.map(({ id }) => id) });
        for (const row of rows) failures.set(`${row.team_id} ${row.thing}`, row);
      }
    });
    return failures;
  }

  /** Returns the number of consecutive failures of the item. */
  async #once(job: string, thing: Thing, work: () => Promise<unknown>, failedBefore: boolean): Promise<number> {
    try {
      await work();
    } catch (error) {
      if (isDatabaseUnavailable(error) && !sqlState(error)?.startsWith('40')) throw error;
      return this.#recordFailure(job, thing, error);
    }
    const { team, id } = thing;
    if (failedBefore)
      await this.#database.asSystem('clear a failure of background work', (tx) => tx.all(clearJobFailure, { team, job, thing: id }));
    return 0;
  }

  async #recordFailure(job: string, { team, id }: Thing, error: unknown): Promise<number> {
    const reason = keptReason(error);
    const row = await this.#database.asSystem('record a failure of background work', (tx) =>
      tx.first(recordJobFailure, { team, job, thing: id, reason }),
    );
    const failures = row?.failures ?? 1;
    this.#metrics.failed(job);
    const entry = { err: error, job, team, thing: id, failures };
    if (failures >= failuresUntilSetAside)
      this.#log.error(entry, 'background work failed ten times for one item; Chancery retries the item once a day');
    else this.#log.error(entry, 'background work failed for one item; Chancery continues with other items and retries this one later');
    return failures;
  }
}

/** Rejects if the work takes too long. The time limits of the database end its statements. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the work took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
