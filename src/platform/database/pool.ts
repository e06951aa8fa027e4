import pg from 'pg';
import { enter } from './team-exchange.ts';

/** Where the database is: a URL, or the parts of a socket connection to the embedded server. */
export type Connection = { url: string } | { host: string; port: number; user: string; password?: string; database: string };

/**
 * `2026-11-21 02:01:19.1+00` as `2026-11-21T02:01:19.100Z`: rows carry timestamps the way responses do, without a Date
 * in between. Sessions run in UTC, so that the offset is always +00.
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

/** Connects, with the session settings that every statement of the service relies on. */
export function connectionConfig(connection: Connection, applicationName: string): pg.ClientConfig {
  return {
    ...('url' in connection ? { connectionString: connection.url } : connection),
    application_name: applicationName,
    options: '-c TimeZone=UTC -c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c client_min_messages=warning',
    // All statements of a transaction are sent without waiting for one another's answers.
    pipeline: true,
    types,
  };
}

/** A pool whose idle connections may die without ending the process. */
export function createPool(
  connection: Connection,
  options: { max: number; applicationName: string; onIdleError: (error: Error) => void },
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(connection, options.applicationName),
    max: options.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3_600,
  });
  pool.on('error', options.onIdleError);
  // Prepared before anything else is sent, so that reads can name it (team-exchange.ts).
  pool.on('connect', (client) => {
    // The pool listens while a client is idle; one that is lost between two statements of a transaction would otherwise
    // end the process. Its next statement fails, which is where the loss is met.
    client.on('error', () => undefined);
    client.query({ ...enter, values: ['none', '', '0'] }).catch(() => undefined);
  });
  return pool;
}
