import type pg from 'pg';
import { readCheckedColumns } from '../../scripts/checked-values.ts';

export type CatalogColumn = { notNull: boolean; literals?: readonly string[] | undefined };

/** An SQL function of the schema. */
export type SqlFunction = { oid: string; args: string; result: string; body: string };

/** The objects that the trees of statements refer to by oid or number. */
export type Catalog = {
  typeName(oid: number | string): string;
  functionName(oid: string): string;
  /** Whether the function returns null if an argument is null. PostgreSQL states no other case. */
  isStrict(oid: string): boolean;
  column(table: string, number: string): CatalogColumn | undefined;
  columnsOf(table: string): readonly string[];
  functions: readonly SqlFunction[];
};

export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const all = async <T extends pg.QueryResultRow>(sql: string) => (await client.query<T>(sql)).rows;
  const types = await all<{ oid: string; name: string }>('SELECT oid::text, format_type(oid, NULL) AS name FROM pg_type');
  const functions = await all<{ oid: string; name: string; strict: boolean }>(
    'SELECT oid::text, proname AS name, proisstrict AS strict FROM pg_proc',
  );
  const columns = await all<{ table: string; number: string; name: string; not_null: boolean; source: string }>(
    // A column of a view is a column of the table that it reads.
    `SELECT a.attrelid::text AS table, a.attnum::text AS number, a.attname AS name, coalesce(t.attnotnull, a.attnotnull) AS not_null,
       coalesce(t.attrelid, a.attrelid) || '.' || coalesce(t.attnum, a.attnum) AS source
     FROM pg_attribute a LEFT JOIN pg_rewrite r ON r.ev_class = a.attrelid AND r.rulename = '_RETURN'
     LEFT JOIN LATERAL (
       SELECT c.attrelid, c.attnum, c.attnotnull FROM pg_depend d
       JOIN pg_attribute c ON c.attrelid = d.refobjid AND c.attnum = d.refobjsubid AND c.attname = a.attname
       WHERE d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid AND d.refclassid = 'pg_class'::regclass LIMIT 1
     ) t ON true
     WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum`,
  );
  const checks = await readCheckedColumns(client);
  const own = await all<SqlFunction>(
    `SELECT p.oid::text, pg_get_function_arguments(p.oid) AS args, pg_get_function_result(p.oid) AS result, prosrc AS body
     FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = 'public'::regnamespace AND l.lanname = 'sql' AND p.prosqlbody IS NULL
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  const typeNames = new Map(types.map(({ oid, name }) => [oid, name]));
  const byOid = new Map(functions.map((one) => [one.oid, one]));
  const literals = new Map(checks.map(({ table, number, values }) => [`${table}.${number}`, values]));
  const byColumn = new Map(
    columns.map(({ table, number, not_null: notNull, source }) => [`${table}.${number}`, { notNull, literals: literals.get(source) }]),
  );
  const names = Map.groupBy(columns, ({ table }) => table);
  return {
    typeName: (oid) => typeNames.get(String(oid)) ?? `type ${oid}`,
    functionName: (oid) => byOid.get(oid)?.name ?? '',
    isStrict: (oid) => byOid.get(oid)?.strict ?? false,
    column: (table, number) => byColumn.get(`${table}.${number}`),
    columnsOf: (table) => names.get(table)?.map(({ name }) => name) ?? [],
    functions: own,
  };
}
