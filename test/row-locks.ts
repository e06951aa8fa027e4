import assert from 'node:assert/strict';
import type pg from 'pg';

/** Tables whose rows a sign-in locks. Their rows belong to users or the team, not to a resource. */
const unownedTables = ['account', 'team', 'session'];

/** Returns the team tables whose rows have an id, each with the columns that refer to its resources. */
async function tablesOfThings(client: pg.PoolClient): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query(
    `SELECT c.table_name AS table, array_agg(c.column_name::text) AS columns
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.udt_name = 'uuid'
       AND (c.column_name = 'id' OR c.table_name = 'retention_rule' AND c.column_name = 'folder_id')
       AND c.table_name <> ALL ($1)
       AND EXISTS (SELECT FROM information_schema.columns o WHERE o.table_schema = c.table_schema AND o.table_name = c.table_name AND o.column_name = 'team_id')
     GROUP BY c.table_name ORDER BY c.table_name`,
    [unownedTables],
  );
  return rows;
}

const isUuid = (text: string | undefined): text is string => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text ?? '');

/**
 * Runs `ask` while another transaction has locked all rows with one of these ids. With `trees` it also locks the folder tree and the retention rules
 * of the team. Returns the result, or `waits` if `ask` is not done after `withinMs` and a connection waits for these locks. A slow machine can take
 * long without a lock wait.
 */
export async function whileLocked(
  pool: pg.Pool,
  { team, ids, trees }: { team: string; ids: readonly (string | undefined)[]; trees: boolean },
  withinMs: number,
  ask: () => Promise<string>,
): Promise<string> {
  const client = await pool.connect();
  try {
    const things = await tablesOfThings(client);
    const named = ids.filter(isUuid);
    await client.query('BEGIN');
    for (const lock of trees ? ['folder tree', 'retention rules'] : [])
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))", [lock, team]);
    let locked = 0;
    for (const { table, columns } of things) {
      const condition = columns.map((column) => `${column} = ANY ($2)`).join(' OR ');
      const found = await client.query(`SELECT FROM ${table} WHERE team_id = $1 AND (${condition}) FOR UPDATE`, [team, named]);
      locked += found.rowCount ?? 0;
    }
    assert.ok(locked > 0, 'something is locked');
    const progress = { over: false };
    const waits = async (): Promise<string> => {
      for (let ms = withinMs; ; ms = 200) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (progress.over) return '';
        const { rows } = await client.query('SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))');
        if (rows.length > 0) return 'waits';
      }
    };
    const answer = ask().finally(() => (progress.over = true));
    const first = await Promise.race([answer, waits()]);
    return first;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
