import type pg from 'pg';
import { eventually } from './webhook-receiver.ts';

/* Conditions that tests wait for in place of fixed delays. */

/** A node that misses a notification trusts a token for 60 s. A test of the notification waits for less. */
export const notificationMs = 30_000;

/**
 * Selects connections that wait for a lock of this transaction, directly or indirectly. It reads pg_locks, because a transaction sees the same
 * pg_stat_activity until its end.
 */
const blocked = `WITH RECURSIVE waiting AS (SELECT DISTINCT pid FROM pg_locks WHERE NOT granted),
    blocked AS (
      SELECT pid FROM waiting WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
      UNION SELECT w.pid FROM waiting w JOIN blocked b ON b.pid = ANY (pg_blocking_pids(w.pid)))
  SELECT FROM blocked`;

/** Waits until `many` connections wait for locks of the transaction of `lockOwner`. */
export async function untilBlocked(lockOwner: pg.ClientBase, many = 1): Promise<void> {
  await eventually(`${many} wait for a lock`, async () => ((await lockOwner.query(blocked)).rowCount ?? 0) >= many);
}

/** Returns the outcome of work, or `waits` once a connection waits for a lock of the transaction of `lockOwner`. */
export async function outcomeOrWait<T>(lockOwner: pg.ClientBase, work: Promise<T>): Promise<T | 'waits'> {
  let ended = false;
  const outcome = work.finally(() => (ended = true));
  const waiting = eventually('an outcome or a wait for a lock', async () => ended || ((await lockOwner.query(blocked)).rowCount ?? 0) > 0);
  const first = await Promise.race([outcome, waiting.then(() => 'waits' as const)]);
  await waiting;
  return first;
}

/** Counts the passes of a worker over its queue. The worker calls `onPass`. */
export function countPasses(): { onPass: () => void; more: (many?: number) => Promise<void> } {
  let passes = 0;
  return {
    onPass: () => void (passes += 1),
    /** Waits for `many` more passes. The second pass starts after the call. */
    more: async (many = 2) => {
      const before = passes;
      await eventually(`${many} more passes`, () => passes >= before + many);
    },
  };
}
