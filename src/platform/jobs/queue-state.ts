import type { Database } from '../database/database.ts';
import type { QueueState } from '../telemetry/metrics.ts';
import { countDue, countFailed, lastPeriodic } from './queries.ts';

const maxCounted = 10_000;
/** Seconds without a started periodic job after which no worker runs, because several periodic jobs are due every minute. */
const maxPauseSeconds = 180;

/** Returns the state of the job queues of all nodes. Queues without due or failed jobs are omitted. */
export async function readQueues(database: Database): Promise<QueueState[]> {
  const [due, failed] = await database.asSystem('count due and failed jobs', async (tx) => [
    await tx.all(countDue, { limit: maxCounted }),
    await tx.all(countFailed, {}),
  ]);
  const queues = new Map<string, QueueState>();
  for (const { name, jobs, oldest_seconds: oldestDueSeconds } of due) queues.set(name, { name, due: jobs, oldestDueSeconds, failed: 0 });
  for (const { name, jobs } of failed) queues.set(name, { name, due: 0, oldestDueSeconds: 0, ...queues.get(name), failed: jobs });
  return [...queues.values()];
}

/** Returns the reason why background work is stopped on all nodes, for a node that runs no jobs; undefined while a worker runs. */
export async function findStandstill(database: Database): Promise<string | undefined> {
  const row = await database.asSystem('find active workers', (tx) => tx.first(lastPeriodic, {}));
  const seconds = row?.seconds ?? undefined;
  if (seconds === undefined)
    return 'Background work is stopped because no worker has run yet. Start a node with `--role worker` or `--role all`.';
  if (seconds <= maxPauseSeconds) return undefined;
  const minutes = Math.floor(seconds / 60);
  return `Background work is stopped because no worker has run for ${minutes} minutes. Start a node with \`--role worker\` or \`--role all\`, or check the log of the running nodes.`;
}
