import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { isDatabaseUnavailable, sqlState } from '../database/errors.ts';
import type { JobMetrics } from '../telemetry/metrics.ts';
import { keptReason } from '../text.ts';
import { countSetAside, clearJobFailure, failuresUntilSetAside, recordJobFailure, type JobFailure, troublesOf } from './failure-queries.ts';

/** One thing of a background pass: whose it is, and its identifier among what the job does for that team. */
export type Thing = { team: string; id: string };

const teamConcurrency = 4;
/** Things that one statement asks about. */
const lookupBatchSize = 5_000;

const defaultLimitMs = 30_000;

type EachOptions<T extends Thing> = {
  /** How long one thing may take. */
  limitMs?: number;
  /** Called for a thing that has just failed for the tenth time. */
  onSetAside?: (thing: T, failures: number) => Promise<unknown>;
};

/** Carries out a background pass over things of many teams, so that the fault of one stays its own. */
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
   * Does `work` for each thing, which opens a transaction of its own. A thing that fails or takes too long is logged,
   * counted in the metrics and tried again later, and the others are done. Teams take turns, each with its things in the
   * order given (give the oldest first), a few teams at a time. The statement that finds the things should name
   * `job_waits`. Rejects only when the database is away, since then nothing is the fault of a thing; a deadlock is.
   */
  async each<T extends Thing>(
    job: string,
    things: readonly T[],
    work: (thing: T) => Promise<unknown>,
    { limitMs = defaultLimitMs, onSetAside }: EachOptions<T> = {},
  ): Promise<void> {
    const troubles = await this.#troublesAmong(job, things);
    const troubleOf = ({ team, id }: Thing) => troubles.get(`${team} ${id}`);
    const ready = things.filter((thing) => !troubleOf(thing)?.waits);
    // From its end: of an array the first is taken out by moving all the others.
    const queues = [...Map.groupBy(ready, ({ team }) => team).values()].map((queue) => queue.toReversed());
    const lane = async (): Promise<void> => {
      for (let queue = queues.shift(); queue; queue = queues.shift()) {
        const thing = queue.pop();
        if (!thing) continue;
        const failures = await this.#once(job, thing, () => within(limitMs, work(thing)), troubleOf(thing) !== undefined);
        if (failures === failuresUntilSetAside) await onSetAside?.(thing, failures);
        // Its next thing comes after one of each other team.
        queues.push(queue);
      }
    };
    await Promise.all(Array.from({ length: teamConcurrency }, lane));
  }

  /** What failed of these things before, by whose they are and which. Of these alone: what one team has set aside hides nothing of another. */
  async #troublesAmong(job: string, things: readonly Thing[]): Promise<ReadonlyMap<string, JobFailure>> {
    const troubles = new Map<string, JobFailure>();
    await this.#database.asSystem('look at what background work failed at', async (tx) => {
      this.#metrics.setAside(job, (await tx.first(countSetAside, { job }))?.things ?? 0);
      for (let at = 0; at < things.length; at += lookupBatchSize) {
        const some = things.slice(at, at + lookupBatchSize);
        const rows = await tx.all(troublesOf, { job, teams: some.map(({ team }) => team), things: some.map(({ id }) => id) });
        for (const row of rows) troubles.set(`${row.team_id} ${row.thing}`, row);
      }
    });
    return troubles;
  }

  /** Returns how often the thing has failed in a row. */
  async #once(job: string, thing: Thing, work: () => Promise<unknown>, failedBefore: boolean): Promise<number> {
    try {
      await work();
    } catch (error) {
      if (isDatabaseUnavailable(error) && !sqlState(error)?.startsWith('40')) throw error;
      return this.#noteFailure(job, thing, error);
    }
    const { team, id } = thing;
    if (failedBefore)
      await this.#database.asSystem('background work succeeds again', (tx) => tx.all(clearJobFailure, { team, job, thing: id }));
    return 0;
  }

  async #noteFailure(job: string, { team, id }: Thing, error: unknown): Promise<number> {
    const reason = keptReason(error);
    const row = await this.#database.asSystem('note a failure of background work', (tx) =>
      tx.first(recordJobFailure, { team, job, thing: id, reason }),
    );
    const failures = row?.failures ?? 1;
    this.#metrics.failed(job);
    const entry = { err: error, job, team, thing: id, failures };
    if (failures >= failuresUntilSetAside)
      this.#log.error(entry, 'background work failed ten times for one thing: set aside, tried once a day');
    else this.#log.error(entry, 'background work failed for one thing; the rest goes on, and it is tried again later');
    return failures;
  }
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
