import { type Connection, connectionConfig } from './pool.ts';
import { lostSession } from './session.ts';
import { tryEachHost, WatchedClient } from './watched-client.ts';

/** A condition that a start needs. `serve` stops at the first error, `doctor` reports all of them. */
export type StartCheck = {
  name: string;
  /** Returns the error and the next step as a sentence. Changes nothing. */
  findError: (client: WatchedClient) => Promise<string | undefined>;
};

/** Opens a connection for start checks. */
export function connectForChecks(connection: Connection): Promise<WatchedClient> {
  const config = { ...connectionConfig(connection, 'chancery-check'), pipeline: false };
  return tryEachHost(connection, () => new WatchedClient(config).connect());
}

/** Which of two connections asks next (Thue–Morse): no pooler that takes its servers in turn stays in step with it. */
const secondAsks = [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0];

/**
 * Checks that a pooler keeps sessions. In session pooling two open connections have one server process each. In transaction and statement
 * pooling a process serves the next statement of any client. So one connection meets two processes, or both connections meet the same one.
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

/** Checks that row-level security binds the user of the connection. */
export const superuserCheck: StartCheck = {
  name: 'the user of the database is no superuser',
  async findError(client) {
    const { rows } = await client.query<{ free: boolean }>(
      'SELECT rolsuper OR rolbypassrls AS free FROM pg_roles WHERE rolname = session_user',
    );
    if (!rows[0]?.free) return undefined;
    return 'The user of DATABASE_URL is a superuser or has BYPASSRLS, which row-level security does not bind. In production use an ordinary one: CREATE ROLE chancery LOGIN CREATEROLE.';
  },
};
