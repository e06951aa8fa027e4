import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Connection } from '../database/pool.ts';
import type { SchedulerMetrics } from '../telemetry/metrics.ts';
import { schedulesThere, schema } from './schedule-queries.ts';

/** Periodic work, carried out once over all nodes. */
export type Jobs = {
  /** Declares a job before start. `cron` has five fields, in UTC; a run that was missed is not made up for. */
  schedule(name: string, cron: string, work: () => Promise<void>): void;
  start(): Promise<void>;
  /** Why periodic work does not go on at the moment; nothing while it does. */
  trouble(): string | undefined;
  /** Waits for what runs, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

/** The library notes that it has looked at the schedules each half a minute, whichever node does. */
const staleSeconds = 180;
const troubled = 'Background work does not go on: its tables are missing or its connection is lost. It is being started anew.';

/** How often is looked whether the work goes on, and how long a statement of the library may take, in milliseconds. */
type Pace = { lookEveryMs: number; statementMs: number };

/**
 * Opens the scheduler on the service's database, in a schema of its own. A run that fails is logged and counted, and tried
 * again. Whether the schedules are there and are looked at is asked for now and then; where not, the library is begun anew,
 * which makes what is missing.
 */
export function openJobs(
  connection: Connection,
  log: Logger,
  metrics: SchedulerMetrics,
  { lookEveryMs, statementMs }: Pace = { lookEveryMs: 5_000, statementMs: 20_000 },
): Jobs {
  const declared: { name: string; cron: string; work: () => Promise<void> }[] = [];
  let boss: PgBoss | undefined;
  let begunAt = 0;
  let stopped = false;
  let trouble: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function counted(job: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      metrics.failed(job);
      log.error({ err: error, job }, 'a run of background work failed; it is tried again');
      throw error;
    }
  }

  async function begin(): Promise<void> {
    // Loaded here: reading it takes a good part of a start, and requests need not wait for it.
    const loaded = await import('pg-boss');
    const options = {
      ...('url' in connection ? { connectionString: connection.url } : connection),
      schema,
      application_name: 'chancery-jobs',
      max: 2,
      // What it hands on to the driver: a connection that falls silent is given up.
      query_timeout: statementMs,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    };
    const begun = new loaded.PgBoss(options);
    boss = begun;
    begunAt = performance.now();
    begun.on('error', (error) => log.warn({ err: error }, 'background jobs cannot reach the database; trying again'));
    await begun.start();
    for (const { name, cron, work } of declared) {
      await begun.createQueue(name, { policy: 'singleton', retryLimit: 3, retryBackoff: true, expireInSeconds: 900 });
      await begun.schedule(name, cron, null, { tz: 'UTC' });
      await begun.work(name, { pollingIntervalSeconds: 5 }, () => counted(name, work));
    }
  }

  /** Rejects when a schedule is missing, or when nobody has looked at them for minutes. */
  async function checkThatItGoesOn(): Promise<void> {
    if (!boss) throw new Error('the library has not begun');
    const [row] = (await boss.getDb().executeSql(schedulesThere, [declared.map(({ name }) => name)])).rows as {
      there: number;
      age: number | null;
    }[];
    if (row?.there !== declared.length) throw new Error(`${row?.there} of ${declared.length} schedules are there`);
    const grown = performance.now() - begunAt > staleSeconds * 1_000;
    if (grown && (row.age === null || row.age > staleSeconds)) throw new Error(`the schedules were not looked at for ${row.age} s`);
  }

  async function look(): Promise<void> {
    try {
      await checkThatItGoesOn();
      if (trouble !== undefined) log.info('background work goes on again');
      trouble = undefined;
    } catch (error) {
      if (trouble === undefined) log.error({ err: error }, 'background work does not go on; it is started anew');
      trouble = troubled;
      await Promise.race([boss?.stop({ graceful: false, timeout: 1_000 }), sleep(statementMs, undefined, { ref: false })]).catch(
        () => undefined,
      );
      if (!stopped) await begin().catch((failure: unknown) => log.warn({ err: failure }, 'background work cannot be started anew yet'));
    }
    metrics.goesOn(trouble === undefined);
  }

  function lookAgain(): void {
    timer = setTimeout(() => {
      looking = look().finally(() => {
        if (!stopped) lookAgain();
      });
    }, lookEveryMs);
    timer.unref();
  }

  return {
    schedule: (name, cron, work) => void declared.push({ name, cron, work }),
    async start() {
      await begin();
      metrics.goesOn(true);
      lookAgain();
    },
    trouble: () => trouble,
    async stop(graceMs) {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await boss?.stop({ graceful: true, timeout: graceMs });
    },
  };
}
