import type pg from 'pg';

/** A column with a check that lists its allowed texts. `table` is the object id of the table, `number` the number of the column. */
export type CheckedColumn = { table: string; number: string; name: string; values: string[] };

/** Returns the columns with a check such as `role = ANY (ARRAY['owner'::text, …])` or `= 'one'::text`. `name` is `table.column`. */
export async function readCheckedColumns(client: pg.Client): Promise<CheckedColumn[]> {
  const { rows } = await client.query<Omit<CheckedColumn, 'values'> & { definition: string }>(
    `SELECT k.conrelid::text AS table, a.attnum::text AS number, k.conrelid::regclass || '.' || a.attname AS name,
       pg_get_constraintdef(k.oid) AS definition
     FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
     WHERE k.contype = 'c' AND cardinality(k.conkey) = 1
       AND pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = (ANY \\(ARRAY\\[[^\\]]*\\]\\)|''[^'']*''::text)\\)\\)$'
     ORDER BY name`,
  );
  return rows.map(({ definition, ...column }) => ({
    ...column,
    values: [...definition.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value = '']) => value.replaceAll("''", "'")),
  }));
}
