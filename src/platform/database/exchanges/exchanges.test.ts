import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, testPool } from '../../../../test/postgres.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { databaseLimits } from '../limits.ts';
import { SharedConnections } from './shared-connections.ts';
import { statementName } from '../statement.ts';
import { StatementBatcher } from './statement-batcher.ts';

/* Effects of statements that share a connection on each other. */

const applicationName = 'shared-connections';
const role = 'chancery_app';
let own: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
const failures: Error[] = [];
const onLost = (error: Error) => void failures.push(error);

before(async () => {
  own = await createTestDatabase();
  pool = testPool(own.url, 3);
  await pool.query(
    `CREATE TABLE note (id serial PRIMARY KEY, who text NOT NULL, n int NOT NULL DEFAULT 0);
     CREATE TABLE held (who text PRIMARY KEY, n int NOT NULL DEFAULT 0);
     INSERT INTO held (who) SELECT 'h' || g FROM generate_series(1, 16) g;
     GRANT ALL ON note, note_id_seq, held TO ${role}`,
  );
});
after(async () => {
  await pool.end();
  await own.drop();
});

const named = (text: string, values: unknown[] = []) => ({ name: statementName(text), text, values });

test('statements that were not prepared because an earlier one failed are sent again', async () => {
  const connections = new SharedConnections({ url: own.url }, { connections: 1, limits: databaseLimits(), applicationName, onLost });
  const read = () => connections.run(named('SELECT count(*)::int AS notes FROM note'), { role, team: '', limitMs: 60_000 });
  const lockOwner = await pool.connect();
  await lockOwner.query('BEGIN; LOCK TABLE note IN ACCESS EXCLUSIVE MODE');
  const reads = Array.from({ length: 6 }, () =>
    read().then(
      ({ rows }) => rows[0].notes,
      (error: pg.DatabaseError) => error.code,
    ),
  );
  const waiting = `SELECT pid FROM pg_stat_activity WHERE application_name = '${applicationName}' AND wait_event_type = 'Lock'`;
  const pid = await eventually('the first is being prepared', async () => (await pool.query(waiting)).rows[0]?.pid);
  await pool.query('SELECT pg_cancel_backend($1)', [pid]);
  assert.equal(await reads[0], '57014', 'the failed statement fails');
  await lockOwner.query('COMMIT');
  lockOwner.release();
  assert.deepEqual(await Promise.all(reads.slice(1)), [0, 0, 0, 0, 0], 'and no later one');
  assert.deepEqual(failures, [], 'on a connection that continues');
  await connections.close();
});

test('batched changes run in the order of their teams and rows', async () => {
  const batcher = new StatementBatcher({ url: own.url }, { applicationName, limits: databaseLimits(), onLost });
  const teams = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
  const wanted = teams.flatMap((team) => Array.from({ length: 8 }, (_, n) => ({ team, row: `row ${n}` })));
  const mixed = wanted.map((one, at) => ({ one, key: (at * 7) % wanted.length })).toSorted((a, b) => a.key - b.key);
  await Promise.all(mixed.map(({ one }) => batcher.run(one, named('INSERT INTO note (who) VALUES ($1)', [`${one.team} ${one.row}`]))));
  const { rows } = await pool.query('SELECT who, xmin::text FROM note ORDER BY id');
  assert.equal(new Set(rows.map(({ xmin }) => xmin)).size, 1, 'in one transaction');
  assert.deepEqual(
    rows.map(({ who }) => who),
    wanted.map(({ team, row }) => `${team} ${row}`),
  );
  await batcher.close();
});

test('two nodes that batch changes of the same rows in opposite orders never deadlock', async () => {
  const nodes = [0, 1].map(() => new StatementBatcher({ url: own.url }, { applicationName, limits: databaseLimits(), onLost }));
  // Long enough for both to overlap.
  const text = 'UPDATE held SET n = n + 1 WHERE who = $1 RETURNING pg_current_xact_id()::text AS xact, pg_sleep(0.003)::text';
  const rows = Array.from({ length: 16 }, (_, n) => `h${n + 1}`);
  const changed = (node: (typeof nodes)[number], order: readonly string[]) =>
    Promise.all(order.map((row) => node.run({ team: '', row }, named(text, [row]))));
  for (let round = 0; round < 6; round += 1) {
    const answers = await Promise.all(nodes.map((node, at) => changed(node, at === 0 ? rows : rows.toReversed())));
    // A rolled back batch is sent again as single statements.
    const transactions = answers.map((of) => new Set(of.map(({ rows: [row] }) => row.xact)).size);
    assert.deepEqual(transactions, [1, 1], 'the changes of each node are one transaction without a rollback');
  }
  await Promise.all(nodes.map((node) => node.close()));
  assert.deepEqual((await pool.query('SELECT DISTINCT n FROM held')).rows, [{ n: 12 }]);
});
