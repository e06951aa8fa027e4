import { sqlStatement } from './statement.ts';

/** A server process. `since` distinguishes it from a later process with the same PID. */
export type Backend = { pid: number; since: string };

/** Returns the server process of the connection. */
export const servingBackend = sqlStatement<object, Backend>(
  'SELECT pid, backend_start::text AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  { since: 'the current server process always has a row' },
);

/**
 * Terminates a server process whose client is gone. The process has ended if the statement returns no row or true. Before that, it holds its locks
 * and may still commit. A commit that waits for a synchronous standby is not terminated: its changes would be visible before the standby has them.
 * A process that begins to wait after the look can still be terminated. The caller then waits with {@link awaitStandby}.
 */
export const endBackend = sqlStatement<Backend, { ended: boolean }>(
  `SELECT CASE WHEN wait_event = 'SyncRep' THEN false ELSE pg_terminate_backend(pid, 2000) END AS ended
   FROM pg_stat_activity WHERE pid = $pid AND backend_start = $since::timestamptz`,
);

/** Waits until the synchronous standby has all earlier commits. Its own commit waits for that. Returns at once without such a standby. */
export const awaitStandby = sqlStatement<object, never>("SELECT pg_logical_emit_message(true, 'chancery', '')");
