import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { anyText } from '../../../test/arbitraries.ts';
import { createTestDatabase, testPool } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { createDatabaseClock } from './clock.ts';
import { type Database, openDatabase, type Outgoing, type Transaction } from './database.ts';
import { openListener } from './listen.ts';
import { version } from '../entry-points.ts';
import { migrate, planMigrations } from './migrate.ts';
import { migrationsFolder, parseMigration } from './migrations.ts';
import { sqlStatement, type Statement, statementName } from './statement.ts';

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let database: Database;
before(async () => {
  own = await createTestDatabase();
  pool = testPool(own.url, 3);
  database = openDatabase({ url: own.url }, { applicationName: 'database-test', maxConnections: 6 });
});
after(async () => {
  await database.close();
  await pool.end();
  await own.drop();
});

const at50 = Array.from({ length: 50 });
/** Terminates all connections with this name, like a restart of the server or a proxy. */
const terminate = (name: string) =>
  pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() AND pid <> pg_backend_pid()',
    [name],
  );

describe('the database clock', () => {
  const near = (ms: number, expected: number, within = 500) => assert.ok(Math.abs(ms - expected) < within, `${ms - expected} ms off`);

  test('corrects a machine clock that is minutes off, and follows a change of that clock', async () => {
    let off = -600_000;
    const clock = createDatabaseClock(database.publicReader, () => Date.now() + off);
    near(clock.now(), Date.now() - 600_000);
    await clock.measure();
    near(clock.now(), Date.now());
    off = 3_600_000;
    await eventually('the clock was measured again', () => Math.abs(clock.now() - Date.now()) < 500);
  });

  test('does not go back if the machine clock is set back, and follows a machine that was suspended', async () => {
    let off = 0;
    const clock = createDatabaseClock(database.publicReader, () => Date.now() + off);
    for (const ahead of [20_000, 600_000]) {
      off = ahead;
      await clock.measure();
      near(clock.now(), Date.now());
      off = 0;
      near(clock.now(), Date.now());
      await clock.measure();
      near(clock.now(), Date.now());
    }
    const gone = openDatabase({ url: own.url }, { applicationName: 'clock-gone', maxConnections: 2 });
    const alone = createDatabaseClock(gone.publicReader, () => Date.now() + off);
    await alone.measure();
    await gone.close();
    for (const [ahead, offset] of [
      [20_000, 20_000],
      [0, 0],
      [-20_000, 0],
      [0, 0],
    ] as const) {
      off = ahead;
      near(alone.now(), Date.now() + offset);
      await assert.rejects(alone.measure());
    }
  });

  test('does not jitter if the machine clock is right', async () => {
    const clock = createDatabaseClock(database.publicReader);
    for (let round = 0; round < 20; round += 1) {
      await clock.measure();
      const [earlier, measured, later] = [Date.now(), clock.now(), Date.now()];
      assert.ok(measured >= earlier && measured <= later, `${measured - earlier} ms`);
    }
  });

  test('continues with the measured offset while the database is unavailable', async () => {
    const gone = openDatabase({ url: own.url }, { applicationName: 'clock-gone', maxConnections: 2 });
    const clock = createDatabaseClock(gone.publicReader, () => Date.now() - 600_000);
    await clock.measure();
    await gone.close();
    await assert.rejects(clock.measure());
    near(clock.now(), Date.now());
  });
});

describe('a listener', () => {
  test('receives each payload once from its channels, and nothing from others', async () => {
    const listener = openListener({ url: own.url }, () => undefined);
    const received: string[] = [];
    await Promise.all([
      listener.on('a', (payload) => received.push(`a ${payload}`)),
      listener.on('b', (payload) => received.push(`b ${payload}`)),
    ]);
    await listener.on('a', (payload) => received.push(`again ${payload}`));
    await pool.query("SELECT pg_notify('a', '1'), pg_notify('b', '2'), pg_notify('c', '3')");
    await eventually('all payloads arrived', () => received.length >= 3);
    assert.deepEqual(received.toSorted(), ['a 1', 'again 1', 'b 2']);
    await listener.close();
  });

  test('reports the loss of its connection, reconnects, reports missed notifications, and receives again', async () => {
    const lost: string[] = [];
    const listener = openListener({ url: own.url }, (error) => lost.push(error.message));
    const received: string[] = [];
    let missed = 0;
    listener.onReconnect(() => {
      missed += 1;
      // Like a worker: check the table, because notifications may have been missed.
      received.push('looked');
    });
    await listener.on('due', (payload) => received.push(payload));
    assert.ok(listener.connected());
    await terminate('chancery-listen');
    await eventually('it is notified', () => !listener.connected());
    await pool.query("SELECT pg_notify('due', 'missed')");
    await eventually('the listener is connected', () => listener.connected());
    assert.deepEqual([missed, received], [1, ['looked']]);
    await pool.query("SELECT pg_notify('due', 'heard')");
    await eventually('the listener receives again', () => received.includes('heard'));
    assert.equal(lost.length, 1);
    await listener.close();
  });

  test('listens to all channels, including new ones, after five lost connections', async () => {
    const listener = openListener({ url: own.url }, () => undefined);
    const received = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      await terminate('chancery-listen');
      await listener.on(`channel ${round}`, (payload) => received.add(payload)).catch(() => undefined);
    }
    await eventually('the listener is connected', () => listener.connected());
    await eventually('all channels are received', async () => {
      await pool.query("SELECT pg_notify('channel 0', '0'), pg_notify('channel 1', '1'), pg_notify('channel 2', '2')");
      return received.size === 3;
    });
    await listener.close();
  });

  test('stays closed, also if it is closed during a reconnection', async () => {
    const listener = openListener({ url: own.url }, () => undefined);
    await listener.on('x', () => undefined);
    await terminate('chancery-listen');
    await listener.close();
    await new Promise((resolve) => setTimeout(resolve, 700));
    const { rows } = await pool.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'chancery-listen' AND datname = current_database()",
    );
    assert.deepEqual([rows[0].n, listener.connected()], [0, false]);
  });

  test('reconnects when an unavailable database is available again', async () => {
    const lost: string[] = [];
    const name = new URL(own.url).pathname.slice(1);
    await pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
    await pool.query('CREATE ROLE ordinary LOGIN');
    const url = new URL(own.url);
    url.username = 'ordinary';
    const listener = openListener({ url: url.href }, (error) => lost.push(error.message));
    const received: string[] = [];
    await listener.on('late', (payload) => received.push(payload));
    assert.equal(listener.connected(), false);
    await eventually('it tries again', () => lost.length >= 2);
    await pool.query(`ALTER DATABASE ${name} CONNECTION LIMIT -1`);
    await eventually('it is connected', () => listener.connected());
    await pool.query("SELECT pg_notify('late', 'yes')");
    await eventually('it receives', () => received.length === 1);
    await listener.close();
    await pool.query('DROP ROLE ordinary');
  });
});

describe('transactions', () => {
  test('leave no unhandled rejection if only the first of several pending statements is awaited', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const fails = sqlStatement<object, unknown>('SELECT 1 / 0');
      const follows = sqlStatement<object, unknown>('SELECT 1');
      const work = database.withoutTeam(async (tx) => {
        const [first] = [tx.all(fails, {}), tx.first(follows, {}), tx.all(follows, {})];
        await first;
      });
      await assert.rejects(work, /division by zero/);
      // Node.js reports unhandled rejections before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  const one = sqlStatement<{ value: string }, { value: string }>('SELECT $value::text AS value');

  test('with terminated connections all return an error, and the next ones succeed', async () => {
    const slow = sqlStatement<Record<string, never>, never>('SELECT pg_sleep(0.3)');
    const running = at50.map(() =>
      database
        .withoutTeam((tx) => tx.all(slow, {}))
        .then(
          () => 'done',
          (error: Error) => error.message,
        ),
    );
    await eventually(
      'some are running',
      async () =>
        (await pool.query("SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND application_name = 'database-test'")).rowCount,
    );
    await terminate('database-test');
    const ended = await Promise.all(running);
    assert.ok(ended.some((how) => how !== 'done'));
    assert.deepEqual(await database.withoutTeam((tx) => tx.first(one, { value: 'after' })), { value: 'after' });
    assert.deepEqual(await database.reader('00000000-0000-0000-0000-000000000000').first(one, { value: 'read' }), { value: 'read' });
  });

  test('a failed statement that was not awaited never looks like a commit', async () => {
    const bad = sqlStatement<Record<string, never>, never>('SELECT 1 / 0');
    await assert.rejects(
      database.withoutTeam(async (tx) => {
        void tx.all(bad, {}).catch(() => undefined);
        return 'done';
      }),
    );
  });

  test('a failed statement that was not awaited rolls the transaction back, and its error is reported at the commit or later', async () => {
    const made = sqlStatement<object, never>("INSERT INTO throttle (key, hits, since, expires_at) VALUES ('never', 1, now(), now())");
    const divided = sqlStatement<object, never>('SELECT 1 / 0');
    const countThrottles = sqlStatement<object, { found: number }>("SELECT count(*)::int AS found FROM throttle WHERE key = 'never'");
    const byZero = (error: unknown) => error instanceof pg.DatabaseError && error.code === '22012';
    for (const then of [async () => undefined, (tx: Transaction) => tx.first(countThrottles, {})]) {
      await assert.rejects(
        database.withoutTeam(async (tx) => {
          tx.send(made, {});
          tx.send(divided, {});
          return then(tx);
        }),
        byZero,
      );
    }
    assert.deepEqual(await database.publicReader.all(countThrottles, {}), [{ found: 0 }]);
  });

  test('work that continues after a failed part sends nothing more, neither outside the transaction nor in the next one', async () => {
    const made = sqlStatement<{ key: Buffer }, never>('INSERT INTO throttle (key, hits, since, expires_at) VALUES ($key, 1, now(), now())');
    const late: Promise<unknown>[] = [];
    await Promise.all(
      at50.map(async (_, n) => {
        let goOn = (): void => undefined;
        const failed = new Promise<void>((resolve) => (goOn = resolve));
        const work = database.withoutTeam((tx) => {
          late.push(
            failed.then(async () => {
              tx.send(made, { key: Buffer.from(`late sent ${n}`) });
              await assert.rejects(tx.all(made, { key: Buffer.from(`late asked ${n}`) }), /the transaction has ended/);
            }),
          );
          return Promise.all([tx.first(one, { value: 'there' }), Promise.reject(new Error('a part failed'))]);
        });
        await assert.rejects(work, /a part failed/);
        goOn();
      }),
    );
    await Promise.all(late);
    const left = sqlStatement<object, { n: number }>(
      "SELECT count(*)::int AS n FROM throttle WHERE convert_from(key, 'UTF8') LIKE 'late%'",
    );
    assert.deepEqual(await database.publicReader.all(left, {}), [{ n: 0 }]);
  });

  test('a public transaction sees the team that it enters, and one without statements opens no connection', async () => {
    const who = sqlStatement<object, { team: string }>("SELECT current_setting('app.team_id') AS team");
    const team = '00000000-0000-0000-0000-00000000abcd';
    const seen = await database.withoutTeam(async (tx) => {
      tx.enterTeam(team);
      return tx.first(who, {});
    });
    assert.equal(seen?.team, team);
    const later = await database.withoutTeam(async (tx) => {
      await tx.first(who, {});
      tx.enterTeam(team);
      return tx.first(who, {});
    });
    assert.equal(later?.team, team, 'and one that enters the team later sees it from then on');
    assert.equal(await database.withoutTeam(async () => 'nothing asked'), 'nothing asked');
  });

  test('rows added for the end are sent together, with their team, before the commit or on request', async () => {
    const [team, other] = ['00000000-0000-0000-0000-00000000aaaa', '00000000-0000-0000-0000-00000000bbbb'];
    const who = sqlStatement<object, { team: string }>("SELECT current_setting('app.team_id') AS team");
    const sent: string[] = [];
    const outgoing: Outgoing<string> = async (tx, all) => {
      sent.push(`${(await tx.first(who, {}))?.team}: ${all.join(' ')}`);
    };
    await database.withoutTeam(async (tx) => {
      tx.enterTeam(team);
      tx.atEnd(outgoing, 'a');
      tx.atEnd(outgoing, 'b');
      tx.enterTeam(other);
      tx.atEnd(outgoing, 'c');
      assert.deepEqual(sent, []);
      await tx.sendAdded();
      assert.deepEqual(sent.splice(0), [`${team}: a b`, `${other}: c`]);
      assert.equal((await tx.first(who, {}))?.team, other, 'and the transaction continues in its team');
      tx.atEnd(outgoing, 'd');
    });
    assert.deepEqual(sent.splice(0), [`${other}: d`]);
    await database.inTeam(team, async (tx) => {
      tx.atEnd(outgoing, 'before');
      await tx
        .attempt(async (inner) => {
          inner.atEnd(outgoing, 'refused');
          await inner.sendAdded();
          throw new Error('refused');
        })
        .catch(() => undefined);
      await tx.attempt(async (inner) => inner.atEnd(outgoing, 'taken'));
    });
    assert.deepEqual(sent.splice(0), [`${team}: refused`, `${team}: before taken`], 'rows added before an attempt are not sent with it');
    await assert.rejects(
      database.inTeam(team, async (tx) => {
        tx.atEnd(outgoing, 'e');
        throw new Error('no');
      }),
    );
    assert.deepEqual(sent, [], 'a rolled back part sends nothing');
  });

  test('post-commit callbacks run after a commit and not after a rollback', async () => {
    const ran: string[] = [];
    await database.withoutTeam(async (tx) => tx.afterCommit(() => ran.push('committed')));
    await assert.rejects(
      database.withoutTeam(async (tx) => {
        tx.afterCommit(() => ran.push('rolled back'));
        throw new Error('no');
      }),
    );
    assert.deepEqual(ran, ['committed']);
  });

  test('an error after the commit is reported to the operator, and the result of the commit is returned', async () => {
    const ran: string[] = [];
    const reported: unknown[] = [];
    const watched = openDatabase(
      { url: own.url },
      { applicationName: 'faults', maxConnections: 2, onError: (error) => reported.push(error) },
    );
    const answer = await watched.withoutTeam(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('the cache is gone');
      });
      tx.afterCommit(() => ran.push('the next'));
      return 'done';
    });
    await watched.close();
    assert.deepEqual([answer, ran, reported.map(String)], ['done', ['the next'], ['Error: the cache is gone']]);
  });

  test('a failed part leaves nothing, and the rest commits with its callbacks', async () => {
    const made = sqlStatement<{ key: string }, never>('INSERT INTO throttle (key, hits, since, expires_at) VALUES ($key, 1, now(), now())');
    const kept = sqlStatement<object, { key: string }>(
      "SELECT convert_from(key, 'UTF8') AS key FROM throttle WHERE key >= 'attempt' AND key < 'attempu' ORDER BY 1",
    );
    const divided = sqlStatement<object, never>('SELECT 1 / 0');
    const followed: string[] = [];
    const late: Promise<unknown>[] = [];
    const refused: ((tx: Transaction) => Promise<unknown>)[] = [
      async () => assert.fail('refused by the code'),
      (tx) => tx.all(divided, {}),
      // The result is not awaited; the end of the attempt awaits it.
      async (tx) => tx.send(divided, {}),
      // After a failed statement PostgreSQL only reports that the transaction is aborted.
      (tx) => {
        tx.send(divided, {});
        return tx.all(made, { key: 'attempt behind' });
      },
      async (tx) => {
        const beside = new Promise((resolve) => setTimeout(resolve, 1)).then(() => tx.all(made, { key: 'attempt late' }));
        late.push(beside.catch((error: Error) => error.message));
        throw new Error('before the other step');
      },
    ];
    const errors: string[] = [];
    await database.withoutTeam(async (tx) => {
      tx.send(made, { key: 'attempt before' });
      for (const [at, work] of refused.entries()) {
        await tx
          .attempt((inner) => {
            inner.send(made, { key: `attempt ${at}` });
            inner.afterCommit(() => followed.push(`of ${at}`));
            return work(inner);
          })
          .catch((error: Error) => errors.push(error.message));
      }
      assert.deepEqual(await Promise.all(late), ['the savepoint has ended']);
      assert.equal(await tx.attempt(async (inner) => inner.first(one, { value: 'answer' }).then((row) => row?.value)), 'answer');
      tx.afterCommit(() => followed.push('of the rest'));
      tx.send(made, { key: 'attempt after' });
    });
    assert.deepEqual(errors, ['refused by the code', 'division by zero', 'division by zero', 'division by zero', 'before the other step']);
    assert.deepEqual(await database.publicReader.all(kept, {}), [{ key: 'attempt after' }, { key: 'attempt before' }]);
    assert.deepEqual(followed, ['of the rest']);
  });

  test('a deferred constraint fails at the end of the part that violates it', async () => {
    const team = '00000000-0000-7000-8000-0000000000aa';
    const deferred = `CREATE TABLE IF NOT EXISTS attempted (id integer, CONSTRAINT attempted_once UNIQUE (id) DEFERRABLE INITIALLY DEFERRED);
      GRANT SELECT, INSERT ON attempted TO chancery_app`;
    await pool.query(deferred);
    try {
      const made = sqlStatement<object, never>("INSERT INTO throttle (key, hits, since, expires_at) VALUES ('deferred', 1, now(), now())");
      const twice: Statement<object, never> = { name: 'attempted-twice', text: 'INSERT INTO attempted VALUES (1), (1)', values: () => [] };
      await database.inTeam(team, async (tx) => {
        await assert.rejects(
          tx.attempt((inner) => inner.all(twice, {})),
          /attempted_once/,
        );
        tx.send(made, {});
      });
      assert.equal((await pool.query("SELECT FROM throttle WHERE key = 'deferred'")).rowCount, 1);
    } finally {
      await pool.query('DROP TABLE attempted');
    }
  });

  test('the role and team of a transaction never reach the next one on the connection', async () => {
    const who = sqlStatement<Record<string, never>, { role: string; team: string }>(
      "SELECT current_user::text AS role, current_setting('app.team_id') AS team",
    );
    const teams = at50.map((_, n) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
    const seen = await Promise.all(
      teams.flatMap((team) => [
        database.inTeam(team, (tx) => tx.first(who, {})),
        database.reader(team).first(who, {}),
        database.withoutTeam((tx) => tx.first(who, {})),
      ]),
    );
    for (const [n, found] of seen.entries())
      assert.deepEqual(found, { role: 'chancery_app', team: n % 3 === 2 ? '' : teams[Math.floor(n / 3)] });
  });
});

describe('batched statements', () => {
  const who = sqlStatement<{ value: number }, { role: string; team: string; value: number; xid: string }>(
    `SELECT current_user::text AS role, current_setting('app.team_id') AS team, $value::int AS value, pg_current_xact_id()::text AS xid`,
  );
  // The counters belong to no team. A zero causes an error.
  const count = sqlStatement<{ key: Buffer; value: number }, { value: number }>(
    'INSERT INTO throttle (key, hits, since, expires_at) VALUES ($key, 12 / $value::int, now(), now()) RETURNING $value::int AS value',
  );
  const counted = async (keys: Buffer[]) =>
    (await pool.query('SELECT hits FROM throttle WHERE key = ANY ($1) ORDER BY key', [keys])).rows.map(({ hits }) => hits);
  const outcome = (work: Promise<unknown>) =>
    work.then(
      (row) => (row as { value: number }).value,
      (error: Error) => error.message,
    );

  test('50 at once each have their role, team and row, and statements sent together are one transaction', async () => {
    const teams = at50.map((_, n) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
    const seen = await Promise.all(teams.map((team, value) => database.batched(team).first(who, { value })));
    for (const [value, found] of seen.entries())
      assert.deepEqual({ ...found, xid: '' }, { role: 'chancery_app', team: teams[value], value, xid: '' });
    assert.equal(new Set(seen.map((found) => found?.xid)).size, 4, 'at most sixteen');
    assert.equal((await database.batched('').first(who, { value: 1 }))?.team, '', 'and of no team with an empty name');
  });

  test('a failing statement fails alone, and all others are executed once', async () => {
    for (const failing of [0, 3, 7]) {
      const keys = Array.from({ length: 8 }, (_, n) => Buffer.from(`alone ${failing} ${n}`));
      const all = await Promise.all(
        keys.map((key, n) => outcome(database.batched('').first(count, { key, value: n === failing ? 0 : n + 1 }))),
      );
      const expected = keys.map((_, n) => (n === failing ? 'division by zero' : n + 1));
      assert.deepEqual(all, expected);
      assert.equal((await counted(keys)).length, 7);
    }
  });

  test('one of 50 statements that write the same key succeeds', async () => {
    const key = Buffer.from('the same');
    const all = await Promise.all(at50.map(() => outcome(database.batched('').first(count, { key, value: 4 }))));
    assert.deepEqual(all.filter((one) => one === 4).length, 1);
    assert.ok(all.every((one) => one === 4 || /duplicate key/.test(String(one))));
    assert.deepEqual(await counted([key]), [3]);
  });

  test('values that cannot be sent fail, and no statement gets the result of another', async () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const values = [1, circular as unknown as number, 3];
    const [first, second, third] = await Promise.all(values.map((value) => outcome(database.batched('').first(who, { value }))));
    assert.match(String(second), /cannot be sent|Connection terminated/);
    assert.ok(first !== 3 && third !== 1, `${first} ${third}`);
    assert.equal(await outcome(database.batched('').first(who, { value: 9 })), 9, 'the next ones succeed');
  });

  test('50 at once with terminated connections all return an error, and none is executed twice', async () => {
    const slow = sqlStatement<{ key: Buffer }, { value: number }>(
      'INSERT INTO throttle (key, hits, since, expires_at) SELECT $key, 1, now(), now() FROM pg_sleep(0.3) RETURNING hits AS value',
    );
    const keys = at50.map((_, n) => Buffer.from(`ended ${n}`));
    const running = keys.map((key) => outcome(database.batched('').first(slow, { key })));
    await eventually(
      'some are running',
      async () =>
        (await pool.query("SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND application_name = 'database-test'")).rowCount,
    );
    await terminate('database-test');
    const ended = await Promise.all(running);
    assert.ok(ended.every((how) => typeof how === 'string'));
    assert.deepEqual(await counted(keys), []);
    assert.equal(await outcome(database.batched('').first(who, { value: 5 })), 5);
  });
});

describe('migrations', () => {
  let folder: string;
  let copy: URL;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chancery-migrations-'));
    await cp(migrationsFolder, folder, { recursive: true });
    copy = pathToFileURL(`${folder}/`);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Creates an additional empty database. */
  async function empty(): Promise<{ url: string; drop(): Promise<void> }> {
    const name = `m_${Math.random().toString(36).slice(2)}`;
    await pool.query(`CREATE DATABASE ${name}`);
    const url = new URL(own.url);
    url.pathname = `/${name}`;
    return { url: url.href, drop: async () => void (await pool.query(`DROP DATABASE ${name} WITH (FORCE)`)) };
  }
  const schemaOf = (url: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { schemaText } from './scripts/schema-text.ts'; process.stdout.write(await schemaText(${JSON.stringify(url)}))`,
      ],
      { encoding: 'utf8' },
    ).stdout;

  test('are applied once by five concurrent nodes, and create the documented schema', async () => {
    const fresh = await empty();
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate({ url: fresh.url })));
    const applied = results.flatMap((result) => result.applied);
    assert.ok(applied.length > 5);
    assert.equal(new Set(applied).size, applied.length, 'none twice');
    assert.equal(results.filter((result) => result.applied.length > 0).length, 1, 'by one of them');
    assert.deepEqual(await migrate({ url: fresh.url }), { applied: [] });
    assert.equal(schemaOf(fresh.url), await readFile('schema.sql', 'utf8'));
    await fresh.drop();
  });

  test('a migration that changed after it was applied stops the start, with its name and the next step', async () => {
    await assert.rejects(async () => {
      const file = join(folder, '0170_folders.sql');
      const text = await readFile(file, 'utf8');
      await writeFile(file, `${text}\n-- edited\n`);
      try {
        await migrate({ url: own.url }, { folder: copy });
      } finally {
        await writeFile(file, text);
      }
    }, /the migration 0170_folders\.sql was changed after it had been applied; .*Start with a new DATA_DIR or an empty database, or run the version/);
    assert.deepEqual(await migrate({ url: own.url }, { folder: copy }), { applied: [] });
  });

  /** Adds a migration to the folder, runs it, and removes it. */
  async function withFile<T>(name: string, text: string, work: () => Promise<T>): Promise<T> {
    await writeFile(join(folder, name), text);
    try {
      return await work();
    } finally {
      await rm(join(folder, name));
    }
  }

  test('a version runs with later migrations until a contract', async () => {
    const fresh = await empty();
    const apply = () => migrate({ url: fresh.url }, { folder: copy });
    const expand = '-- kind: expand\nCREATE TABLE later (id int);';
    assert.deepEqual((await withFile('9100_later.sql', expand, apply)).applied.at(-1), '9100_later.sql');
    assert.deepEqual(await apply(), { applied: [] }, 'without the file');
    const contract = `-- kind: contract\n-- since: ${version}\nDROP TABLE later;`;
    await withFile('9101_contract.sql', contract, apply);
    assert.deepEqual(await apply(), { applied: [] }, 'this version is the oldest one');
    await withFile('9102_contract.sql', '-- kind: contract\n-- since: 99.0.0\nSELECT 1;', apply);
    await assert.rejects(apply(), /needs version 99\.0\.0 or later, and this is .*\. Install that version, or restore a backup\./);
    await fresh.drop();
  });

  test('a run until the contract leaves it for later', async () => {
    const fresh = await empty();
    await withFile('9100_first.sql', '-- kind: expand\nCREATE TABLE first (id int);', () =>
      withFile('9101_contract.sql', '-- kind: contract\n-- since: 0.0.1\nDROP TABLE first;', async () => {
        const { applied } = await migrate({ url: fresh.url }, { folder: copy, untilContract: true });
        assert.equal(applied.at(-1), '9100_first.sql');
        assert.deepEqual(await planMigrations({ url: fresh.url }, { folder: copy }), [
          { name: '9101_contract.sql', kind: 'contract', since: '0.0.1', locks: [{ table: 'first', rows: 0 }] },
        ]);
      }),
    );
    await fresh.drop();
  });

  test('a migration behind a lock gives way to readers, is tried again, and names the session that keeps the lock', async () => {
    const fresh = await empty();
    await migrate({ url: fresh.url }, { folder: copy });
    const reader = new pg.Client({ connectionString: fresh.url, application_name: 'long-report' });
    await reader.connect();
    await reader.query('BEGIN; SELECT count(*) FROM document');
    const locks = { timeoutMs: 300, pausesMs: [50, 50] };
    const run = () => migrate({ url: fresh.url }, { folder: copy, locks });
    await withFile('9100_wide.sql', '-- kind: expand\nALTER TABLE document ADD COLUMN wide text;', async () => {
      await assert.rejects(
        run(),
        /9100_wide\.sql was rolled back, because other sessions keep a lock: pid \d+ \(long-report, transaction since .*Z\)/,
      );
      const migrating = migrate(
        { url: fresh.url },
        { folder: copy, locks: { timeoutMs: 300, pausesMs: Array.from({ length: 200 }, () => 50) } },
      );
      await reader.query('COMMIT');
      assert.deepEqual(await migrating, { applied: ['9100_wide.sql'] });
    });
    await reader.end();
    await fresh.drop();
  });

  test('an index is created beside readers and writers by nodes that start together, also after a try that failed', async () => {
    const fresh = await empty();
    await migrate({ url: fresh.url }, { folder: copy });
    const client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    await client.query('SET ROLE chancery_owner; CREATE TABLE twice (a int); INSERT INTO twice VALUES (1), (1)');
    const index = '-- kind: online\nCREATE UNIQUE INDEX CONCURRENTLY twice_a ON twice (a);';
    await withFile('9100_index.sql', index, async () => {
      const run = () => migrate({ url: fresh.url }, { folder: copy });
      await assert.rejects(
        run(),
        (error: Error) => /9100_index\.sql failed/.test(error.message) && /could not create unique index/.test(String(error.cause)),
      );
      await client.query('DELETE FROM twice WHERE ctid = (SELECT min(ctid) FROM twice)');
      const results = await Promise.all(Array.from({ length: 5 }, run));
      assert.deepEqual(
        results.flatMap(({ applied }) => applied),
        ['9100_index.sql'],
      );
    });
    const { rows } = await client.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'twice_a'::regclass");
    assert.deepEqual(rows, [{ indisvalid: true }]);
    await client.end();
    await fresh.drop();
  });

  test('the header of a migration has one form', () => {
    assert.deepEqual(parseMigration('a.sql', 'SELECT 1'), { name: 'a.sql', text: 'SELECT 1', kind: 'expand' });
    for (const text of ['-- kind: big\n', '-- kind: contract\n', '-- kind: expand\n-- since: 1.0.0\n'])
      assert.throws(() => parseMigration('a.sql', text), /a\.sql: /);
  });

  test('a database with an older schema stops the start, with the next step, and is not changed', async () => {
    const former = await empty();
    const client = new pg.Client({ connectionString: former.url });
    await client.connect();
    await client.query(
      'CREATE TABLE migration (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    await client.query(
      "INSERT INTO migration (name, sha256) VALUES ('0001_journal.sql', 'a'), ('0010_teams.sql', 'b'), ('0240_revoked_task_grants.sql', 'c')",
    );
    await assert.rejects(
      migrate({ url: former.url }),
      /^Error: the database was created by an earlier version; databases of development versions before 0\.1\.0 are not migrated\. Start with a new DATA_DIR or an empty database, or run the version that created this one\.$/,
    );
    const { rows } = await client.query(
      "SELECT count(*)::int AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
    );
    assert.deepEqual(rows, [{ tables: 1 }], 'nothing was created in it');
    await client.end();
    await former.drop();
  });

  test('a failing migration is rolled back completely and named, and earlier ones stay', async () => {
    const fresh = await empty();
    const file = join(folder, '9999_failing.sql');
    await writeFile(file, 'CREATE TABLE half_made (id int);\nSELECT 1 / 0;\n');
    await assert.rejects(migrate({ url: fresh.url }, { folder: copy }), (error: Error) => {
      assert.match(error.message, /the migration 9999_failing\.sql failed and was rolled back/);
      assert.match((error.cause as Error).message, /division by zero/);
      return true;
    });
    const client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    const { rows } = await client.query("SELECT to_regclass('half_made') AS made, (SELECT count(*)::int FROM migration) AS kept");
    assert.equal(rows[0].made, null);
    assert.ok(rows[0].kept > 5);
    await client.end();
    await writeFile(file, 'CREATE TABLE whole (id int);');
    assert.deepEqual(await migrate({ url: fresh.url }, { folder: copy }), { applied: ['9999_failing.sql'] }, 'after the fix it is applied');
    await rm(file);
    await fresh.drop();
  });

  test('an older migration that is added later is applied', async () => {
    const fresh = await empty();
    await migrate({ url: fresh.url }, { folder: copy });
    await writeFile(join(folder, '0170_z_late.sql'), 'CREATE TABLE late (id int);');
    assert.deepEqual(await migrate({ url: fresh.url }, { folder: copy }), { applied: ['0170_z_late.sql'] });
    await rm(join(folder, '0170_z_late.sql'));
    await fresh.drop();
  });
});

describe('statements', () => {
  const member = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,8}$/);
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("'; DROP TABLE folder; --", '$1', '$name', "\\'", '\u0000', '$$', '/*', '*/', '"'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );

  test('a missing parameter throws, because NULL would disable a filter', () => {
    const plain = sqlStatement<{ team: string; owner: string | null }, never>('SELECT $team::uuid, $owner::uuid');
    assert.deepEqual(plain.values({ team: 'a', owner: null }), ['a', null]);
    assert.throws(() => plain.values({ team: 'a' } as never), /parameter \$owner of the statement/);
  });

  test('parameter values never reach the text, so the text and the name do not depend on them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(member, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
        fc.array(value, { minLength: 8, maxLength: 8 }),
        (members, uses, values) => {
          const used = uses.map((use) => members[use % members.length] ?? '');
          const made = sqlStatement<Record<string, unknown>, never>(`SELECT ${used.map((name) => `$${name}`).join(', ')}`);
          const params = Object.fromEntries(members.map((name, n) => [name, values[n]]));
          const given = made.values(params);
          // Each use refers to its value by number; the text contains only numbers.
          const numbers = made.text.match(/\$\d+/g)?.map((one) => Number(one.slice(1))) ?? [];
          assert.match(made.text, /^SELECT \$\d+(, \$\d+)*$/);
          assert.deepEqual(
            numbers.map((number) => given[number - 1]),
            used.map((name) => params[name]),
          );
          assert.equal(given.length, new Set(used).size, 'one value for each member, for any number of uses');
          assert.equal(made.name, statementName(made.text));
          assert.throws(() => made.values({}), /parameter \$/, 'nothing is kept for the next run');
        },
      ),
    );
  });

  test('any text returns unchanged from the database and executes nothing', async () => {
    const echo = sqlStatement<{ a: string; b: string }, { a: string; b: string }>('SELECT $b::text AS b, $a::text AS a, $b::text AS c');
    const text = fc
      .oneof(anyText(), fc.constantFrom("'; DROP TABLE folder; --", '$a', '$1', "E'\\''", '$$;'))
      .map((one) => one.replaceAll('\0', '').toWellFormed());
    await fc.assert(
      fc.asyncProperty(text, text, async (a, b) => {
        assert.deepEqual(await database.withoutTeam((tx) => tx.first(echo, { a, b })), { b, a, c: b });
      }),
      { numRuns: 60 },
    );
    assert.ok((await pool.query("SELECT to_regclass('folder') AS there")).rows[0].there);
  });

  test('each has a unique name, short enough for PostgreSQL, and a connection prepares it once', async () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        assert.ok(Buffer.byteLength(statementName(a)) <= 63);
        assert.equal(statementName(a) === statementName(b), a === b);
      }),
    );
    const named = sqlStatement<{ n: number }, { name: string; runs: number }>(
      'SELECT name, (generic_plans + custom_plans)::int + $n AS runs FROM pg_prepared_statements',
    );
    const seen = await database.withoutTeam(async (tx) => {
      for (let n = 0; n < 5; n += 1) await tx.all(named, { n });
      return tx.all(named, { n: 0 });
    });
    assert.equal(seen.filter(({ name }) => name === named.name).length, 1);
    assert.ok((seen.find(({ name }) => name === named.name)?.runs ?? 0) >= 5);
    assert.ok(seen.every(({ name }) => name !== ''));
  });
});

test('connections lost during reads leave none behind after the database is closed', async () => {
  const own1 = openDatabase({ url: own.url }, { applicationName: 'database-left', maxConnections: 16 });
  const one = sqlStatement<{ value: string }, { value: string }>('SELECT $value::text AS value');
  let reading = true;
  const readers = at50.map(async () => {
    // A read on a lost connection fails; the next one reopens it.
    while (reading) await own1.publicReader.first(one, { value: 'x' }).catch(() => undefined);
  });
  for (let round = 0; round < 10; round += 1) {
    await own1.publicReader.first(one, { value: 'y' }).catch(() => undefined);
    await terminate('database-left');
  }
  reading = false;
  await Promise.all(readers);
  await own1.close();
  const left = async () =>
    (await pool.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'database-left'")).rows[0].n;
  await eventually('no connection is left', async () => (await left()) === 0);
});
