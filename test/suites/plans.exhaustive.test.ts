import assert from 'node:assert/strict';
import { planModeOf } from '../../src/platform/database/exchanges/team-exchange.ts';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { connectionConfig } from '../../src/platform/database/pool.ts';
import { WatchedClient } from '../../src/platform/database/watched-client.ts';
import { withAdmin } from '../postgres.ts';
import { recordStatements } from '../record-statements.ts';
import { seedEverything } from '../seed.ts';
import { seededPath } from './isolation.ts';
import { named, plausible } from './walk.ts';
import type { Operation } from '../openapi.ts';

/**
 * Counts the rows that the database reads for each read operation. The team has many rows of the same kind for other resources, such as
 * comments of other tasks. The test analyses the tables, as autovacuum does soon after inserts.
 */
const otherRows = 2_000;
const maxRows = 1_000;

/** A statement of an operation. */
type Read = { of: string; text: string; values: unknown[] };
const reads: Read[] = [];
let operation: string | undefined;
const stopRecording = recordStatements(({ name, text, values = [] }) => {
  if (operation === undefined || name === undefined || !/^\s*(?:SELECT|WITH)\b/.test(text)) return;
  if (!reads.some((known) => known.text === text && known.of === operation)) reads.push({ of: operation, text, values });
});

let chancery: Chancery;
let team: TestTeam;
let seeded: Record<string, string>;
let client: pg.Client;

before(async () => {
  chancery = await startChancery({ role: 'api', inProcess: true });
  team = await chancery.team();
  seeded = await seedEverything(chancery, team.owner);
  const comment = await chancery.call('POST', `/api/v1/tasks/${seeded['/api/v1/tasks']}/comments`, {
    token: team.owner.token,
    body: { text: 'Seeded' },
  });
  assert.equal(comment.status, 201, comment.text);
  const said = await chancery.call('POST', `/api/v1/workflows/${seeded['/api/v1/workflows']}/comments`, {
    token: team.owner.token,
    body: { text: 'Seeded' },
  });
  assert.equal(said.status, 201, said.text);
  client = new WatchedClient({ ...connectionConfig({ url: chancery.databaseUrl }, 'chancery-test'), pipeline: false });
  await client.connect();
  await readEverything();
  await fill();
  await chancery.pool.query('ANALYZE');
});
after(async () => {
  stopRecording();
  await client.end();
  await chancery.stop();
});

/** Columns of tables with team rows: whether the primary key, a unique index or a CHECK constraint contains them. */
const columnsOfTeams = `
  SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS key,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND (a.attnum = ANY (i.indkey) OR EXISTS (
      SELECT FROM pg_depend d WHERE d.objid = i.indexrelid AND d.refobjid = c.oid AND d.refobjsubid = a.attnum))) AS once,
    EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND a.attnum = ANY (k.conkey)) AS checked
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'team_isolation')
  ORDER BY c.relname, a.attnum`;
type Column = { name: string; column: string; type: string; key: boolean; once: boolean; checked: boolean };

/** Returns the SQL value of a column for another resource: other ids and people. The ids sort before those of seeded resources. */
function elsewhere({ column, type, key, once, checked }: Column): string | undefined {
  if (column === 'team_id' || column === 'barrier_id') return undefined;
  const other = `('00000000' || substr(md5(n || '${column}'), 9))::uuid`;
  if (type === 'uuid') return key ? `to_jsonb(${other})` : `CASE WHEN s.${column} IS NOT NULL THEN to_jsonb(${other}) END`;
  if (type === 'uuid[]') return undefined;
  if (type === 'text' && /(?<!step)_id$/.test(column) && !key) return `CASE WHEN s.${column} IS NOT NULL THEN to_jsonb(${other}) END`;
  if (!once) return undefined;
  if (type === 'text') return checked ? undefined : `to_jsonb(n || s.${column})`;
  if (type === 'bytea') return `CASE WHEN s.${column} IS NOT NULL THEN to_jsonb(sha256(convert_to(n::text, 'UTF8'))) END`;
  return key && /int/.test(type) ? `to_jsonb(n + 10)` : undefined;
}

/** Tables with only few rows for a team, and `event`, whose rows contain their own keys. */
const fewOfTeam = new Set(['team', 'team_usage', 'team_quota', 'team_budget', 'event']);

/** Adds `otherRows` similar rows for other resources of the same team to each table. */
async function fill(): Promise<void> {
  const tables = Map.groupBy((await chancery.pool.query<Column>(columnsOfTeams)).rows, ({ name }) => name);
  await withAdmin(chancery.databaseUrl, async (admin) => {
    await admin.query('SET session_replication_role = replica');
    for (const [name, columns] of tables) {
      if (fewOfTeam.has(name)) continue;
      const changed = columns.flatMap((column) => {
        const value = elsewhere(column);
        return value === undefined ? [] : [`'${column.column}', ${value}`];
      });
      const all = columns.map(({ column }) => `"${column}"`);
      const other = name === 'account' ? "AND role <> 'owner'" : name === 'agent' ? 'AND NOT is_default' : '';
      await admin.query(
        `INSERT INTO ${name} (${all.join(', ')}) SELECT ${all.map((column) => `r.${column}`).join(', ')}
         FROM (SELECT * FROM ${name} WHERE team_id = $1 ${other} LIMIT 1) s CROSS JOIN generate_series(1, ${otherRows}) n
         CROSS JOIN LATERAL jsonb_populate_record(NULL::${name}, to_jsonb(s) || jsonb_build_object(${changed.join(', ')})) r`,
        [team.id],
      );
    }
  });
}

type Node = Record<string, unknown> & { Plans?: Node[] };

/** Returns the number of table rows that a plan read, including filtered rows. */
function lookedAt(node: Node): number {
  const number = (name: string) => Number(node[name] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, part) => sum + lookedAt(part), 0);
  const table = node['Relation Name'];
  if (table === undefined) return below;
  const rows =
    (number('Actual Rows') + number('Rows Removed by Filter') + number('Rows Removed by Index Recheck')) * number('Actual Loops');
  // One scan of the members is allowed: it finds those with a role.
  return below + (table === 'account' ? Math.max(0, rows - otherRows - 10) : rows);
}

/** Runs `work` with a database role in the team, as a request does. */
async function inTeam<T>(role: string, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT set_config('role', $1, true), set_config('app.team_id', $2, true)", [role, team.id]);
    return await work();
  } finally {
    await client.query('ROLLBACK');
    await client.query('DEALLOCATE ALL');
  }
}

/** A value as SQL. */
function literal(value: unknown): string {
  const text = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils.prepareValue(value);
  if (Buffer.isBuffer(text)) return `'\\x${text.toString('hex')}'`;
  return text === null ? 'NULL' : pg.escapeLiteral(text);
}

/** Calls each operation that reads one resource, and records its statements. */
async function readEverything(): Promise<void> {
  for (const one of chancery.description.operations.filter(({ method, access }) => method === 'GET' && access === 'user')) {
    for (const query of queriesOf(one)) {
      operation = `${named(one)}${query}`;
      await chancery.call('GET', `${seededPath(seeded, one.path)}${query}`, { token: team.owner.token });
      operation = undefined;
    }
  }
}

/** The seeded resources for filters, by the name of the filter. */
const filters = (): Record<string, string | undefined> => ({
  documentId: seeded['/api/v1/smartdoc/documents'],
  folderId: seeded['/api/v1/smartdoc/folders'],
  workflowId: seeded['/api/v1/workflows'],
  assignedTo: team.owner.id,
  targetId: seeded['/api/v1/smartdoc/documents'],
  actorId: team.owner.id,
});

/** Returns the queries of an operation on one resource: with the resource in the path, each filter and order; otherwise each filter by resource. */
function queriesOf({ path, parameters }: Operation): string[] {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const page = inQuery.some(({ name }) => name === 'limit') ? '?limit=20' : '?';
  const filterQueries = inQuery.flatMap(({ name, schema }) => {
    const thing = filters()[name];
    const values =
      thing !== undefined ? [thing] : path.includes('{') && !['limit', 'cursor'].includes(name) ? (schema.enum ?? [plausible(schema)]) : [];
    return values.map((value: unknown) => `${page}&${name}=${encodeURIComponent(String(value))}`);
  });
  return [...(path.includes('{') ? [page] : []), ...filterQueries];
}

/** Returns the number of rows that the cached plan of a statement reads, run with the role that has the permission. */
async function rowsLookedAt({ text, values }: Read): Promise<number> {
  const explain = async () => {
    const execute = `EXECUTE planned${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;
    await client.query(`PREPARE planned AS ${text}`);
    // Reads of a team use this mode.
    await client.query(`SET LOCAL plan_cache_mode = ${planModeOf(text)}`);
    // PostgreSQL chooses between plans for the values and one for all values after five runs.
    for (let run = 0; run < 5; run += 1) await client.query(execute);
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`);
    return lookedAt(rows[0]['QUERY PLAN'][0].Plan);
  };
  try {
    return await inTeam('chancery_app', explain);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error;
    return await inTeam('chancery_system', explain);
  }
}

test('a read of one resource, or of a list of its parts, reads few rows although other resources have 2 000', async () => {
  assert.ok(reads.length > 40, `${reads.length} statements`);
  const found: string[] = [];
  for (const read of reads) {
    const rows = await rowsLookedAt(read);
    if (rows > maxRows) found.push(`${read.of}: ${rows} rows for ${read.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
  }
  assert.deepEqual(found, []);
});
