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
 * and may still commit.
 */
export const endBackend = sqlStatement<Backend, { ended: boolean }>(
  'SELECT pg_terminate_backend(pid, 2000) AS ended FROM pg_stat_activity WHERE pid = $pid AND backend_start = $since::timestamptz',
);
