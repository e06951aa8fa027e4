import pg from 'pg';
import { sqlStatement } from '../database/statement.ts';

/** The two parts of an advisory lock. A backup has it shared until it has copied the files, and the session releases it if the backup dies. */
const removals = '1129270597, 1';
/** The advisory lock of the one backup of a database. */
const backup = '1129270597, 2';

/** Pauses the removal of stored files, until the session ends. */
export const pauseRemovals = sqlStatement<object, never>(`SELECT pg_advisory_lock_shared(${removals})`);
export const tryBackupLock = sqlStatement<object, { locked: boolean }>(`SELECT pg_try_advisory_lock(${backup}) AS locked`);

/**
 * Whether the removal of stored files is paused. A file is removed after the commit that deletes its row. If no backup has the lock then, a later
 * backup does not see the row.
 */
export const removalsPaused = sqlStatement<object, { paused: boolean }>(
  `SELECT EXISTS (
     SELECT FROM pg_locks WHERE locktype = 'advisory' AND (classid::bigint, objid::bigint) = (${removals}) AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
   ) AS paused`,
);

/** Whether the user reads all rows. */
export const bypassesRowSecurity = sqlStatement<object, { bypasses: boolean }>(
  'SELECT rolsuper OR rolbypassrls AS bypasses FROM pg_roles WHERE rolname = current_user',
  { bypasses: 'both columns are never null' },
);

/** A table with the columns that a backup copies: all except generated ones. */
export type CopiedTable = { name: string; columns: string[]; readable: boolean };

/** A table with rows of teams: its columns, and which of them are binary. `readable` means that a transaction of the team reads it. */
export type TeamTable = CopiedTable & { binary: string[] };

/** All tables except partitions, whose rows are copied with their parent, and the list of migrations, which is in the manifest. */
export const copiedTables = sqlStatement<object, CopiedTable>(
  `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns, coalesce(has_table_privilege(c.oid, 'SELECT'), false) AS readable
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migration'
   GROUP BY c.oid, c.relname ORDER BY c.relname`,
);

export const teamTables = sqlStatement<object, TeamTable>(
  `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
     coalesce(array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.atttypid = 'bytea'::regtype), '{}') AS binary,
     coalesce(has_table_privilege('chancery_app', c.oid, 'SELECT'), false) AS readable
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'team_id' AND NOT t.attisdropped)
   GROUP BY c.oid, c.relname ORDER BY c.relname`,
);

/** Enters a team: row security applies to all further statements of the transaction. */
export const enterTeam = sqlStatement<{ team: string }, never>(
  "SELECT set_config('row_security', 'on', true), set_config('role', 'chancery_app', true), set_config('app.team_id', $team, true)",
);

/** A table, view or foreign table of a database. */
export const anyTable = sqlStatement<object, { name: string }>(
  `SELECT relname::text AS name FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY relname LIMIT 1`,
);

/** The foreign keys of all tables. Leaves out the keys of partitions, which follow their parent. */
export const foreignKeys = sqlStatement<object, { table: string; name: string; definition: string }>(
  `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, coalesce(pg_get_constraintdef(oid), '') AS definition
   FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace ORDER BY 1, 2`,
);

/** The tables with row security that applies to their owner too. */
export const forcedTables = sqlStatement<object, { name: string }>(
  `SELECT oid::regclass::text AS name FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relforcerowsecurity ORDER BY 1`,
);

export const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Returns a query for all rows of a table, in an order. */
export const rowsQuery = ({ name, columns }: Pick<CopiedTable, 'name' | 'columns'>, order: string | undefined): string =>
  `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}${order === undefined ? '' : ` ORDER BY ${order}`}`;

/** Returns a query for the rows of a team in a table, as JSON. */
export const teamRowsQuery = (table: string, columns: readonly string[], team: string): string =>
  `SELECT to_jsonb(r) FROM (SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)} WHERE team_id = ${pg.escapeLiteral(team)}) r`;

/**
 * Returns a query for the paths of stored files in order, of all teams or of one team. `keys` are the columns that
 * contain keys of files.
 */
export function pathsQuery(keys: readonly { table: string; column: string }[], team?: string): string {
  const own = team === undefined ? '' : ` WHERE team_id = ${pg.escapeLiteral(team)}`;
  const all = keys.map(({ table, column }) => `SELECT ${quoted(column)} FROM ${quoted(table)}${own}`).join(' UNION ');
  return `SELECT path FROM (
     SELECT right(key, 2) || '/' || left(right(key, 4), 2) || '/' || key AS path FROM (${all}) k(key) WHERE key IS NOT NULL
   ) p ORDER BY path COLLATE "C"`;
}
