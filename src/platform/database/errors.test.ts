import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { createTestDatabase, withAdmin } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { openDatabase } from './database.ts';
import { databaseProblem, isDatabaseUnavailable } from './errors.ts';
import { sqlStatement } from './statement.ts';

const one = sqlStatement<object, { one: number }>('SELECT 1 AS one');

test('a database that is not there for a while, such as while it is put back, is away and nothing else', async () => {
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
    () => database.gathered('').first(one, {}),
    () => database.ping(),
  ];
  try {
    await Promise.all(ways.map((way) => way()));
    await renamed(name, `${name}_away`);
    for (const way of ways) {
      const error: unknown = await way().then(
        () => assert.fail('it was answered'),
        (met: unknown) => met,
      );
      assert.equal(databaseProblem(error)?.code, 'unavailable', String(error));
    }
    await renamed(`${name}_away`, name);
    for (const way of ways)
      await eventually('it answers', () =>
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

test('what keeps a socket from being opened is met as a database that is away, and what a file is refused for is not', () => {
  const failed = (code: string, syscall: string) =>
    isDatabaseUnavailable(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }));
  for (const code of ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'EMFILE', 'ENOENT', 'ENOBUFS'])
    assert.ok(failed(code, 'connect'), code);
  for (const code of ['EMFILE', 'ENFILE', 'ENOENT', 'EACCES']) assert.equal(failed(code, 'open'), false, code);
});
