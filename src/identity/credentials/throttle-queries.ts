import { sqlStatement } from '../../platform/database/statement.ts';

type Hit = { key: Buffer; free: number; window: number; wait: number };
const over = '(t.expires_at < now() OR began_in_the_future(t.since))';
const hit = `INSERT INTO throttle AS t (key, hits, since, expires_at) VALUES ($key, 1, now(), now() + make_interval(secs => $window))
   ON CONFLICT (key) DO UPDATE SET
     hits = CASE WHEN ${over} THEN 1 ELSE t.hits + 1 END,
     since = CASE WHEN ${over} THEN now() ELSE t.since END,
     blocked_until = CASE WHEN ${over} OR t.hits + 1 < $free THEN NULL
       ELSE now() + make_interval(secs => least($window, $wait * power(2, least(t.hits + 1 - $free, 20)))) END,
     expires_at = CASE WHEN ${over} OR $wait < $window THEN now() + make_interval(secs => $window) ELSE t.expires_at END`;

/** Counts one hit in a window. Each hit above the free hits blocks for twice as long as the previous one, at most for the window. */
export const countHit = sqlStatement<Hit, { hits: number }>(`${hit} RETURNING hits`);

/** Counts a hit unless the counter already blocks; in that case it returns no row. Concurrent hits see those that were counted before them. */
export const countUnblocked = sqlStatement<Hit, { hits: number }>(
  `${hit} WHERE t.blocked_until IS NULL OR t.blocked_until <= now() OR ${over} RETURNING hits`,
);

/** The remaining seconds of the longest block among `$keys`. */
export const longestBlock = sqlStatement<{ keys: Buffer[] }, { seconds: number | null }>('SELECT seconds FROM throttle_block($keys)');

/** Locks the rows in the order of their keys, like all statements that count. */
export const clearHits = sqlStatement<{ keys: Buffer[] }, never>(
  `WITH locked AS (SELECT key FROM throttle WHERE key = ANY ($keys) ORDER BY key FOR UPDATE)
   DELETE FROM throttle WHERE key IN (SELECT key FROM locked)`,
);

/** SQL for another statement: resets the counter of `key` if a condition is true. */
export const resetCounterSql = (key: string, condition: string) => `DELETE FROM throttle WHERE key = ${key} AND ${condition}`;

/** Deletes expired counters. Locked rows are left for the next run, because one transaction can lock several. */
export const dropCounters = sqlStatement<object, never>(
  `WITH locked AS (SELECT key FROM throttle WHERE expires_at < now() ORDER BY key FOR UPDATE SKIP LOCKED)
   DELETE FROM throttle t USING locked WHERE t.key = locked.key`,
);
