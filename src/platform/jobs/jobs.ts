import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Connection } from '../database/pool.ts';
import type { JobMetrics } from '../telemetry/metrics.ts';

/** Periodic work, carried out once over all nodes. */
export type Jobs = {
  /** Declares a job before start. `cron` has five fields, in UTC; a run that was missed is not made up for. */
  schedule(name: string, cron: string, work: () => Promise<void>): void;
  start(): Promise<void>;
  /** Waits for what runs, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
};

/** Opens the scheduler on the service's database, in a schema of its own. A run that fails is logged and counted, and tried again. */
export function openJobs(connection: Connection, log: Logger, metrics: JobMetrics): Jobs {
  const declared: { name: string; cron: string; work: () => Promise<void> }[] = [];
  let boss: PgBoss | undefined;

  async function counted(job: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      metrics.failed(job);
      log.error({ err: error, job }, 'a run of background work failed; it is tried again');
      throw error;
    }
  }

  return {
    schedule: (name, cron, work) => void declared.push({ name, cron, work }),
    async start() {
      // Loaded here: reading it takes a good part of a start, and requests need not wait for it.
      const loaded = await import('pg-boss');
      boss = new loaded.PgBoss({
        ...('url' in connection ? { connectionString: connection.url } : connection),
        schema: 'chancery_jobs',
        application_name: 'chancery-jobs',
        max: 2,
      });
      boss.on('error', (error) => log.warn({ err: error }, 'background jobs cannot reach the database; trying again'));
      await boss.start();
      for (const { name, cron, work } of declared) {
        await boss.createQueue(name, { policy: 'singleton', retryLimit: 3, retryBackoff: true, expireInSeconds: 900 });
        await boss.schedule(name, cron, null, { tz: 'UTC' });
        await boss.work(name, { pollingIntervalSeconds: 5 }, () => counted(name, work));
      }
    },
    async stop(graceMs) {
      await boss?.stop({ graceful: true, timeout: graceMs });
    },
  };
}
