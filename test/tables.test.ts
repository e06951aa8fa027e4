import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { migrationFiles } from '../src/platform/database/migrations.ts';
import { ownedTables, sealedColumns } from '../src/domains.ts';
import { createTestDatabase, testPool } from './postgres.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
before(async () => {
  database = await createTestDatabase();
  pool = testPool(database.url, 2);
});
after(async () => {
  await pool.end();
  await database.drop();
});

const declared = new Map(ownedTables.map((owned) => [owned.name, owned]));
const placeOf = (name: string) => ownedTables.findIndex((owned) => owned.name === name);
const query = async <Row extends pg.QueryResultRow>(text: string) => (await pool.query<Row>(text)).rows;

/** Returns the tables of the migrated schema, without partitions. */
const tables = () =>
  query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
       AND relname NOT LIKE 'webhook_%_rest' ORDER BY 1`,
  );
const columns = () =>
  query<{ name: string; column: string; required: boolean }>(
    `SELECT c.relname AS name, a.attname AS column, a.attnotnull AS required FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
  );
const references = () =>
  query<{ name: string; to: string; cascades: boolean; columns: string[] }>(
    `SELECT f.relname AS name, t.relname AS to, c.confdeltype = 'c' AS cascades,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)) AS columns
     FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.conparentid = 0`,
  );

test('each table of the migrated schema has one owner, and each declared table exists', async () => {
  const names = ownedTables.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
    'two domains declare the table',
  );
  assert.deepEqual(
    names.toSorted(),
    (await tables()).map(({ name }) => name),
    'declare the table in `tables.ts` of the domain that owns it',
  );
});

test('until a table is analysed, the planner expects 50 teams in it and few rows in the bin', async () => {
  const rows = await query<{ column: string; distinct: number; deleted: boolean }>(
    `SELECT DISTINCT attname AS column, n_distinct AS distinct, null_frac < 0.95 AND null_frac > 0.5 AS deleted FROM pg_stats
     WHERE schemaname = 'public' AND attname IN ('team_id', 'deleted_at') ORDER BY 1 DESC`,
  );
  const { rows: servers } = await pool.query('SHOW server_version_num');
  const expected = [
    { column: 'team_id', distinct: 50, deleted: false },
    { column: 'deleted_at', distinct: -0.1, deleted: true },
  ];
  assert.deepEqual(rows, Number(servers[0].server_version_num) >= 180_000 ? expected : []);
});

test('autovacuum analyses the tables that imports fill after changes of 2 % of their rows', async () => {
  const early = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE 'autovacuum_analyze_scale_factor=0.02' = ANY (reloptions) ORDER BY 1`,
  );
  const names = new Set(early.map(({ name }) => name));
  const imported = ['document', 'document_text', 'document_version', 'registry_record', 'registry_value', 'submission'];
  const access = ['access_container', 'access_grant', 'access_path', 'folder'];
  const work = ['task', 'workflow', 'workflow_step'];
  assert.deepEqual(
    [...imported, ...access, ...work].filter((name) => !names.has(name)),
    [],
  );
});

test('the migration of the owning domain creates each table', () => {
  const domain = /_([\w-]+)\.sql$/;
  const owners = new Set(ownedTables.map(({ owner }) => owner));
  for (const file of globSync('migrations/*.sql')) {
    const name = domain.exec(file)?.[1] ?? '';
    const made = [...readFileSync(file, 'utf8').matchAll(/^CREATE TABLE (\w+) \(/gm)].map(([, table = '']) => table);
    // From 1000 a file changes a feature, which can concern several domains.
    const changes = /^1\d{3}_/.test(file.slice('migrations/'.length));
    for (const table of made) {
      const owner = declared.get(table)?.owner;
      assert.equal(owner, changes && !owners.has(name) ? owner : owners.has(name) ? name : 'platform', `${table} in ${file}`);
    }
  }
});

test('each team table is erased with the team or kept, and each other table is declared as such', async () => {
  const ofTeams = (await columns()).filter(({ column, required }) => column === 'team_id' && required).map(({ name }) => name);
  for (const { name, table } of ownedTables) assert.equal(table.purge !== 'of no team', ofTeams.includes(name), name);
});

test('each erased table comes after the tables that it references', async () => {
  const errors = (await references()).filter(
    ({ name, to }) =>
      name !== to &&
      declared.get(name)?.table.purge === 'erased' &&
      declared.get(to)?.table.purge === 'erased' &&
      placeOf(name) < placeOf(to),
  );
  assert.deepEqual(errors, []);
});

/** Columns that can refer to a user. For some, the actor type decides whether it is a user. `managed_by` names a team. */
const personal =
  /^(?!managed_by$)(?:(?:account|person|user|staff|actor|responsible|owner)_id|\w+_by|assigned_to|assignees|delegated_from|email|email_key|recipient)$/;

test('each column that refers to a user is declared with its effect on a move to another team and on a data export', async () => {
  const all = await columns();
  const toAccounts = (await references()).filter(({ to }) => to === 'account');
  for (const { name, table } of ownedTables) {
    const own = all.filter((column) => column.name === name).map(({ column }) => column);
    const named = new Set([
      ...own.filter((column) => personal.test(column)),
      ...toAccounts.filter((reference) => reference.name === name).flatMap((reference) => reference.columns),
    ]);
    named.delete('team_id');
    const by = table.people?.by ?? [];
    assert.deepEqual(
      [...named].filter((column) => !by.includes(column)),
      [],
      `${name}: add the column to \`people.by\` of the table`,
    );
    assert.deepEqual(
      by.filter((column) => !own.includes(column)),
      [],
      `${name} has no such column`,
    );
  }
});

test('a row under legal hold is not deleted together with a row that is not', async () => {
  const errors = (await references()).filter(
    ({ name, to, cascades }) => cascades && declared.get(name)?.table.legalHold && !declared.get(to)?.table.legalHold,
  );
  assert.deepEqual(errors, []);
});

test('each column with a file key is declared and indexed, and background work may read it', async () => {
  const keys = (await columns()).filter(({ column }) => /(?:^|_)storage_key$/.test(column)).map(({ name, column }) => `${name}.${column}`);
  const files = ownedTables.flatMap(({ name, table: { file } }) => (file ? [{ name, ...file }] : []));
  assert.deepEqual(
    files.map(({ name, key }) => `${name}.${key}`).toSorted(),
    keys.toSorted(),
    'declare `file` of the table in tables.ts: the nightly job deletes files that no table refers to. Name such a column storage_key',
  );
  const indexed = await query<{ at: string }>(
    `SELECT c.relname || '.' || a.attname AS at FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]`,
  );
  const readable = await query<{ name: string }>(
    "SELECT tablename AS name FROM pg_policies WHERE 'chancery_system' = ANY (roles) AND cmd IN ('SELECT', 'ALL') AND qual = 'true'",
  );
  for (const { name, key } of files) {
    assert.ok(
      indexed.some(({ at }) => at === `${name}.${key}`),
      `${name}.${key} needs an index that begins with it`,
    );
    assert.ok(
      readable.some((table) => table.name === name),
      `${name}: CALL open_to_system('${name}', 'SELECT')`,
    );
  }
});

/** Unique keys of teams' tables without the team. A request finds its team by them, because it shows nothing that names it. */
const foundWithoutTeam: Record<string, string> = {
  api_client_id_once: 'the client identifier of a token request',
  audit_entry_by_seq: 'the place in the tree of this database, which all teams share',
  issued_document_by_code: 'the code of a verification page',
  mail_message_pkey: 'security mails have no team',
  sso_connection_id_once: 'the redirect address of a provider',
  sso_domain_once: 'a verified domain belongs to one team',
};

test('each unique key of a team table contains the team, except the keys of requests without a team', async () => {
  const found = await query<{ name: string }>(
    `SELECT x.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'team_id'
     WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND NOT a.attnum = ANY (i.indkey) ORDER BY x.relname`,
  );
  assert.deepEqual(
    found.map(({ name }) => name),
    Object.keys(foundWithoutTeam),
  );
});

/**
 * Functions by which a request reads rows of teams without naming a team. Together they are the directory that an installation with several databases
 * would need.
 */
const overTeams: Record<string, string> = {
  challenge_by_token: 'a sign-in of a person',
  invitations_of_address: 'the invitations of a person',
  issued_document_by_code: 'the code on a document',
  passkey_by_credential: 'a passkey of a person',
  person_by_email: 'the address of a person',
  release_sso_domain: 'a domain that no team verified in time',
  request_by_seal: 'the hash of a sealed file',
  reset_by_token: 'a password of a person',
  secrets_of_client: 'the client identifier of a token request',
  sign_in_state: 'a sign-in of a person',
  sso_connection_by_domain: 'the domain of an address',
  sso_connection_by_id: 'the redirect address of a provider',
  sso_connection_team: 'the redirect address of a provider',
  take_visitor_mail: 'the mails to an address, from all teams',
  teams_of_person: 'the teams of a person',
};

test('a request reads rows without naming a team by the listed functions only', async () => {
  const found = await query<{ name: string }>(
    `SELECT p.proname AS name FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND has_function_privilege('chancery_app', p.oid, 'EXECUTE')
       AND p.prorettype <> 'trigger'::regtype
       AND NOT coalesce(p.proargnames, '{}') && ARRAY['of_team', 'in_team', 'team', 'locked_team'] AND p.prosrc NOT LIKE '%current_team()%'
     ORDER BY 1`,
  );
  assert.deepEqual(
    found.map(({ name }) => name),
    Object.keys(overTeams),
  );
});

test('each foreign key of a team table begins with the team, except those to a person and a sign-in', async () => {
  const found = await query<{ name: string }>(
    `SELECT f.conname AS name FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'team_id'
     WHERE f.contype = 'f' AND NOT c.relispartition AND f.conkey[1] <> a.attnum ORDER BY 1`,
  );
  assert.deepEqual(
    found.map(({ name }) => name),
    ['account_id_fkey', 'session_of_sign_in'],
  );
});

test('each new migration names its kind', async () => {
  const unnamed = (await migrationFiles()).filter(({ name, text }) => name >= '1200' && !text.startsWith('-- kind: '));
  assert.deepEqual(
    unnamed.map(({ name }) => name),
    [],
  );
});

test('identifiers come from the service: the schema has no sequence', async () => {
  assert.deepEqual(await query("SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace"), []);
});

const readsEvents =
  'the journal writes events but does not read them: webhooks deliver and delete them, and audit erases addresses in them';
/** Where the SQL of one domain names a table of another, with the reason. */
const namedElsewhere: Record<string, string> = {
  'src/automation/webhooks/deliveries/queries.ts event': readsEvents,
  'src/automation/webhooks/engine/claim-queries.ts event': readsEvents,
  'src/automation/webhooks/engine/queue-queries.ts event': readsEvents,
  'src/records/journal/tree/queries.ts event': readsEvents,
  'src/platform/journal/record.ts audit_entry':
    'the platform writes the journal entry in the message of the change itself and cannot call a domain; audit reads it afterwards',
  'src/work/tasks/lock-queries.ts workflow':
    'a change of a task locks its document, its workflow and then the task in one statement; a function cannot lock rows in that order for its caller, and workflows depend on tasks',
  'src/work/tasks/lock-queries.ts workflow_step': 'the same statement finds the workflows whose steps name a member in offboarding',
};

/** Returns the tables that an SQL text names. */
function tablesIn(text: string): string[] {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const sql = bare.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:ONLY\s+)?(\w+)/g);
  const built = bare.matchAll(/\b(?:selectFrom|innerJoin|leftJoin|insertInto|updateTable|deleteFrom|using)\('(\w+)/g);
  return [...new Set([...sql, ...built].map(([, name = '']) => name))].filter((name) => declared.has(name));
}

test('SQL names only the tables of its domain', () => {
  const files = globSync('src/**/*.ts').filter((file) => !/\.test\.ts$|database\/tables\.ts$/.test(file));
  const found = files.flatMap((file) => {
    const owner = /^src\/(?:(?:automation|identity|intake|records|work)\/)?([\w-]+)\//.exec(file)?.[1];
    return tablesIn(readFileSync(file, 'utf8'))
      .filter((name) => declared.get(name)?.owner !== owner)
      .map((name) => `${file} ${name}`);
  });
  assert.deepEqual(
    found.filter((one) => !(one in namedElsewhere)),
    [],
    'use an exported statement of the domain that owns the table, or a function or view of its migration',
  );
  assert.deepEqual(
    Object.keys(namedElsewhere).filter((one) => !found.includes(one)),
    [],
    'not needed any longer: remove it from the list',
  );
});

test('SQL functions that other domains call are inlined into the calling statements', async () => {
  const functions = await query<{ name: string; call: string }>(
    `SELECT p.proname AS name,
       p.proname || '(' || array_to_string(ARRAY(SELECT 'NULL::' || format_type(t, NULL) FROM unnest(p.proargtypes) t), ', ') || ')' AS call
     FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang AND l.lanname = 'sql'
     WHERE p.pronamespace = 'public'::regnamespace AND p.proretset AND p.provolatile = 's' AND NOT p.prosecdef`,
  );
  assert.ok(functions.length >= 7, functions.map(({ name }) => name).join());
  for (const { name, call } of functions) {
    const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT FROM ${call}`);
    assert.doesNotMatch(plan.map((line) => line['QUERY PLAN']).join('\n'), /Function Scan/, name);
  }
});

const exported = ownedTables.filter(({ table }) => table.leftOut === undefined);

test('an export of a team has binary columns only as declared, and none that is encrypted or a hash of a token', async () => {
  const binary = await query<{ name: string; column: string }>(
    `SELECT c.relname AS name, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE a.atttypid = 'bytea'::regtype AND c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`,
  );
  const encrypted = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`));
  const shown = exported.flatMap(({ name, table }) => (table.exportedBytes ?? []).map((column) => `${name}.${column}`));
  const known = new Set(binary.map(({ name, column }) => `${name}.${column}`));
  assert.ok(shown.length > 5);
  assert.deepEqual(
    shown.filter((column) => !known.has(column) || encrypted.has(column) || /hash|secret|token/.test(column)),
    [],
  );
});

/** Text and numbers that are named like secrets and are none. */
const noSecrets =
  /^(?:account\.credential_epoch|agent\.max_tokens_\w+|agent_mcp_server\.(?:credential_header|token_turn\w*)|agent_(?:run|run_step|usage)\.(?:\w+_)?tokens|webhook_endpoint\.previous_secret_until|webhook_queue\.lease_token)$/;

test('an export of a team has no text that is named like a secret', async () => {
  const byName = new Map(exported.map(({ name, table }) => [name, table]));
  const all = await columns();
  const teams = new Set(all.filter(({ column }) => column === 'team_id').map(({ name }) => name));
  const binary = await query<{ at: string }>(
    `SELECT attrelid::regclass || '.' || attname AS at FROM pg_attribute WHERE atttypid = 'bytea'::regtype AND attnum > 0`,
  );
  const isBinary = new Set(binary.map(({ at }) => at));
  const found = all.filter(
    ({ name, column }) =>
      teams.has(name) &&
      byName.has(name) &&
      /token|secret|password|credential|nonce/.test(column) &&
      !isBinary.has(`${name}.${column}`) &&
      !byName.get(name)?.secretText?.includes(column) &&
      !noSecrets.test(`${name}.${column}`),
  );
  assert.deepEqual(found, []);
});
