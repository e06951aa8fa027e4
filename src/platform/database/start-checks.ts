import { type Connection, connectionConfig } from './pool.ts';
import { lostSession } from './session.ts';
import { tryEachHost, WatchedClient } from './watched-client.ts';

/** A condition for a start. `serve` stops at the first error; `doctor` reports all errors. */
export type StartCheck = {
  name: string;
  /** Returns an error message with the next step, or undefined. Changes nothing. */
  findError: (client: WatchedClient) => Promise<string | undefined>;
};

/** Opens a connection for start checks. */
export function connectForChecks(connection: Connection): Promise<WatchedClient> {
  const config = { ...connectionConfig(connection, 'chancery-check'), pipeline: false };
  return tryEachHost(connection, () => new WatchedClient(config).connect());
}

/** The order in which two connections run a query: a Thue–Morse sequence, so that a round-robin pooler cannot match it by chance. */
const secondAsks = [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0];

/**
 * Checks that a pooler keeps sessions. In session pooling two open connections have one server process each. In transaction and statement pooling a
 * process serves the next statement of any client. The check fails if one connection sees two processes, or both see the same process.
 */
export const sessionCheck = (connection: Connection): StartCheck => ({
  name: 'the database keeps sessions',
  async findError(client) {
    if (!client.isPooled) return undefined;
    const other = await connectForChecks(connection);
    try {
      const met = [new Set<number>(), new Set<number>()] as const;
      for (const second of secondAsks) {
        const { rows } = await (second ? other : client).query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        if (rows[0]) met[second ? 1 : 0].add(rows[0].pid);
      }
      const keeps = met.every(({ size }) => size === 1) && met[0].isDisjointFrom(met[1]);
      return keeps ? undefined : lostSession;
    } finally {
      await other.end();
    }
  },
});

/** Checks that row-level security applies to the user of the connection. */
export const superuserCheck: StartCheck = {
  name: 'the database user is not a superuser',
  async findError(client) {
    const { rows } = await client.query<{ free: boolean }>(
      'SELECT rolsuper OR rolbypassrls AS free FROM pg_roles WHERE rolname = session_user',
    );
    if (!rows[0]?.free) return undefined;
    return 'The user of DATABASE_URL is a superuser or has BYPASSRLS, so row-level security does not apply to it. In production use an ordinary user: CREATE ROLE chancery LOGIN CREATEROLE.';
  },
};
