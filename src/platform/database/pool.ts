import pg from 'pg';
import { type DatabaseLimits, databaseLimits } from './limits.ts';
import { enter, initialEnterValues } from './exchanges/team-exchange.ts';
import { type Connection, graceMs, tryEachHost, WatchedClient, type WatchedConfig } from './watched-client.ts';

export type { Connection } from './watched-client.ts';

/**
 * Converts `2026-11-21 02:01:19.1+00` to `2026-11-21T02:01:19.100Z`. Rows contain timestamps in the format of responses, without a Date.
 * Sessions run in UTC, so the offset is always +00.
 */
function isoTimestamp(value: string): string {
  if (value.length < 22 || !value.endsWith('+00') || value.endsWith('BC')) return value;
  const fraction = value.slice(20, -3);
  const millis = value[19] === '.' ? fraction.slice(0, 3).padEnd(3, '0') : '000';
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${millis}Z`;
}

const timestamptz = 1184;
const int8 = 20;
const date = 1082;
const numeric = 1700;
const parsers = new Map<number, (value: string) => unknown>([
  [
    timestamptz,
    (value) => (value.endsWith('+00') && value.length === 22 ? `${value.slice(0, 10)}T${value.slice(11, 19)}.000Z` : isoTimestamp(value)),
  ],
  [int8, Number],
  [numeric, Number],
  [date, String],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
};

/** Returns the configuration of a connection to the primary. `statementMs` is the default statement limit. */
export function connectionConfig(
  connection: Connection,
  applicationName: string,
  limits: DatabaseLimits = databaseLimits(),
  statementMs = limits.systemMs,
): WatchedConfig {
  return {
    application_name: applicationName,
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    leadsTo: connection,
    statementMs,
    responseTimeoutMs: statementMs + graceMs,
    // Statements of a transaction are sent without waiting for earlier responses.
    pipeline: true,
    types,
  };
}

/** Returns a pool connection. Discards suspect connections: another connection stopped responding, and these may have too. */
export async function takeClient(pool: pg.Pool, connection: Connection): Promise<pg.PoolClient & WatchedClient> {
  for (;;) {
    const client = (await tryEachHost(connection, () => pool.connect())) as pg.PoolClient & WatchedClient;
    if (!client.suspect) return client;
    client.abandon();
    client.release(true);
  }
}

/** Creates a pool. The loss of an idle connection does not end the process. */
export function createPool(
  connection: Connection,
  options: { max: number; applicationName: string; limits: DatabaseLimits; onIdleError: (error: Error) => void },
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(connection, options.applicationName, options.limits),
    Client: WatchedClient as typeof pg.Client,
    max: options.max,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3_600,
  });
  pool.on('error', options.onIdleError);
  // Prepares the `enter` statement first, so that reads can use it (exchanges/team-exchange.ts).
  pool.on('connect', (client) => {
    // The pool handles errors only while a client is idle. Without this listener a connection lost between two statements of a transaction would
    // end the process. The next statement then fails and reports the loss.
    client.on('error', () => undefined);
    client.query({ ...enter, values: initialEnterValues }).catch(() => undefined);
    void (client as pg.Client as WatchedClient).learnBackend();
  });
  return pool;
}

type Stream = { cork(): void; uncork(): void; writableCorked: number };

/** Delays writes of the client until `later` runs its callback, so that all statements of this turn are sent in one packet. */
export function delayWrites(client: pg.ClientBase, later: (uncork: () => void) => unknown): void {
  const { stream } = (client as unknown as { connection: { stream: Stream } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  later(() => stream.uncork());
}
