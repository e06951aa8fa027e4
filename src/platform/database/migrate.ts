import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { version } from '../entry-points.ts';
import { lockNotAvailable, sqlState } from './errors.ts';
import { appliedMigrations, lockedTables, type MigrationFile, migrationFiles, pendingOf, schemaError, sha256Of } from './migrations.ts';
import { type Connection, connectionConfig } from './pool.ts';
import type { StartCheck } from './start-checks.ts';
import { tryEachHost, WatchedClient } from './watched-client.ts';

/** Key of the advisory lock during migrations, so that nodes that start together migrate once. It must never change. */
const migrationLock = 7_204_118_353;

const roleNames = ['chancery_owner', 'chancery_app', 'chancery_system'];
const roles = `
DO $$
DECLARE wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY[${roleNames.map((name) => `'${name}'`).join(', ')}] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AND NOT pg_has_role(current_user, wanted, 'USAGE') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
    END IF;
  END LOOP;
  -- Roles belong to the whole server and tables to one database: another database may have made the roles before.
  EXECUTE format('GRANT CREATE ON DATABASE %I TO chancery_owner', current_database());
  GRANT USAGE, CREATE ON SCHEMA public TO chancery_owner;
  GRANT USAGE ON SCHEMA public TO chancery_app, chancery_system;
END $$`;

const ledger = `
CREATE TABLE IF NOT EXISTS migration (
  name text PRIMARY KEY,
  sha256 text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  since text
);
DO $$
BEGIN
  -- Only the owner of a table may alter it, even if there is nothing to add.
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'migration'::regclass AND attname = 'since') THEN
    ALTER TABLE migration ADD COLUMN since text;
  END IF;
END $$`;

async function serverVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>("SELECT current_setting('server_version_num')::int AS version");
  return rows[0]?.version ?? 0;
}

/** Returns the missing roles, if the user of the connection cannot create them. */
async function missingRoles(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
       AND NOT EXISTS (SELECT FROM pg_roles WHERE rolname = current_user AND (rolcreaterole OR rolsuper))`,
    [roleNames],
  );
  return rows.map(({ name }) => name);
}

/** Checks that a database matches these migration files, or is empty and ready for them. */
export function schemaChecks(files: readonly MigrationFile[]): StartCheck[] {
  return [
    {
      name: 'the database is PostgreSQL 15 or later',
      async findError(client) {
        const server = await serverVersion(client);
        if (server >= 150_000) return undefined;
        return `PostgreSQL 15 or later is required; this server has version ${Math.floor(server / 10_000)}. Set DATABASE_URL to a newer server.`;
      },
    },
    {
      name: 'the roles of the service exist or can be created',
      async findError(client) {
        const missing = await missingRoles(client);
        if (missing.length === 0) return undefined;
        return `The user of DATABASE_URL cannot create the roles ${missing.join(', ')}. First run ALTER ROLE … CREATEROLE as a superuser.`;
      },
    },
    {
      name: 'the schema belongs to this version',
      findError: async (client) => schemaError(files, await appliedMigrations(client), version),
    },
  ];
}

/**
 * Statistics for tables before their first ANALYZE. Without statistics the planner assumes that a team has 1/200 of the rows, which is less than one
 * row of a small table. An index on the team alone then looks as good as the right index. Such a plan stays cached while the table grows. With these
 * statistics a team has 1/50 of the rows, so the planner selects the better index. They also state that nine in ten rows are outside the bin. Needs
 * PostgreSQL 18. Older versions wait for autovacuum.
 */
const untilAnalysed = `
SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', a.attname::text, 'inherited', false,
  'null_frac', guess.null_frac::real, 'avg_width', guess.width, 'n_distinct', guess.n_distinct::real)
FROM (VALUES ('team_id', 0, 16, 50), ('deleted_at', 0.9, 8, -0.1)) AS guess (name, null_frac, width, n_distinct)
JOIN pg_attribute a ON a.attname = guess.name JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.reltuples < 0`;

/** The names of the migrations that a run applied, in order. */
export type MigrationResult = { applied: string[] };

type LockLimits = { timeoutMs: number; pausesMs: readonly number[] };

export type MigrateOptions = {
  folder?: URL;
  /** Run first, under the same lock. Their errors are thrown. */
  checks?: readonly StartCheck[];
  /** Stops before the first contract. */
  untilContract?: boolean;
  /** The names of the migrations to apply. By default all. */
  only?: ReadonlySet<string>;
  /** Limits of the wait for locks of tables. */
  locks?: LockLimits;
};

/** A migration that waits for the lock of a table also stops the readers behind it. It ends soon and tries again. */
const usualLocks: LockLimits = { timeoutMs: 2_000, pausesMs: [1_000, 2_000, 4_000, 8_000] };

const connect = (connection: Connection): Promise<WatchedClient> => {
  const config = { ...connectionConfig(connection, 'chancery-migrate'), pipeline: false, responseTimeoutMs: Number.POSITIVE_INFINITY };
  return tryEachHost(connection, () => new WatchedClient(config).connect());
};

/**
 * Migrates the database to the newest schema: SQL files in the order of their names, under an advisory lock, as `chancery_owner`. This role owns the
 * tables but sees no rows of teams. A migration of such rows must disable row-level security for the owner (`NO FORCE ROW LEVEL SECURITY`) and enable it
 * again. Each file runs in a transaction, except the kind `online`. Throws if a migration changed after it was applied, or if the schema is older or newer
 * than this code supports. If a table stays locked, the error names the sessions with the lock.
 */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<MigrationResult> {
  const { folder, checks = [], untilContract = false, only, locks = usualLocks } = options;
  const files = await migrationFiles(folder);
  const client = await connect(connection);
  client.on('error', () => undefined);
  try {
    await client.query('SET statement_timeout = 0');
    await lockMigrations(client);
    await run([...checks, ...schemaChecks(files)], client);
    const server = await serverVersion(client);
    await client.query(roles);
    await client.query(ledger);
    const pending = pendingOf(files, await appliedMigrations(client)).filter(({ name }) => only?.has(name) ?? true);
    const contract = pending.findIndex(({ kind }) => kind === 'contract');
    const wanted = untilContract && contract >= 0 ? pending.slice(0, contract) : pending;
    for (const file of wanted) {
      if (file.kind === 'online') await applyOnline(client, file);
      else await applyInTransaction({ client, connection, locks }, file);
    }
    if (wanted.length > 0 && server >= 180_000) await client.query(`SET ROLE chancery_owner; ${untilAnalysed}; RESET ROLE`);
    return { applied: wanted.map(({ name }) => name) };
  } finally {
    await client.end();
  }
}

/** Runs checks in order and throws the first error. */
async function run(checks: readonly StartCheck[], client: WatchedClient): Promise<void> {
  for (const check of checks) {
    const error = await check.findError(client);
    if (error !== undefined) throw new Error(error);
  }
}

/** Waits for the lock without an open statement, because CREATE INDEX CONCURRENTLY waits for the end of all statements. */
export async function lockMigrations(client: pg.ClientBase): Promise<void> {
  const tried = async () =>
    (await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [migrationLock])).rows[0]?.locked;
  while (!(await tried())) await sleep(200);
}

export async function unlockMigrations(client: pg.ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
}

const record = 'INSERT INTO migration (name, sha256, since) VALUES ($1, $2, $3)';
const recordOf = ({ name, text, since }: MigrationFile) => [name, sha256Of(text), since ?? null];

/** Runs one statement outside a transaction. An index that an earlier try left incomplete is dropped first. */
async function applyOnline(client: pg.ClientBase, file: MigrationFile): Promise<void> {
  try {
    await client.query('SET ROLE chancery_owner');
    const { rows } = await client.query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class c ON c.oid = indexrelid
       WHERE NOT indisvalid AND c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    await client.query(file.text);
    await client.query('RESET ROLE');
    await client.query(record, recordOf(file));
  } catch (error) {
    throw new Error(`the migration ${file.name} failed. Run it again after the correction`, { cause: error });
  }
}

type Applying = { client: WatchedClient; connection: Connection; locks: LockLimits };

async function applyInTransaction({ client, connection, locks }: Applying, file: MigrationFile): Promise<void> {
  const blockers = new Set<string>();
  for (const [tries, pause] of [...locks.pausesMs, undefined].entries()) {
    const watch = tries === 0 ? undefined : await watchBlockers(client, connection, blockers);
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${locks.timeoutMs}`);
      await client.query('SET LOCAL ROLE chancery_owner');
      await client.query(file.text);
      await client.query('RESET ROLE');
      await client.query(record, recordOf(file));
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (sqlState(error) !== lockNotAvailable) throw new Error(`the migration ${file.name} failed and was rolled back`, { cause: error });
      if (pause === undefined)
        throw new Error(
          `the migration ${file.name} was rolled back, because other sessions keep a lock: ${[...blockers].join('; ')}. End them and migrate again.`,
          { cause: error },
        );
      await sleep(pause);
    } finally {
      await watch?.stop();
    }
  }
}

/** Collects the sessions that a connection waits for, until `stop`. */
async function watchBlockers(client: WatchedClient, connection: Connection, found: Set<string>): Promise<{ stop(): Promise<void> }> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const watcher = await connect(connection);
  watcher.on('error', () => undefined);
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const blocking = await watcher.query<{ pid: number; name: string; begun: string }>(
        `SELECT pid, application_name AS name, to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS begun
         FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1))`,
        [rows[0]?.pid],
      );
      for (const { pid, name, begun } of blocking.rows) found.add(`pid ${pid} (${name || 'unnamed'}, transaction since ${begun})`);
      await sleep(100, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching.catch(() => undefined);
      await watcher.end();
    },
  };
}

/** A migration that a database lacks, with the number of rows of each table that it locks, as the planner estimates it. */
export type PlannedMigration = Pick<MigrationFile, 'name' | 'kind' | 'since'> & { locks: { table: string; rows: number }[] };

/** Returns the migrations that a database lacks, without changes. Throws the error of a check, or if the schema does not belong to this version. */
export async function planMigrations(
  connection: Connection,
  { folder, checks = [] }: Pick<MigrateOptions, 'folder' | 'checks'> = {},
): Promise<PlannedMigration[]> {
  const files = await migrationFiles(folder);
  const client = await connect(connection);
  client.on('error', () => undefined);
  try {
    await run([...checks, ...schemaChecks(files)], client);
    const applied = await appliedMigrations(client);
    const { rows } = await client.query<{ table: string; rows: number }>(
      `SELECT relname AS table, greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`,
    );
    const rowsOf = new Map(rows.map(({ table, rows: count }) => [table, count]));
    return pendingOf(files, applied).map(({ text, ...file }) => ({
      ...file,
      locks: lockedTables({ text, ...file }).flatMap((table) => (rowsOf.has(table) ? [{ table, rows: rowsOf.get(table) ?? 0 }] : [])),
    }));
  } finally {
    await client.end();
  }
}
