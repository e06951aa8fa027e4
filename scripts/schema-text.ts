import pg from 'pg';

const columns = `
  SELECT c.oid::regclass::text AS "table", c.relrowsecurity AS walled, c.relforcerowsecurity AS forced,
    (SELECT string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
        CASE WHEN a.attgenerated = 's' THEN ' GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid) || ') STORED' ELSE coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') END), E',\n' ORDER BY a.attnum)
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    (SELECT string_agg(format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), E',\n' ORDER BY contype, conname)
     FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('p', 'u', 'f', 'c', 'x')) AS constraints,
    (SELECT string_agg(indexdef || ';', E'\n' ORDER BY indexname) FROM pg_indexes
     WHERE schemaname = 'public' AND tablename = c.relname
       AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE conrelid = c.oid)) AS indexes,
    (SELECT string_agg(format('-- %s: %s %s%s%s', polname, CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
        'TO ' || (SELECT string_agg(rolname, ', ' ORDER BY rolname) FROM pg_roles WHERE oid = ANY (polroles)),
        coalesce(' USING ' || pg_get_expr(polqual, polrelid), ''), coalesce(' CHECK ' || pg_get_expr(polwithcheck, polrelid), '')), E'\n' ORDER BY polname)
     FROM pg_policy WHERE polrelid = c.oid) AS policies,
    (SELECT string_agg(format('-- %s may %s', grantee, privileges), E'\n' ORDER BY grantee) FROM (
       SELECT grantee, string_agg(privilege_type, ', ' ORDER BY privilege_type) AS privileges
       FROM information_schema.role_table_grants
       WHERE table_schema = 'public' AND table_name = c.relname AND grantee IN ('chancery_app', 'chancery_system') GROUP BY grantee) g) AS grants
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY 1`;

const views = `
  SELECT format(E'CREATE VIEW %I%s AS\n%s', c.relname, ' WITH (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid)) AS definition
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v' ORDER BY c.relname`;

const routines = `
  SELECT pg_get_functiondef(p.oid) AS definition FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname = 'public' ORDER BY p.proname, p.oid::regprocedure::text`;

/** Returns the schema after all migrations as text, for reviews of a migration. */
export async function schemaText(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = (await client.query(columns)).rows.map((row) => {
      const body = [row.columns, row.constraints].filter(Boolean).join(',\n');
      const rowSecurity = row.walled
        ? `-- row-level security${row.forced ? ', forced' : ''}\n`
        : '-- no row-level security: not owned by a team\n';
      return `${[`${rowSecurity}CREATE TABLE ${row.table} (\n${body}\n);`, row.indexes, row.policies, row.grants].filter(Boolean).join('\n')}\n`;
    });
    const viewed = (await client.query(views)).rows.map((row) => `${String(row.definition).trim()}\n`);
    const functions = (await client.query(routines)).rows.map((row) => `${String(row.definition).trim()};\n`);
    return ['-- Written by `npm run generate`: what all migrations together make.\n', ...tables, ...viewed, ...functions].join('\n');
  } finally {
    await client.end();
  }
}
