import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Chancery, startChancery, type Team } from '../harness.ts';
import { connectionConfig } from '../../src/platform/database/pool.ts';
import { withAdmin } from '../postgres.ts';
import { seedEverything } from '../seed.ts';
import { seededPath } from './isolation.ts';
import { named, plausible } from './walk.ts';
import type { Operation } from '../openapi.ts';

/**
 * What each operation that reads makes the database look at, on tables that were never analysed, as on a new installation, when
 * the team has much else of the same kind: rows that belong to other things, such as comments of other tasks. The planner takes
 * a condition without statistics for a narrow one and may walk along the order that is asked for, and so along all of them; and a
 * plan that was made while there was nothing else is kept while the rest comes.
 */
const beside = 2_000;
const most = 1_000;

type Sent = { text: string; values: unknown[] };
/** A statement of an operation, prepared under a name as a role that may run it. */
type Planned = Sent & { of: string; name: string; role: string };
const planned: Planned[] = [];
let recorded: Sent[] | undefined;
const send = pg.Client.prototype.query as (...args: any[]) => any;
pg.Client.prototype.query = function query(this: pg.Client, config: any, ...rest: any[]) {
  if (config?.name && /^\s*(?:SELECT|WITH)\b/.test(config.text)) recorded?.push({ text: config.text, values: config.values ?? [] });
  return send.call(this, config, ...rest);
} as typeof pg.Client.prototype.query;

let chancery: Chancery;
let team: Team;
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
  client = new pg.Client({ ...connectionConfig({ url: chancery.databaseUrl }, 'chancery-test'), pipeline: false });
  await client.connect();
  await plan();
  await fill();
});
after(async () => {
  await client.end();
  await chancery.stop();
});

/** Columns of the tables that belong to teams: whether they are part of the key, whether a unique index has them, and whether a CHECK says what they may be. */
const columnsOfTeams = `
  SELECT c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS key,
    EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND a.attnum = ANY (i.indkey)) AS once,
    EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c' AND a.attnum = ANY (k.conkey)) AS checked
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
    AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'team_wall')
  ORDER BY c.relname, a.attnum`;
type Column = { name: string; column: string; type: string; key: boolean; once: boolean; checked: boolean };

/** A row of something else: another identifier, of other things, by other people; smaller in the order of lists than what was seeded. */
function elsewhere({ column, type, key, once, checked }: Column): string | undefined {
  if (column === 'team_id' || column === 'wall_id') return undefined;
  const other = `('00000000' || substr(md5(n || '${column}'), 9))::uuid`;
  if (type === 'uuid') return key ? `to_jsonb(${other})` : `CASE WHEN s.${column} IS NOT NULL THEN to_jsonb(${other}) END`;
  if (type === 'uuid[]') return undefined;
  if (type === 'text' && /(?<!step)_id$/.test(column) && !key) return `CASE WHEN s.${column} IS NOT NULL THEN to_jsonb(${other}) END`;
  if (!once) return undefined;
  if (type === 'text') return checked ? undefined : `to_jsonb(n || s.${column})`;
  if (type === 'bytea') return `CASE WHEN s.${column} IS NOT NULL THEN to_jsonb(sha256(convert_to(n::text, 'UTF8'))) END`;
  return key && /int/.test(type) ? `to_jsonb(n + 10)` : undefined;
}

/** Of these a team has few whatever it does, or they say of themselves what they are. */
const fewOfTeam = new Set(['team', 'team_usage', 'team_quota', 'team_budget', 'event']);

/** Beside a row of each table so many that are like it, and belong to something else of the same team. */
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
         FROM (SELECT * FROM ${name} WHERE team_id = $1 ${other} LIMIT 1) s CROSS JOIN generate_series(1, ${beside}) n
         CROSS JOIN LATERAL jsonb_populate_record(NULL::${name}, to_jsonb(s) || jsonb_build_object(${changed.join(', ')})) r`,
        [team.id],
      );
    }
  });
}

type Node = Record<string, unknown> & { Plans?: Node[] };

/** Rows of tables that a plan looked at, those that it left out included. */
function lookedAt(node: Node): number {
  const number = (name: string) => Number(node[name] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, part) => sum + lookedAt(part), 0);
  const table = node['Relation Name'];
  if (table === undefined) return below;
  const rows =
    (number('Actual Rows') + number('Rows Removed by Filter') + number('Rows Removed by Index Recheck')) * number('Actual Loops');
  // Once through the members is how those of a role are found.
  return below + (table === 'account' ? Math.max(0, rows - beside - 10) : rows);
}

/** Works as one of the roles in the team, as a request does. */
async function inTeam<T>(role: string, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    await client.query("SELECT set_config('role', $1, true), set_config('app.team_id', $2, true)", [role, team.id]);
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

/** A value as SQL. */
function literal(value: unknown): string {
  const text = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils.prepareValue(value);
  if (Buffer.isBuffer(text)) return `'\\x${text.toString('hex')}'`;
  return text === null ? 'NULL' : pg.escapeLiteral(text);
}
const run = ({ name, values }: Planned) => `EXECUTE ${name}${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;

/** Prepares a statement and runs it until its plan is kept, by the role that may. */
async function prepare(statement: Sent, of: string): Promise<void> {
  for (const role of ['chancery_app', 'chancery_system']) {
    const one: Planned = { ...statement, of, role, name: `planned_${planned.length}` };
    try {
      await inTeam(role, async () => {
        await client.query(`PREPARE ${one.name} AS ${one.text}`);
        for (let time = 0; time < 8; time += 1) await client.query(run(one));
      });
      planned.push(one);
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === '42501')) throw error;
      await client.query(`DEALLOCATE ${one.name}`);
    }
  }
}

/** Has every statement that reads of one thing planned while there is nothing else. */
async function plan(): Promise<void> {
  for (const operation of chancery.description.operations.filter(({ method, access }) => method === 'GET' && access === 'user')) {
    for (const query of queriesOf(operation)) {
      const statements: Sent[] = [];
      recorded = statements;
      await chancery.call('GET', `${seededPath(seeded, operation.path)}${query}`, { token: team.owner.token });
      recorded = undefined;
      for (const statement of statements)
        if (!planned.some(({ text, of }) => text === statement.text && of.endsWith(query)))
          await prepare(statement, `${named(operation)}${query}`);
    }
  }
}

/** The seeded things that filters name, by the filter. */
const filters = (): Record<string, string | undefined> => ({
  documentId: seeded['/api/v1/smartdoc/documents'],
  folderId: seeded['/api/v1/smartdoc/folders'],
  workflowId: seeded['/api/v1/workflows'],
  assignedTo: team.owner.id,
  targetId: seeded['/api/v1/smartdoc/documents'],
  actorId: team.owner.id,
});

/** What an operation may be asked about one thing: the thing of its path, each filter and order beside it, or a thing that a filter names. */
function queriesOf({ path, parameters }: Operation): string[] {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const page = inQuery.some(({ name }) => name === 'limit') ? '?limit=20' : '?';
  const asked = inQuery.flatMap(({ name, schema }) => {
    const thing = filters()[name];
    const values =
      thing !== undefined ? [thing] : path.includes('{') && !['limit', 'cursor'].includes(name) ? (schema.enum ?? [plausible(schema)]) : [];
    return values.map((value: unknown) => `${page}&${name}=${encodeURIComponent(String(value))}`);
  });
  return [...(path.includes('{') ? [page] : []), ...asked];
}

async function lookingAtMuch(explained: (one: Planned) => { text: string; values?: unknown[] }): Promise<string[]> {
  const found: string[] = [];
  for (const one of planned) {
    const { text, values } = explained(one);
    const { rows } = await inTeam(one.role, () => client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values));
    const looked = lookedAt(rows[0]['QUERY PLAN'][0].Plan);
    if (looked > most) found.push(`${one.of}: ${looked} rows for ${one.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
  }
  return found;
}

test('what reads one thing, or a list of what belongs to one, looks at few rows beside 2 000 that belong to others, by plans of before they came', async () => {
  assert.ok(planned.length > 40, `${planned.length} statements`);
  assert.deepEqual(await lookingAtMuch((one) => ({ text: run(one) })), []);
});

test('and by plans made when they are there', async () => {
  assert.deepEqual(await lookingAtMuch(({ text, values }) => ({ text, values })), []);
});
