import { pino } from 'pino';
import { runWorkflowTimers } from '#workflows';
import { listeners } from '../src/listeners.ts';
import { Isolation } from '../src/platform/jobs/isolated-jobs.ts';
import type { Chancery } from './harness.ts';

/** Runs the timers that are due at `now`: ended waits, overdue tasks and workflows. Returns the names of failed jobs, one for each failure. */
export async function runTimers(chancery: Chancery, now: Date): Promise<string[]> {
  const failures: string[] = [];
  const metrics = { failed: (job: string) => void failures.push(job), setAside: () => undefined };
  const isolation = new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
  await runWorkflowTimers({ database: chancery.database, listeners, isolation }, now);
  return failures;
}
