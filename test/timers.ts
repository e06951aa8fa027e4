import { pino } from 'pino';
import { runWorkflowTimers } from '#workflows';
import { listeners } from '../src/listeners.ts';
import { isolateErrors } from '../src/platform/jobs/isolated-jobs.ts';
import type { Chancery } from './harness.ts';

/** Runs what is due at `now`: waits that are over, overdue tasks and workflows. Returns the jobs that failed for a thing, once a failure. */
export async function runTimers(chancery: Chancery, now: Date): Promise<string[]> {
  const failures: string[] = [];
  const metrics = { failed: (job: string) => void failures.push(job), setAside: () => undefined };
  const isolation = isolateErrors({ database: chancery.database, log: pino({ level: 'silent' }), metrics });
  await runWorkflowTimers({ database: chancery.database, listeners, isolation }, now);
  return failures;
}
