import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/**
 * The effect of a migration on running services:
 * - `expand` adds to the schema. The previous version continues to run beside this one.
 * - `online` is one repeatable statement outside a transaction, such as CREATE INDEX CONCURRENTLY.
 * - `contract` removes what earlier versions use. It names the oldest version that still runs.
 */
export type MigrationKind = 'expand' | 'online' | 'contract';

/** `since`: the oldest version that runs with the schema afterwards; only with `contract`. */
export type MigrationFile = { name: string; text: string; kind: MigrationKind; since?: string };

/** Parses the first lines of a migration: `-- kind: KIND`, and for a contract `-- since: VERSION`. Throws for another form. */
export function parseMigration(name: string, text: string): MigrationFile {
  const [, kind = 'expand', since] = /^(?:-- kind: (\S+)\n)?(?:-- since: (\d+\.\d+\.\d+)\n)?/.exec(text) ?? [];
  if (!['expand', 'online', 'contract'].includes(kind)) throw new Error(`${name}: the kind ${kind} is not expand, online or contract`);
  if ((kind === 'contract') !== (since !== undefined))
    throw new Error(`${name}: the line "-- since: VERSION" is required for a contract, and not allowed for another kind`);
  return { name, text, kind: kind as MigrationKind, ...(since === undefined ? {} : { since }) };
}

/** Returns the migration files in the order of their names. */
export async function migrationFiles(folder: URL = migrationsFolder): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))));
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Compares two versions, such as `0.9.0` and `0.10.0`. */
const compareVersions = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

/** An applied migration. */
export type AppliedMigration = { sha256: string; since: string | null };

/** Returns the applied migrations by name; none in a database without the migration table. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Map<string, AppliedMigration>> {
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('migration') IS NOT NULL AS there");
  if (!rows[0]?.there) return new Map();
  // Databases of earlier versions have no column `since`.
  const applied = await client.query<AppliedMigration & { name: string }>(
    "SELECT name, sha256, to_jsonb(migration) ->> 'since' AS since FROM migration",
  );
  return new Map(applied.rows.map(({ name, ...rest }) => [name, rest]));
}

/** Returns the migrations that a database lacks, in order. */
export const pendingOf = (files: readonly MigrationFile[], applied: ReadonlyMap<string, AppliedMigration>): MigrationFile[] =>
  files.filter(({ name }) => !applied.has(name));

const schemaMismatch =
  'databases of development versions before 0.1.0 are not migrated. Start with a new DATA_DIR or an empty database, or run the version that created this one.';

/**
 * Returns why a version cannot run with the applied migrations. It runs with unknown ones of later versions, except with a contract of a later version.
 */
export function schemaError(
  files: readonly MigrationFile[],
  applied: ReadonlyMap<string, AppliedMigration>,
  version: string,
): string | undefined {
  if (applied.size > 0 && !applied.has(files[0]?.name ?? '')) return `the database was created by an earlier version; ${schemaMismatch}`;
  const oldest = [...applied.values()]
    .flatMap(({ since }) => since ?? [])
    .toSorted(compareVersions)
    .at(-1);
  if (oldest !== undefined && compareVersions(version, oldest) < 0)
    return `the schema of the database needs version ${oldest} or later, and this is ${version}. Install that version, or restore a backup.`;
  const changed = files.find(({ name, text }) => applied.has(name) && applied.get(name)?.sha256 !== sha256Of(text));
  return changed && `the migration ${changed.name} was changed after it had been applied; ${schemaMismatch}`;
}

/** The tables whose rows or readers a migration can delay, by the statements that lock a table. */
export function lockedTables({ text }: MigrationFile): string[] {
  const code = text.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, '');
  const created = new Set(Array.from(code.matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi), ([, name = '']) => name));
  const named =
    /\b(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|DROP TABLE (?:IF EXISTS )?|TRUNCATE (?:TABLE )?|LOCK TABLE |UPDATE |DELETE FROM |(?:CREATE|DROP) (?:UNIQUE )?(?:INDEX|TRIGGER|POLICY)\b[^;]*? ON (?:ONLY )?)(\w+)/gi;
  return [...new Set(Array.from(code.matchAll(named), ([, name = '']) => name))].filter((name) => !created.has(name)).toSorted();
}
