import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../../test/postgres.ts';
import { type Database, openDatabase } from './database.ts';
import { sqlStatement } from './statement.ts';
import { pipelined } from './pipelined.ts';

const lock = sqlStatement<{ name: string }, never>('SELECT pg_advisory_xact_lock(hashtextextended($name, 0))');
const countLocks = sqlStatement<object, { locks: number }>(
  "SELECT count(*)::int AS locks FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'",
);
const noted = sqlStatement<{ key: Buffer }, { hits: number }>(
  `INSERT INTO throttle (key, hits, since, expires_at) VALUES ($key, 1, now(), now())
   ON CONFLICT (key) DO UPDATE SET hits = throttle.hits + 1 RETURNING hits`,
);
let database: Database;
let drop: () => Promise<void>;

before(async () => {
  const made = await createTestDatabase();
  database = openDatabase({ url: made.url }, { applicationName: 'pipelined', maxConnections: 20 });
  drop = made.drop;
});
after(async () => {
  await database.close();
  await drop();
});

test('work under a lock is sent with the lock and runs after it', async () => {
  const found = await database.withoutTeam(async (tx) => {
    let begun = false;
    const reading = tx.locked(lock, { name: 'one' }, () => {
      begun = true;
      return tx.first(countLocks, {});
    });
    assert.ok(begun, 'the work does not wait for the response to the lock');
    return reading;
  });
  assert.equal(found?.locks, 1);
});

test('50 concurrent counts under one lock each see the previous ones', async () => {
  const key = Buffer.from('counted');
  const counts = await Promise.all(
    Array.from({ length: 50 }, () =>
      database.withoutTeam((tx) => tx.locked(lock, { name: 'two' }, async () => (await tx.first(noted, { key }))?.hits ?? 0)),
    ),
  );
  assert.deepEqual(
    counts.toSorted((a, b) => a - b),
    Array.from({ length: 50 }, (_, at) => at + 1),
  );
});

test('an error of the lock or of the work under it is returned', async () => {
  const wrong = sqlStatement<object, never>('SELECT 1 / 0');
  await assert.rejects(
    database.withoutTeam((tx) => tx.locked(wrong, {}, async () => tx.first(countLocks, {}))),
    /division by zero/,
  );
  await assert.rejects(
    database.withoutTeam((tx) =>
      tx.locked(lock, { name: 'three' }, async () => {
        throw new Error('not allowed');
      }),
    ),
    /not allowed/,
  );
});

test('steps start in order without waiting for each other, and return their results by name', async () => {
  const begun: string[] = [];
  const step = (name: string) => async () => {
    begun.push(name);
    return name.toUpperCase();
  };
  const done = pipelined({ b: step('b'), a: step('a') });
  assert.deepEqual(begun, ['b', 'a']);
  assert.deepEqual(await done, { b: 'B', a: 'A' });
  begun.length = 0;
  await pipelined([step('d'), step('c')]);
  assert.deepEqual(begun, ['d', 'c']);
});
