import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../http/server.ts';
import { onResponseClose } from '../http/on-response-close.ts';
import { coalesce } from '../coalesce.ts';

/** Metrics of the process, created once, because their observers are never garbage-collected. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess, prefix: 'chancery_' });
  }
  return ofProcess;
}

/** Creates a registry with the Prometheus metrics of a service and its process. */
export function createMetrics(): Registry {
  const registry = new Registry();
  for (const { name } of processMetrics().getMetricsAsArray()) {
    const metric = processMetrics().getSingleMetric(name);
    if (metric) registry.registerMetric(metric);
  }
  return registry;
}

/** Measures requests by route template and status class. The path is not used, because it contains identifiers. */
export function measureRequests(app: App, registry: Registry): void {
  const duration = new Histogram({
    name: 'chancery_http_request_duration_seconds',
    help: 'Response time by route and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let inFlight = 0;
  const gauge = new Gauge({
    name: 'chancery_http_requests_in_flight',
    help: 'Requests in flight',
    registers: [],
    collect() {
      this.set(inFlight);
    },
  });
  registry.registerMetric(gauge);
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight += 1;
    // Also runs if the client disconnects, unlike the `onResponse` hook.
    onResponseClose(reply, () => {
      inFlight -= 1;
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    duration.labels(request.method, route, `${Math.floor(reply.statusCode / 100)}xx`).observe(reply.elapsedTime / 1000);
    done();
  });
}

/** Counts failures of background work. */
export type JobMetrics = {
  /** Records a failure of a job, or of its work for one item of a team. */
  failed(job: string): void;
  /** Sets the number of discarded items of a job. */
  setAside(job: string, things: number): void;
};

/** The metrics of jobs, including whether background work runs. */
export type SchedulerMetrics = JobMetrics & { goesOn(does: boolean): void };

export function countJobFailures(registry: Registry): SchedulerMetrics {
  const failures = new Counter({
    name: 'chancery_job_failures_total',
    help: 'Failures of background work: whole runs, and work for one item of a team',
    labelNames: ['name'],
    registers: [registry],
  });
  const aside = new Gauge({
    name: 'chancery_job_items_discarded',
    help: 'Items that were discarded after ten consecutive failures and are tried once a day',
    labelNames: ['name'],
    registers: [registry],
  });
  const alive = new Gauge({
    name: 'chancery_jobs_up',
    help: 'Whether background work runs: 1, or 0 while its tables are missing or its connection is lost',
    registers: [registry],
  });
  return {
    goesOn: (does) => alive.set(does ? 1 : 0),
    failed: (job) => failures.inc({ name: job }),
    setAside: (job, things) => aside.set({ name: job }, things),
  };
}

/** The jobs of one name on all nodes. Queues that keep no failed jobs have no `failed`. */
export type QueueState = { name: string; due: number; oldestDueSeconds: number; failed?: number };

/** Reports the job queues. `read` runs when the metrics are scraped. While it fails, the metrics keep their last values. */
export function measureQueues(registry: Registry, read: () => Promise<readonly QueueState[]>): void {
  const readOnce = coalesce(read);
  const measures: [name: string, help: string, valueOf: (queue: QueueState) => number | undefined][] = [
    ['chancery_jobs_due', 'Due jobs that no node has started, at most 10 000 per queue', ({ due }) => due],
    [
      'chancery_jobs_oldest_due_seconds',
      'Seconds since the oldest due job of a queue became due',
      ({ oldestDueSeconds }) => oldestDueSeconds,
    ],
    ['chancery_jobs_failed', 'Jobs that failed permanently and are kept: see `chancery jobs list`', ({ failed }) => failed],
  ];
  for (const [name, help, valueOf] of measures) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['name'],
      registers: [],
      async collect() {
        const queues = await readOnce().catch(() => undefined);
        if (!queues) return;
        this.reset();
        for (const queue of queues) {
          const value = valueOf(queue);
          if (value !== undefined) this.set({ name: queue.name }, value);
        }
      },
    });
    registry.registerMetric(gauge);
  }
}

/** Counts how often a quota of a team was exceeded. */
export function countExceededQuotas(registry: Registry): (quota: string) => void {
  const counter = new Counter({
    name: 'chancery_quota_exceeded_total',
    help: 'Requests rejected and work delayed because a team exceeded a quota',
    labelNames: ['quota'],
    registers: [registry],
  });
  return (quota) => counter.inc({ quota });
}
