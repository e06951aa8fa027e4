import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/database-proxy.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { type Database, openDatabase } from './database.ts';
import { databaseProblem } from './errors.ts';
import { openListener } from './listen.ts';
import { OutcomeUnknown } from './errors.ts';
import { sqlStatement } from './statement.ts';

/* Connections that fall silent or are lost at the worst moment, by a proxy between us and a real server. */

/** Milliseconds that a statement may take here, which the deadline follows some seconds later. */
const limits = { readMs: 300, writeMs: 600, systemMs: 3_600_000 };

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: DatabaseProxy;
let pool: pg.Pool;
let database: Database;
const role = 'chancery_app';
before(async () => {
  own = await createTestDatabase();
  proxy = await startDatabaseProxy(own.url);
  pool = new pg.Pool({ connectionString: own.url, max: 2 });
  pool.on('error', () => undefined);
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
/** A change that leaves a trace, and what it is answered with: the row, or the error. */
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

describe('connections that fall silent while new ones work', () => {
  test('are given up: reads and changes are answered with a 503 and then again, without a further wait for each connection', async () => {
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
    // A request on a connection that is not given up with the others would fail here.
    const next = await Promise.all(Array.from({ length: 24 }, (_, n) => (n % 2 === 0 ? read() : write(`after ${n} ${randomUUID()}`))));
    assert.ok(
      next.every((answer) => answer === true || typeof answer === 'string'),
      JSON.stringify(next),
    );
    await database.ping();
    await eventually('the listener hears again', async () => {
      await pool.query("SELECT pg_notify('beat', '')");
      return received > 0;
    });
    await listener.close();
  });

  test('are no longer believed in by the question whether the database is there, which ends', async () => {
    await database.ping();
    proxy.silence();
    await assert.rejects(database.ping());
    await database.ping();
  });

  test('are given up with the first that is found silent, also where an answer could take long', { timeout: 300_000 }, async () => {
    const beat = () => database.asSystem('keep watch', (tx) => tx.first(one, {}));
    await at(12, () => read());
    await beat();
    proxy.silence();
    const [background] = await Promise.all([Promise.allSettled([beat()]), at(12, () => read())]);
    assert.equal(background[0]?.status, 'rejected');
    await beat();
  });

  test('are not those on which an answer takes its time', async () => {
    const slow = at(4, () => database.inTeam('', (tx) => tx.first(sleep, { seconds: 0.5 })));
    proxy.delayMs = 50;
    assert.deepEqual(
      (await slow).map(({ status }) => status),
      Array.from({ length: 4 }, () => 'fulfilled'),
    );
  });
});

describe('a statement that takes too long', () => {
  test('is a 503 that says so, as a read', async () => {
    await assert.rejects(database.publicReader.first(sleep, { seconds: 2 }), (error: unknown) => databaseProblem(error)?.status === 503);
  });
});

describe('a connection that is lost at the commit', () => {
  test('before the database has heard of it: nothing was changed, and that is said', async () => {
    proxy.atCommit('lost before');
    const id = randomUUID();
    const answer = await write(id);
    assert.equal(codeOf(answer), 'unavailable', String(answer));
    assert.equal(await exists(id), false);
  });

  for (const what of ['lost after', 'silent after'] as const) {
    test(`${what} it was carried out: the answer is that of the change`, async () => {
      proxy.atCommit(what);
      const id = randomUUID();
      assert.equal(await write(id), id);
      assert.ok(await exists(id));
    });
  }

  test('with no trace to ask for, or no way to ask, what was done is not known, and nothing else is said', async () => {
    proxy.atCommit('lost after');
    assert.equal(codeOf(await write(randomUUID(), false)), 'outcome_unknown');
    // On connections that are there already, and with none to be had for asking.
    await at(4, () => write(randomUUID()));
    proxy.refuses = true;
    proxy.atCommit('lost after');
    assert.equal(codeOf(await write(randomUUID())), 'outcome_unknown');
  });

  test('fifty at once, before or after: each answer is true', async () => {
    for (const what of ['lost before', 'lost after'] as const) {
      await at(6, (n) => write(`warm ${n} ${randomUUID()}`));
      proxy.atCommit(what, 4);
      const ids = Array.from({ length: 50 }, () => randomUUID());
      const answers = await Promise.all(ids.map((id) => write(id)));
      for (const [n, id] of ids.entries()) {
        const answer = answers[n];
        if (typeof answer === 'string') assert.ok(await exists(id), `${what}: acknowledged and lost`);
        else if (codeOf(answer) === 'unavailable') assert.ok(!(await exists(id)), `${what}: answered as unchanged, and changed`);
        else assert.equal(codeOf(answer), 'outcome_unknown', String(answer));
      }
      assert.ok(answers.filter((answer) => typeof answer === 'string').length > 25);
    }
  });

  test('of an exchange of many, the change is one of which nobody knows', async () => {
    const id = randomUUID();
    await write(id);
    assert.equal((await database.batched('', id).first(count, { id }))?.n, 1);
    const changing = database.batched('', id).first(count, { id });
    setImmediate(() => setImmediate(() => proxy.cut()));
    const answer = await changing.catch((error: unknown) => error);
    if (answer instanceof Error) assert.ok(answer instanceof OutcomeUnknown, String(answer));
  });
});
