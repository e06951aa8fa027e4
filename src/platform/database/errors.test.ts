import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, withAdmin } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { openDatabase } from './database.ts';
import { databaseProblem, isDatabaseUnavailable, wasUndone } from './errors.ts';
import { sqlStatement } from './statement.ts';

const one = sqlStatement<object, { one: number }>('SELECT 1 AS one');

test('a temporarily missing database, for example during a restore, counts as unavailable', async () => {
  const own = await createTestDatabase();
  const name = new URL(own.url).pathname.slice(1);
  const renamed = (from: string, to: string) =>
    withAdmin(process.env.CHANCERY_TEST_SERVER ?? '', async (client) => {
      await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [from]);
      await client.query(`ALTER DATABASE ${from} RENAME TO ${to}`);
    });
  const database = openDatabase({ url: own.url }, { applicationName: 'renamed', maxConnections: 2 });
  const ways = [
    () => database.publicReader.first(one, {}),
    () => database.withoutTeam((tx) => tx.first(one, {})),
    () => database.batched('').first(one, {}),
    () => database.ping(),
  ];
  try {
    await Promise.all(ways.map((way) => way()));
    await renamed(name, `${name}_away`);
    for (const way of ways) {
      const error: unknown = await way().then(
        () => assert.fail('it responded'),
        (met: unknown) => met,
      );
      assert.equal(databaseProblem(error)?.code, 'unavailable', String(error));
    }
    await renamed(`${name}_away`, name);
    for (const way of ways)
      await eventually('it responds', () =>
        way().then(
          () => true,
          () => false,
        ),
      );
  } finally {
    await database.close();
    await own.drop();
  }
});

test('socket errors count as an unavailable database, file errors do not', () => {
  const failed = (code: string, syscall: string) =>
    isDatabaseUnavailable(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }));
  for (const code of ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'EMFILE', 'ENOENT', 'ENOBUFS'])
    assert.ok(failed(code, 'connect'), code);
  for (const code of ['EMFILE', 'ENFILE', 'ENOENT', 'EACCES']) assert.equal(failed(code, 'open'), false, code);
});

const answered = (severity: string, code: string) =>
  wasUndone(Object.assign(new pg.DatabaseError('what happened', 13, 'error'), { severity, code }));

test('an error response of the database means a rollback, in any language', () => {
  for (const severity of ['ERROR', 'FEHLER', 'ERREUR', 'エラー'])
    for (const code of ['23505', '22P02', '40P01', '25P02', '55P03', '57014', 'QX001', 'CR401'])
      assert.equal(answered(severity, code), true, `${severity} ${code}`);
  assert.equal(answered('ERROR', '58030'), true);
});

test('after an error that ended the connection, or an ambiguous one, the result is unknown', () => {
  for (const severity of ['FATAL', 'PANIC', 'PANIK', 'SCHWERWIEGEND'])
    for (const code of ['57P01', '57P02', '25P03', '25P04', '08006', '58030', '53100', 'XX000'])
      assert.equal(answered(severity, code), false, `${severity} ${code}`);
  assert.equal(wasUndone(new Error('Connection terminated unexpectedly')), false);
});
