import { sqlStatement } from './statement.ts';

/** A server process, told from another that gets its number later. */
export type Backend = { pid: number; since: string };

/** What a connection asks of itself when it is opened. */
export const whoServes = sqlStatement<object, Backend>(
  'SELECT pid, backend_start::text AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  { since: 'whoever asks this is being served' },
);

/**
 * Ends a server process, whose client is gone: no row, or true, once it has ended. Until then it holds its locks and may still
 * commit.
 */
export const endBackend = sqlStatement<Backend, { ended: boolean }>(
  'SELECT pg_terminate_backend(pid, 2000) AS ended FROM pg_stat_activity WHERE pid = $pid AND backend_start = $since::timestamptz',
);
