import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { UnsuitableServer } from './errors.ts';

/**
 * Session settings that all statements of the service rely on. Sequential scans are off, because a plan that was made for a small table is
 * reused while the table grows. JIT compilation is off, because it takes longer than a short statement, and the planner
 * overestimates tables without statistics. The server detects a lost client after about 20 seconds. Until then it holds the
 * locks of an open transaction.
 */
const sessionSettings = {
  TimeZone: 'UTC',
  idle_in_transaction_session_timeout: 20_000,
  client_min_messages: 'warning',
  enable_seqscan: 'off',
  jit: 'off',
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 20_000,
};

export const lostSession =
  'DATABASE_URL connects through a pooler without session pooling, which loses settings, locks and notifications. Set the pooling mode to session for this service (PgBouncer: pool_mode=session), or connect to PostgreSQL directly.';
const readOnly = 'The server of DATABASE_URL is a standby or read-only. Name the primary, or all servers of the cluster.';

type Session = { kept: boolean; pid: number; writable: boolean };

/**
 * Sets the session settings with statements and reads one back in a separate transaction. It does not use startup options, because a pooler would
 * drop them without an error. Throws {@link UnsuitableServer} if settings are lost or the server is read-only.
 */
export async function beginSession(client: pg.ClientBase, statementMs: number): Promise<Session> {
  const mark = randomUUID();
  const settings = Object.entries({ ...sessionSettings, statement_timeout: statementMs, 'app.session': mark });
  const set = client.query({
    text: `SELECT ${settings.map(([name], at) => `set_config('${name}', $${at + 1}, false)`).join(', ')}`,
    values: settings.map(([, value]) => String(value)),
  });
  const answer = client.query<Session>({
    text: `SELECT current_setting('app.session', true) IS NOT DISTINCT FROM $1 AND current_setting('TimeZone') = 'UTC' AS kept,
      pg_backend_pid() AS pid, current_setting('transaction_read_only') = 'off' AS writable`,
    values: [mark],
  });
  answer.catch(() => undefined);
  await set;
  const [session] = (await answer).rows;
  if (!session?.kept) throw new UnsuitableServer(lostSession);
  if (!session.writable) throw new UnsuitableServer(readOnly);
  return session;
}
