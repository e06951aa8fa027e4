import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { UnsuitableServer } from './errors.ts';

/**
 * Session settings that every statement of the service relies on. A table is read along an index wherever there is one: a
 * plan that was made while it was small enough to be read as a whole is kept while it grows. Nothing is compiled for a statement,
 * which would take longer than what is short by design: where nothing was analysed the planner takes it for long. The server hears of a client that is gone after some 20
 * seconds: until then it holds the locks of an open transaction.
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
  'DATABASE_URL leads to a connection pooler that does not keep sessions: settings, locks and notifications get lost in it. Set its pooling mode to session for this service (PgBouncer: pool_mode=session), or connect to PostgreSQL directly.';
const readOnly = 'The server that DATABASE_URL leads to is a standby or read-only. Name the primary, or all servers of the cluster.';

type Session = { kept: boolean; pid: number; writable: boolean };

/**
 * Sets the session settings by statements and reads one back in a transaction of its own. Start-up options would do the same in one step,
 * but a pooler drops them without an error. Throws {@link UnsuitableServer} where settings are lost or nothing can be written.
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
