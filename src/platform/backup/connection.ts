import pg from 'pg';
import { urlPerHost } from '../database/hosts.ts';
import type { Connection } from '../database/pool.ts';
import { beginSession } from '../database/session.ts';

/** Settings for long COPY statements. Without `row_security`, PostgreSQL rejects a statement whose rows a policy would filter. */
const settings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET tcp_user_timeout = 0; SET enable_seqscan = on;
  SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; SET extra_float_digits = 1; SET row_security = off`;

/** Opens a connection for COPY to the primary. It is a plain client, because a COPY stream reads the socket directly. */
export async function connectForCopy(connection: Connection): Promise<pg.Client> {
  const hosts = 'url' in connection ? urlPerHost(connection.url).map((connectionString) => ({ connectionString })) : [connection];
  const failures: unknown[] = [];
  for (const host of hosts) {
    const client = new pg.Client({ ...host, application_name: 'chancery-backup', connectionTimeoutMillis: 10_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await beginSession(client, 0);
      await client.query(settings);
      return client;
    } catch (error) {
      failures.push(error);
      await client.end().catch(() => undefined);
    }
  }
  throw failures.at(-1);
}
