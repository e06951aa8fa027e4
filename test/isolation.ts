import { Registry } from 'prom-client';
import { pino } from 'pino';
import { Isolation } from '../src/platform/jobs/isolated-jobs.ts';
import { countJobFailures } from '../src/platform/telemetry/metrics.ts';
import type { Chancery } from './harness.ts';

/** Returns the runner of background passes for the service of a test, with separate metrics. */
export function isolationOf(chancery: Chancery, registry = new Registry()): Isolation {
  return new Isolation({ database: chancery.database, log: pino({ level: 'silent' }), metrics: countJobFailures(registry) });
}
