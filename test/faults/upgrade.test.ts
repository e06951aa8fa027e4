import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { openDatabase } from '../../src/platform/database/database.ts';
import { sqlState } from '../../src/platform/database/errors.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { migrationFiles } from '../../src/platform/database/migrations.ts';
import { dropOldDeliveries } from '../../src/automation/webhooks/deliveries/log-jobs.ts';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { onDatabase, withAdmin } from '../postgres.ts';
import { seedEverything } from '../seed.ts';
import { authPath, type Enrolled, enrolled, goodPassword } from '../people.ts';
import { spawnService } from '../spawned.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Upgrades of databases with data lose no rows. */

const dayMs = 86_400_000;

let chancery: Chancery;
let receiver: Receiver;
let owner: User;
let person: Enrolled;
let endpoint: { id: string; secret: string };
let folder: string;
/** A database with rows in every table of the first migrations, and a copy whose webhook log covers months without day partitions. */
let growing: string;
let months: string;
/** Later migrations change databases that contain data. */
const isLater = ({ name }: { name: string }) => name >= '1000';
/** The rows of a used service, by table. */
let filled: Map<string, Row[]>;

type Row = Record<string, unknown>;

before(async () => {
  [chancery, receiver] = await Promise.all([startChancery({ role: 'api', settings: { ALTCHA: 'off' } }), startReceiver()]);
  person = await enrolled(chancery);
  ({ owner } = await chancery.team());
  await seedEverything(chancery, owner);
  const made = await chancery.call('POST', '/api/v1/webhooks/', {
    token: owner.token,
    body: { name: 'Kept', url: `${receiver.url}/kept`, events: ['task.created'] },
  });
  endpoint = made.body;
  await fillLog();
  await fillDocuments();
  filled = asBeforeSeveralDocuments(asBeforePersons(await withAdmin(chancery.databaseUrl, rowsByTable)));
  folder = await mkdtemp(join(tmpdir(), 'chancery-upgrade-'));
  growing = `u_${Math.random().toString(36).slice(2, 10)}`;
  months = `${growing}_months`;
  for (const { name, text } of (await migrationFiles()).filter((file) => !isLater(file))) await writeFile(join(folder, name), text);
  await chancery.pool.query(`CREATE DATABASE ${growing}`);
  await migrate({ url: urlOf(growing) }, { folder: pathToFileURL(`${folder}/`) });
  await withAdmin(urlOf(growing), (client) => fill(client, new Map()));
  await chancery.pool.query(`CREATE DATABASE ${months} TEMPLATE ${growing}`);
});
after(async () => {
  for (const name of [growing, months]) await chancery.pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await chancery.stop();
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

/** Inserts deliveries of several months in every state, with attempts for those that were sent. */
async function fillLog(): Promise<void> {
  const target = { id: endpoint.id, team: owner.team };
  for (const age of [200, 100, 45, 20, 1]) await enqueue(chancery.pool, target, 4, { ageMs: age * dayMs, maxAttempts: 5 });
  await chancery.pool.query(
    `WITH n AS (SELECT team_id, endpoint_id, id, created_at, row_number() OVER (PARTITION BY created_at ORDER BY id) AS nth FROM webhook_delivery WHERE endpoint_id = $1),
       d AS (UPDATE webhook_delivery w SET attempts = 2, status = (ARRAY['delivered', 'failed', 'cancelled', 'pending'])[n.nth],
               last_attempt_at = n.created_at, delivered_at = CASE WHEN n.nth = 1 THEN n.created_at END, error = CASE WHEN n.nth <> 1 THEN 'timeout' END
             FROM n WHERE w.team_id = n.team_id AND w.endpoint_id = n.endpoint_id AND w.id = n.id RETURNING w.*),
       a AS (INSERT INTO webhook_attempt (team_id, endpoint_id, delivery_id, attempt, started_at, latency_ms, response_status, response_headers, response_body)
             SELECT team_id, endpoint_id, id, attempt, created_at, 12, 503, '{"server":"old"}', 'busy' FROM d CROSS JOIN generate_series(1, 2) attempt),
       e AS (UPDATE event SET created_at = d.created_at FROM d WHERE event.team_id = d.team_id AND event.id = d.event_id),
       q AS (UPDATE webhook_queue SET attempts = 2 FROM d WHERE d.id = delivery_id AND d.status = 'pending')
     DELETE FROM webhook_queue USING d WHERE d.id = delivery_id AND d.status <> 'pending'`,
    [endpoint.id],
  );
}

/** Gives the documents of signature requests and workflows a value in each column that an earlier schema had elsewhere. */
async function fillDocuments(): Promise<void> {
  await chancery.pool.query(
    `UPDATE signature_request_document SET presented_storage_key = 'presented', presented_sha256 = 'a1', presented_size = 1, pages = '[{}]', manner = 'append',
       findings = '{one}', sealed_version = 2, sealed_sha256 = 'a2', seal_level = 'B-LT', sealed_at = now(), time_source = 'timestamp'`,
  );
  await chancery.pool.query("UPDATE workflow_document SET leads = true, status_before = 'draft', result = 'approved'");
}

const urlOf = (name: string) => onDatabase(chancery.databaseUrl, name);

async function columnsByTable(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY attnum) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'migration'
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' GROUP BY 1 ORDER BY 1`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

async function rowsByTable(client: pg.Client): Promise<Map<string, Row[]>> {
  const names = [...(await columnsByTable(client)).keys()];
  const tables = new Map<string, Row[]>(names.map((name) => [name, []]));
  const each = names.map((name) => `SELECT '${name}' AS name, to_jsonb(t) AS row FROM ${name} t`);
  for (const { name, row } of (await client.query(each.join(' UNION ALL '))).rows) tables.get(name)?.push(row);
  return tables;
}

/**
 * The rows as the first files keep them: a person and the membership are one row, and so are a sign-in and its session. Only later migrations have guests
 * and auditors.
 */
function asBeforePersons(rows: Map<string, Row[]>): Map<string, Row[]> {
  const of = (table: string) => rows.get(table) ?? [];
  const byId = (table: string) => new Map(of(table).map((row) => [row.id, row]));
  const [persons, signIns] = [byId('person'), byId('sign_in')];
  const isLaterRole = ({ role }: Row) => role === 'guest' || role === 'auditor';
  const later = new Set(of('account').flatMap((row) => (isLaterRole(row) ? [row.id] : [])));
  const teamOf = new Map(of('account').map((row) => [row.id, row.team_id]));
  const merged = new Map(rows);
  merged.set(
    'account',
    of('account')
      .filter((row) => !isLaterRole(row))
      .map((row) => ({ ...persons.get(row.id), ...row })),
  );
  merged.set(
    'session',
    of('session')
      .filter((row) => !later.has(row.account_id))
      .map((row) => ({ ...signIns.get(row.id), ...row, expires_at: signIns.get(row.id)?.expires_at })),
  );
  for (const table of ['password_reset', 'email_change', 'two_factor', 'two_factor_setup', 'backup_code', 'sign_in_challenge', 'passkey'])
    merged.set(
      table,
      of(table).map((row) => ({ ...row, account_id: row.person_id, team_id: row.opens_team_id ?? teamOf.get(row.person_id) })),
    );
  for (const table of ['person', 'sign_in']) merged.delete(table);
  return merged;
}

/** The rows as the first files keep them: the first document of a signature request and of a workflow is a part of its row. */
function asBeforeSeveralDocuments(rows: Map<string, Row[]>): Map<string, Row[]> {
  const first = (table: string, id: string, place: string) =>
    new Map((rows.get(table) ?? []).flatMap((row) => (row[place] === 0 ? [[row[id], row]] : [])));
  const ofRequest = first('signature_request_document', 'request_id', 'place');
  const ofWorkflow = first('workflow_document', 'workflow_id', 'position');
  const merged = new Map(rows);
  merged.set(
    'signature_request',
    (rows.get('signature_request') ?? []).map((row) => ({ ...ofRequest.get(row.id), ...row })),
  );
  merged.set(
    'workflow',
    (rows.get('workflow') ?? []).map((row) => {
      const { leads, status_before, result } = ofWorkflow.get(row.id) ?? {};
      return { ...row, leads_document: leads, document_status_before: status_before, document_result: result };
    }),
  );
  return merged;
}

/** The tables that a file fills from columns that it drops. */
const movedTo: Record<string, readonly string[]> = {
  '1080_envelopes.sql': ['signature_request_document'],
  '1090_workflow-documents.sql': ['workflow_document'],
};

/** The tables whose rows a file drops on purpose. */
const dropped: Record<string, readonly string[]> = {
  '1000_accounts.sql': ['two_factor_setup', 'sign_in_challenge'],
};

/** Fills the tables without rows with the members of those rows that fit. */
async function fill(client: pg.Client, known: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  await client.query('SET session_replication_role = replica');
  for (const [table, columns] of await columnsByTable(client)) {
    if (known.get(table)?.length) continue;
    for (const row of filled.get(table) ?? []) {
      const taken = columns.flatMap((column) => (column in row ? [`"${column}"`] : [])).join(', ');
      const values = `SELECT ${taken} FROM jsonb_populate_record(NULL::${table}, $1)`;
      await client.query(`INSERT INTO ${table} (${taken}) OVERRIDING SYSTEM VALUE ${values}`, [row]).catch((error: unknown) => {
        // The migration itself inserted the row, or only a later migration allows it.
        if (!['23514', '23505'].includes(sqlState(error) ?? '')) throw error;
      });
    }
  }
}

/** Returns the number of missing or changed rows by table. Compares only columns that still exist. */
function lost(stored: ReadonlyMap<string, Row[]>, now: ReadonlyMap<string, Row[]>): Record<string, number> {
  const counts = [...stored].map(([table, rows]) => {
    const kept = now.get(table) ?? [];
    const columns = Object.keys(rows[0] ?? {}).filter((column) => kept.every((row) => column in row));
    const line = (row: Row) => JSON.stringify(columns.map((column) => row[column]));
    const left = new Set(kept.map(line));
    return [table, rows.filter((row) => !left.has(line(row))).length] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Applies one more migration to the growing database and returns the losses. */
async function losses(name: string, text: string): Promise<Record<string, number>> {
  const stored = await withAdmin(urlOf(growing), rowsByTable);
  for (const [table, rows] of stored) assert.ok(!filled.get(table)?.length || rows.length > 0, `${table} has rows`);
  await writeFile(join(folder, name), text);
  assert.deepEqual(await migrate({ url: urlOf(growing) }, { folder: pathToFileURL(`${folder}/`) }), { applied: [name] });
  return lost(stored, await withAdmin(urlOf(growing), rowsByTable));
}

test('no migration loses or changes a row in any table', async () => {
  for (const { name, text } of (await migrationFiles()).filter(isLater)) {
    const missing = await losses(name, text);
    for (const table of dropped[name] ?? []) delete missing[table];
    assert.deepEqual(missing, {}, name);
    const expected = new Map((movedTo[name] ?? []).map((table) => [table, filled.get(table) ?? []]));
    assert.deepEqual(lost(expected, await withAdmin(urlOf(growing), rowsByTable)), {}, name);
    await withAdmin(urlOf(growing), async (client) => fill(client, await rowsByTable(client)));
  }
});

test('tokens, passwords and second factors from before a person had several teams stay valid', async () => {
  const service = await spawnService(
    {
      DATABASE_URL: urlOf(growing),
      DATA_DIR: chancery.config.DATA_DIR,
      MASTER_KEY: chancery.masterKey,
      BASE_URL: chancery.config.BASE_URL,
      ALTCHA: 'off',
    },
    ['--role', 'api'],
  );
  const call = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${service.url}${authPath}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  try {
    const me = await call('GET', '/profile', undefined, person.token);
    assert.deepEqual([me.status, me.body.id, me.body.teamId], [200, person.id, person.team], JSON.stringify(me.body));
    const renewed = await call('POST', '/refresh', { refreshToken: person.refreshToken });
    assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
    assert.equal((await call('GET', '/teams', undefined, renewed.body.accessToken)).body[0].id, person.team);
    const signed = await call('POST', '/login', { email: person.email, password: goodPassword });
    assert.equal(signed.body.twoFactorRequired, true, JSON.stringify(signed.body));
    const code = { challengeId: signed.body.challengeId, code: person.code(1) };
    const verified = await call('POST', '/verify-totp', code);
    assert.deepEqual([verified.status, verified.body.user.teamId], [200, person.team], JSON.stringify(verified.body));
  } finally {
    await service.stop();
  }
});

test('a migration of team rows needs the tenant isolation lifted for the owner, and loses rows without it', async () => {
  const moved = `CREATE TABLE moved AS TABLE document_version;
    DROP TABLE document_version CASCADE;
    ALTER TABLE moved RENAME TO document_version;`;
  const lifted = 'ALTER TABLE document_version NO FORCE ROW LEVEL SECURITY;';
  const withRowSecurity =
    'ALTER TABLE document_version OWNER TO chancery_owner; ALTER TABLE document_version ENABLE ROW LEVEL SECURITY; ALTER TABLE document_version FORCE ROW LEVEL SECURITY;';
  assert.deepEqual(await losses('9000_with_the_wall_lifted.sql', `${lifted}\n${moved}\n${withRowSecurity}`), {});
  assert.deepEqual(await losses('9001_behind_the_wall.sql', moved), { document_version: filled.get('document_version')?.length });
});

test('a webhook log of months without day partitions keeps working: all is readable, pending deliveries are sent, old ones are deleted', async () => {
  const service = await spawnService({
    DATABASE_URL: urlOf(months),
    DATA_DIR: chancery.config.DATA_DIR,
    MASTER_KEY: chancery.masterKey,
    BASE_URL: chancery.config.BASE_URL,
    WEBHOOK_RETRY_SCHEDULE: '100ms',
  });
  const database = openDatabase({ url: urlOf(months) }, { applicationName: 'chancery-test', maxConnections: 2 });
  const path = `/api/v1/webhooks/${endpoint.id}/deliveries`;
  const read = async (rest: string): Promise<any[]> => {
    const answer = await fetch(`${service.url}${path}${rest}`, { headers: { authorization: `Bearer ${owner.token}` } });
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()) as any[];
  };
  const byAge = (log: any[]) => {
    const ages = Object.groupBy(log, ({ createdAt }) => Math.round((Date.now() - Date.parse(createdAt)) / dayMs));
    return Object.fromEntries(Object.entries(ages).map(([age, some]) => [age, some?.map(({ status }) => status).toSorted()]));
  };
  try {
    await eventually('the end of the pending deliveries', async () => (await read('?limit=1000&status=pending')).length === 0);
    const log = await read('?limit=1000');
    const [all, rest] = [
      ['cancelled', 'delivered', 'delivered', 'failed'],
      ['cancelled', 'failed'],
    ];
    assert.deepEqual(byAge(log), { 1: all, 20: all, 45: all, 100: all, 200: all });
    const waited = log.filter(({ attempts }) => attempts === 3);
    assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), waited.map(({ eventId }) => eventId).toSorted());
    assert.equal(waited.length, 5, 'each pending delivery was sent once, and no other');
    assert.ok(receiver.received.every((delivery) => receiver.verifies(delivery, endpoint.secret)));
    for (const one of log) {
      const attempts = await read(`/${one.id}/attempts`);
      assert.deepEqual(
        attempts.map(({ attempt, responseStatus, responseBody }) => [attempt, responseStatus, responseBody]),
        [[1, 503, 'busy'], [2, 503, 'busy'], ...(waited.includes(one) ? [[3, 200, undefined]] : [])],
      );
    }
    await dropOldDeliveries(database, new Date());
    assert.deepEqual(byAge(await read('?limit=1000')), { 1: all, 20: all, 45: rest });
    const kept = await withAdmin(urlOf(months), (client) =>
      client.query(
        "SELECT (SELECT count(*)::int FROM webhook_delivery_rest) AS rest, (SELECT count(*)::int FROM event WHERE type = 'test.made') AS events",
      ),
    );
    assert.deepEqual(kept.rows, [{ rest: 0, events: 12 }], 'only day partitions have rows, and events are deleted with their deliveries');
  } finally {
    await service.stop();
    await database.close();
  }
});
