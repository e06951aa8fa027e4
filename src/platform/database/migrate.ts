import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { type Connection, connectionConfig } from './pool.ts';
import type { StartCheck } from './start-checks.ts';
import { tryEachHost, WatchedClient } from './watched-client.ts';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

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
  applied_at timestamptz NOT NULL DEFAULT now()
)`;

const schemaMismatch =
  'before 1.0 no data is migrated from one schema to the next. Start with a new DATA_DIR or an empty database, or run the version that created this one.';

export type MigrationFile = { name: string; text: string };

/** Returns the migration files in the order of their names. */
export async function migrationFiles(folder: URL = migrationsFolder): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') })));
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns an error message if the applied migrations differ from these files. */
function otherSchema(done: ReadonlyMap<string, string>, files: readonly MigrationFile[]): string | undefined {
  if (done.size > 0 && !done.has(files[0]?.name ?? '')) return `the database was created by an earlier version; ${schemaMismatch}`;
  const texts = new Map(files.map(({ name, text }) => [name, text]));
  for (const [name, sha256] of done) {
    const text = texts.get(name);
    if (text === undefined)
      return `the database has the unknown migration ${name}, so a newer version created it. Run that version or restore a backup.`;
    if (sha256Of(text) !== sha256) return `the migration ${name} was changed after it had been applied; ${schemaMismatch}`;
  }
  return undefined;
}

/** Returns the applied migrations with the hashes of their texts; none in a database without the migration table. */
async function appliedFiles(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('migration') IS NOT NULL AS there");
  if (!rows[0]?.there) return new Map();
  const ledgerRows = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM migration');
  return new Map(ledgerRows.rows.map(({ name, sha256 }) => [name, sha256]));
}

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
        const version = await serverVersion(client);
        if (version >= 150_000) return undefined;
        return `PostgreSQL 15 or later is required; this server has version ${Math.floor(version / 10_000)}. Set DATABASE_URL to a newer server.`;
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
      findError: async (client) => otherSchema(await appliedFiles(client), files),
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

/**
 * Migrates the database to the newest schema: plain SQL files in the order of their names. Each runs in one transaction as
 * `chancery_owner`, under an advisory lock. This role owns the tables but sees no rows of teams. A migration that
 * moves such rows must disable row-level security for the owner (`NO FORCE ROW LEVEL SECURITY`) and enable it again. Throws if a migration changed
 * after it
 * was applied, a migration is missing, or the schema is older than this code supports. The `checks` run first, under the same lock, and also throw.
 */
export async function migrate(
  connection: Connection,
  folder: URL = migrationsFolder,
  checks: readonly StartCheck[] = [],
): Promise<MigrationResult> {
  const files = await migrationFiles(folder);
  const config = { ...connectionConfig(connection, 'chancery-migrate'), pipeline: false, responseTimeoutMs: Number.POSITIVE_INFINITY };
  const client = await tryEachHost(connection, () => new WatchedClient(config).connect());
  client.on('error', () => undefined);
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    for (const check of [...checks, ...schemaChecks(files)]) {
      const error = await check.findError(client);
      if (error !== undefined) throw new Error(error);
    }
    const version = await serverVersion(client);
    await client.query(roles);
    await client.query(ledger);
    const done = await appliedFiles(client);
    const applied: string[] = [];
    for (const { name, text } of files.filter((file) => !done.has(file.name))) {
      await client.query('BEGIN');
      try {
        await client.query('SET LOCAL ROLE chancery_owner');
        await client.query(text);
        await client.query('RESET ROLE');
        await client.query('INSERT INTO migration (name, sha256) VALUES ($1, $2)', [name, sha256Of(text)]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`the migration ${name} failed and was rolled back`, { cause: error });
      }
      applied.push(name);
    }
    if (applied.length > 0 && version >= 180_000) {
      await client.query(`SET ROLE chancery_owner; ${untilAnalysed}; RESET ROLE`);
    }
    return { applied };
  } finally {
    await client.end();
  }
}
