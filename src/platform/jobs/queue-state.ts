import type { Database } from '../database/database.ts';
import type { QueueState } from '../telemetry/metrics.ts';
import { countDue, countFailed, lastPeriodic } from './queries.ts';

const maxCounted = 10_000;
/** Several kinds of periodic work are due every minute. If no node began any for so long, no node works. */
const maxPauseSeconds = 180;

/** Reads the job queues of all nodes. A queue without a due or failed job is left out. */
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

/** Says why background work is stopped on all nodes, for a node that does none itself. Returns nothing while a node works. */
export async function findStandstill(database: Database): Promise<string | undefined> {
  const row = await database.asSystem('look for nodes that do background work', (tx) => tx.first(lastPeriodic, {}));
  const seconds = row?.seconds ?? undefined;
  if (seconds === undefined)
    return 'Background work is stopped: no node has done any yet. Start a node with `--role worker` or `--role all`.';
  if (seconds <= maxPauseSeconds) return undefined;
  const minutes = Math.floor(seconds / 60);
  return `Background work is stopped: no node has begun any for ${minutes} minutes. Start a node with \`--role worker\` or \`--role all\`, or read the log of those that run.`;
}
