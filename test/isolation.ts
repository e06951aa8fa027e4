import { Registry } from 'prom-client';
import { pino } from 'pino';
import { isolateErrors, type Isolation } from '../src/platform/jobs/isolated-jobs.ts';
import { countJobFailures } from '../src/platform/telemetry/metrics.ts';
import type { Chancery } from './harness.ts';

/** What carries out background passes on a test's service, with metrics of its own. */
export function isolationOf(chancery: Chancery, registry = new Registry()): Isolation {
  return isolateErrors({ database: chancery.database, log: pino({ level: 'silent' }), metrics: countJobFailures(registry) });
}
