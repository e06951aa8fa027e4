import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/database-proxy.ts';
import { createTestDatabase, testPool } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { type Database, openDatabase } from './database.ts';
import { databaseProblem } from './errors.ts';
import { openListener } from './listen.ts';
import { OutcomeUnknown } from './errors.ts';
import { sqlStatement } from './statement.ts';

/* Connections through a proxy that silences or drops them at the worst moment. */

/** Statement limits in milliseconds. The client deadline is some seconds later. */
const limits = { readMs: 300, writeMs: 600, systemMs: 3_600_000 };

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: DatabaseProxy;
let pool: pg.Pool;
let database: Database;
const role = 'chancery_app';
before(async () => {
  own = await createTestDatabase();
  proxy = await startDatabaseProxy(own.url);
  pool = testPool(own.url, 2);
  await pool.query(`CREATE TABLE note (id text PRIMARY KEY, n int NOT NULL DEFAULT 0); GRANT ALL ON note TO ${role}`);
});
after(async () => {
  await database.close();
  await pool.end();
  await proxy.close();
  await own.drop();
});
beforeEach(async () => {
  await (database as Database | undefined)?.close();
  proxy.heal();
  database = openDatabase({ url: proxy.url }, { applicationName: 'lost', maxConnections: 6, limits });
});

const add = sqlStatement<{ id: string }, { id: string }>('INSERT INTO note (id) VALUES ($id) RETURNING id');
const count = sqlStatement<{ id: string }, { n: number }>('UPDATE note SET n = n + 1 WHERE id = $id RETURNING n');
const kept = sqlStatement<{ id: string }, { id: string }>('SELECT id FROM note WHERE id = $id');
const sleep = sqlStatement<{ seconds: number }, { slept: string }>('SELECT pg_sleep($seconds)::text AS slept');
const one = sqlStatement<object, { one: number }>('SELECT 1 AS one');

const exists = async (id: string) => (await pool.query('SELECT FROM note WHERE id = $1', [id])).rowCount === 1;
/** Changes a row with a trace, and returns the row or the error. */
const write = (id: string, traced = true): Promise<unknown> =>
  database
    .inTeam('', async (tx) => {
      if (traced) tx.leaves(kept, { id });
      return tx.first(add, { id });
    })
    .then(
      (row) => row?.id,
      (error: unknown) => error,
    );
const read = () => database.publicReader.first(one, {}).then(() => true);
const codeOf = (error: unknown) => databaseProblem(error)?.code;
const at = <T>(many: number, work: (n: number) => Promise<T>) => Promise.allSettled(Array.from({ length: many }, (_, n) => work(n)));

describe('silent connections while new ones work', () => {
  test('are closed: reads and changes return 503 and then succeed, without a further wait per connection', async () => {
    await at(12, () => read());
    await at(6, (n) => write(`warm ${n} ${randomUUID()}`));
    const listener = openListener({ url: proxy.url }, () => undefined, 500);
    let received = 0;
    await listener.on('beat', () => (received += 1));
    proxy.silence();
    const answers = await at(12, (n) => (n % 2 === 0 ? read() : write(`silent ${n} ${randomUUID()}`)));
    for (const answer of answers) {
      const error = answer.status === 'rejected' ? answer.reason : answer.value;
      assert.ok(['unavailable', 'outcome_unknown'].includes(codeOf(error) ?? ''), String(error));
    }
    // A request on a suspect connection that stayed open would fail here.
    const next = await Promise.all(Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? read() : write(`after ${n} ${randomUUID()}`))));
    assert.ok(
      next.every((answer) => answer === true || typeof answer === 'string'),
      JSON.stringify(next),
    );
    await database.ping();
    await eventually('the listener receives again', async () => {
      await pool.query("SELECT pg_notify('beat', '')");
      return received > 0;
    });
    await listener.close();
  });

  test('do not block the readiness check', async () => {
    await database.ping();
    proxy.silence();
    await assert.rejects(database.ping());
    await database.ping();
  });

  test('are closed with the first silent one, even if a response could take long', { timeout: 300_000 }, async () => {
    const beat = () => database.asSystem('keep watch', (tx) => tx.first(one, {}));
    await at(12, () => read());
    await beat();
    proxy.silence();
    const [background] = await Promise.all([Promise.allSettled([beat()]), at(12, () => read())]);
    assert.equal(background[0]?.status, 'rejected');
    await beat();
  });

  test('do not include those with a slow response', async () => {
    const slow = at(4, () => database.inTeam('', (tx) => tx.first(sleep, { seconds: 0.5 })));
    proxy.delayMs = 50;
    assert.deepEqual(
      (await slow).map(({ status }) => status),
      Array.from({ length: 4 }, () => 'fulfilled'),
    );
  });
});

describe('a statement above its limit', () => {
  test('returns 503 with the cause, as a read', async () => {
    await assert.rejects(database.publicReader.first(sleep, { seconds: 2 }), (error: unknown) => databaseProblem(error)?.status === 503);
  });
});

describe('a connection lost at the commit', () => {
  test('before the database receives it: the error says that nothing was changed', async () => {
    proxy.atCommit('lost before');
    const id = randomUUID();
    const answer = await write(id);
    assert.equal(codeOf(answer), 'unavailable', String(answer));
    assert.equal(await exists(id), false);
  });

  for (const what of ['lost after', 'silent after'] as const) {
    test(`${what} the commit: the response is that of the change`, async () => {
      proxy.atCommit(what);
      const id = randomUUID();
      assert.equal(await write(id), id);
      assert.ok(await exists(id));
    });
  }

  test('without a trace or without a connection to check it, the result is reported as unknown', async () => {
    // On existing connections, and without new ones for the check.
    await at(4, () => write(randomUUID()));
    proxy.refuses = true;
    proxy.atCommit('lost after');
    assert.equal(codeOf(await write(randomUUID())), 'outcome_unknown');
    proxy.refuses = false;
    proxy.atCommit('lost after');
    assert.equal(codeOf(await write(randomUUID(), false)), 'outcome_unknown');
  });

  test('fifty at once, before or after the commit: each response is true', async () => {
    for (const what of ['lost before', 'lost after'] as const) {
      await at(6, (n) => write(`warm ${n} ${randomUUID()}`));
      proxy.atCommit(what, 4);
      const ids = Array.from({ length: 50 }, () => randomUUID());
      const answers = await Promise.all(ids.map((id) => write(id)));
      for (const [n, id] of ids.entries()) {
        const answer = answers[n];
        if (typeof answer === 'string') assert.ok(await exists(id), `${what}: acknowledged and lost`);
        else if (codeOf(answer) === 'unavailable') assert.ok(!(await exists(id)), `${what}: reported as unchanged, but changed`);
        else assert.equal(codeOf(answer), 'outcome_unknown', String(answer));
      }
      assert.ok(answers.filter((answer) => typeof answer === 'string').length > 25);
    }
  });

  test('in a batch, only the result of the change is unknown', async () => {
    const id = randomUUID();
    await write(id);
    assert.equal((await database.batched('', id).first(count, { id }))?.n, 1);
    const changing = database.batched('', id).first(count, { id });
    setImmediate(() => setImmediate(() => proxy.cut()));
    const answer = await changing.catch((error: unknown) => error);
    if (answer instanceof Error) assert.ok(answer instanceof OutcomeUnknown, String(answer));
  });
});
