import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Chancery, startChancery, type User } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { readLogKeys } from './verify-export.ts';
import { verifyJournal } from './verify-jobs.ts';

/* An attacker with all database permissions changes one column of one row: `audit verify` reports it. */

let chancery: Chancery;
let owner: User;
let keys: ReturnType<typeof readLogKeys>;
type Column = { table: string; column: string; type: string };
let columns: Column[];

/** Columns beside the journal that prove nothing: the current sequencer, and times of checkpoints. */
const unproven = new Set(['audit_log.lease_owner', 'audit_log.lease_until', 'audit_log.published_at', 'audit_checkpoint.signed_at']);
const tables = ['audit_entry', 'audit_tile', 'audit_log', 'audit_checkpoint'];

const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  const worker = await chancery.node('worker');
  ({ owner } = await chancery.team());
  for (let batch = 0; batch < 2; batch += 1) {
    await Promise.all(Array.from({ length: 3 }, () => chancery.folder(owner)));
    await chancery.pool.query(
      `INSERT INTO audit_entry (team_id, id, type, actor_type, at, ip, target_type, target_id, request_id, data, record_version)
       SELECT $1, gen_random_uuid(), 'test.burst', 'system', now(), CASE n % 3 WHEN 0 THEN NULL WHEN 1 THEN '192.0.2.1'::inet ELSE '2001:db8::1' END,
         CASE n % 2 WHEN 0 THEN 'folder' END, CASE n % 4 WHEN 0 THEN 'x' END, 'request', jsonb_build_object('n', n, 'share', 1.5, 'text', 'a'), 2 - n % 2
       FROM generate_series(1, 24) n`,
      [owner.team],
    );
    await eventually('integrated', async () => (await rows('SELECT FROM audit_entry WHERE seq IS NULL LIMIT 1')).length === 0);
  }
  await worker.stop();
  const published = await chancery.call('GET', '/.well-known/witness-jwks.json');
  keys = readLogKeys(JSON.stringify(published.body));
  // No constraint or trigger stops an attacker who may change tables, and no sequencer repairs anything.
  await chancery.pool.query(`DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT conrelid::regclass AS "on", conname AS name FROM pg_constraint WHERE conrelid::regclass::text = ANY ('{${tables.join()}}')
    AND contype = 'c' LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c."on", c.name); END LOOP;
    EXECUTE 'ALTER TABLE audit_entry DISABLE TRIGGER ALL'; END $$`);
  await chancery.pool.query('DROP INDEX audit_entry_by_seq; CREATE INDEX audit_entry_by_seq ON audit_entry (log_id, seq)');
  columns = await rows(
    `SELECT table_name AS table, column_name AS column, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = ANY ($1) ORDER BY 1, ordinal_position`,
    [tables],
  );
  columns = columns.filter(({ table, column }) => !unproven.has(`${table}.${column}`));
});
after(() => chancery.stop());

/** New values of a column, as SQL over its present value; values of each type that are easy to miss. */
const changes: Record<string, string[]> = {
  uuid: ['gen_random_uuid()', 'NULL'],
  text: ["COL || ' '", "'x'", 'NULL', 'upper(COL)', "regexp_replace(COL, '.(=*\\n)$', 'B\\1')"],
  bigint: ['COL + 1', 'COL - 1', '-COL - 1', 'COL + 1000000', 'NULL'],
  smallint: ['COL + 1', 'COL - 1'],
  bytea: [
    "COL || decode(repeat('00', 32), 'hex')",
    'substr(COL, 1, length(COL) - 32)',
    'set_byte(COL, length(COL) - 1, 255 - get_byte(COL, length(COL) - 1))',
    "sha256('x')",
    'NULL',
  ],
  inet: ['set_masklen(COL, 8)', "'192.0.2.77'", 'COL + 1', 'NULL'],
  'timestamp with time zone': [
    "COL - interval '1 microsecond'",
    "(substr(COL::text, 1, 19) || '+00 BC')::timestamptz",
    "COL + interval '8000 years'",
    "'infinity'",
    "COL + interval '1 day'",
  ],
  jsonb: [`COL || '{"more": null}'`, `COL || '{"n": 7.0}'`, `COL || '{"share": 1.50000000000000000001}'`, `COL || '{"text": "A"}'`, `'[]'`],
};

/** Verifies after one column of one row was changed, and restores it; skips a change without effect. */
async function verdictAfter({ table, column }: Column, nth: number, change: string) {
  const keysOf = table === 'audit_entry' ? 'WHERE seq IS NOT NULL ORDER BY seq' : '';
  const [{ at, kept } = { at: '', kept: undefined }] = await rows(
    `SELECT ctid::text AS at, to_jsonb(t) AS kept FROM ${table} t ${keysOf} OFFSET $1 % (SELECT greatest(count(*), 1) FROM ${table}) LIMIT 1`,
    [nth],
  );
  if (kept === undefined) return undefined;
  const value = change.replaceAll('COL', `"${column}"`);
  const [done] = await rows(
    `UPDATE ${table} SET "${column}" = ${value} WHERE ctid = $1::tid AND "${column}" IS DISTINCT FROM ${value}
       RETURNING ctid::text AS at, "${column}" IS DISTINCT FROM (SELECT o."${column}" FROM jsonb_populate_record(NULL::${table}, $2) o) AS differs`,
    [at, kept],
  ).catch((error: { code?: string }) => {
    // A value that the column or a key rejects is not a change.
    if (['23502', '23505', '22000', '22003', '22008', '2202E'].includes(error.code ?? '')) return [];
    throw error;
  });
  if (!done) return undefined;
  try {
    return await verifyJournal(chancery.database, keys);
  } finally {
    const names = (
      await rows(
        "SELECT string_agg(quote_ident(attname), ',') AS n FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped",
        [table],
      )
    )[0].n;
    await rows(`UPDATE ${table} SET (${names}) = (SELECT ${names} FROM jsonb_populate_record(NULL::${table}, $2)) WHERE ctid = $1::tid`, [
      done.at,
      kept,
    ]);
  }
}

const isErasure = (column: Column, change: string) => column.column === 'ip_salt' && change === 'NULL';

test('every easily missed change of every column is reported', async () => {
  const missed: string[] = [];
  let tried = 0;
  for (const column of columns)
    for (const change of changes[column.type] ?? assert.fail(`no changes are known for ${column.type}`)) {
      // One row of each kind: with an IPv4 or IPv6 address or none, with a target, only its type, or neither.
      for (const nth of column.table === 'audit_entry' ? [14, 15, 17, 18] : [0]) {
        const verdict = await verdictAfter(column, nth, change);
        if (verdict === undefined) continue;
        tried += 1;
        if (verdict.ok && !isErasure(column, change)) missed.push(`${column.table}.${column.column} = ${change} (row ${nth})`);
      }
    }
  assert.deepEqual(missed, []);
  assert.ok(tried > 150, `${tried} changes were tried`);
  const verdict = await verifyJournal(chancery.database, keys);
  assert.ok(verdict.ok, JSON.stringify(verdict));
});

test('any change of any column of any row is reported', async () => {
  const pick = fc.nat({ max: 10_000 });
  await fc.assert(
    fc.asyncProperty(pick, pick, pick, async (which, nth, how) => {
      const column = columns[which % columns.length] as Column;
      const ways = changes[column.type] ?? [];
      const change = ways[how % ways.length] ?? '';
      const verdict = await verdictAfter(column, nth, change);
      assert.ok(!verdict?.ok || isErasure(column, change), `${column.table}.${column.column} = ${change}`);
    }),
    { numRuns: 30 },
  );
});

test('the table rejects a year before 1 CE, a network as an address, and a target without a type', async () => {
  const other = await startChancery({ role: 'api' });
  try {
    const { owner: someone } = await other.team();
    const insert = (members: string, values: string) =>
      other.pool.query(
        `INSERT INTO audit_entry (team_id, id, type, actor_type, ${members}) VALUES ($1, gen_random_uuid(), 'test.made', 'system', ${values})`,
        [someone.team],
      );
    await assert.rejects(insert('at', "'2026-11-22 10:00 BC'"), /audit_entry_at_in_range/);
    await assert.rejects(insert('at', "'infinity'"), /audit_entry_at_in_range/);
    await assert.rejects(insert('at, ip', "now(), '192.0.2.1/8'"), /audit_entry_ip_of_one/);
    await assert.rejects(insert('at, target_id', "now(), 'x'"), /audit_entry_target_of_a_type/);
    await insert('at', 'now()');
    assert.equal((await other.pool.query('SELECT FROM audit_entry WHERE ip IS NULL AND ip_salt IS NOT NULL')).rowCount, 0);
  } finally {
    await other.stop();
  }
});
