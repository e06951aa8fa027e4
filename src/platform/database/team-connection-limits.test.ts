import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUIDv7 } from 'node:crypto';
import fc from 'fast-check';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import type { Problem } from '../problems.ts';
import { type Database, openDatabase } from './database.ts';
import { trackPresence, shareFairly, type SharesOptions } from './team-connection-limits.ts';
import { sqlStatement } from './statement.ts';

const eight: SharesOptions = { places: 8, share: 2, most: 6, quickMs: 1_000, waiting: 100, waitMs: 5_000 };
const later = () => new Promise<void>((resolve) => setImmediate(resolve));
const slowRead = sqlStatement<{ seconds: number }, { done: string }>("SELECT pg_sleep($seconds)::text || 'slow' AS done");
const quickRead = sqlStatement<object, { one: number }>('SELECT 1 AS one');

describe('shared slots', () => {
  test('never exceed the total or the limit of one owner, and all work is done', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 60 }), async (work) => {
        const shares = shareFairly(eight);
        const now = new Map<string, number>();
        let done = 0;
        await Promise.all(
          work.map(([key, turns]) =>
            shares.run(key, async () => {
              now.set(key, (now.get(key) ?? 0) + 1);
              const all = [...now.values()].reduce((sum, one) => sum + one, 0);
              assert.ok(all <= eight.places && (now.get(key) ?? 0) <= eight.most);
              for (let turn = 0; turn < turns; turn += 1) await later();
              now.set(key, (now.get(key) ?? 0) - 1);
              done += 1;
            }),
          ),
        );
        assert.equal(done, work.length);
      }),
      { numRuns: 50 },
    );
  });

  test('work in turns, and an owner with slow work keeps to its share', async () => {
    const shares = shareFairly({ ...eight, quickMs: -1 });
    const begun: string[] = [];
    let atOnce = 0;
    let most = 0;
    const run = (key: string) =>
      shares.run(key, async () => {
        begun.push(key);
        if (key === 'many') most = Math.max(most, (atOnce += 1));
        await later();
        if (key === 'many') atOnce -= 1;
      });
    await Promise.all([...Array.from({ length: 50 }, () => run('many')), run('few'), run('few'), run('other')]);
    assert.equal(most, eight.share);
    assert.ok(begun.lastIndexOf('few') < 8 && begun.indexOf('other') < 8, begun.join(' '));
  });

  test('are mostly used by a single owner with quick work', async () => {
    const shares = shareFairly(eight);
    let atOnce = 0;
    let most = 0;
    const run = () =>
      shares.run('alone', async () => {
        most = Math.max(most, (atOnce += 1));
        await later();
        atOnce -= 1;
      });
    await Promise.all(Array.from({ length: 60 }, run));
    assert.equal(most, eight.most);
  });

  test('are few for a quick owner while others are active, and most of them afterwards', async () => {
    const presence = trackPresence();
    const shares = shareFairly({ ...eight, besideOthers: 2, presence });
    let atOnce = 0;
    let most = 0;
    const run = () =>
      shares.run('many', async () => {
        most = Math.max(most, (atOnce += 1));
        await later();
        atOnce -= 1;
      });
    const about = setInterval(() => presence.seen('few'), 20);
    presence.seen('few');
    await Promise.all(Array.from({ length: 40 }, run));
    clearInterval(about);
    assert.equal(most, 2);
    await sleep(1_100);
    await Promise.all(Array.from({ length: 40 }, run));
    assert.ok(most > 2, `${most} at once`);
  });

  test('are one for an owner with heavy work while others are active, with rests as long as the work', async () => {
    const presence = trackPresence();
    const shares = shareFairly({ ...eight, heavyMs: 10, presence });
    const others = shareFairly({ ...eight, presence });
    let atOnce = 0;
    let most = 0;
    let worked = 0;
    const heavy = () =>
      shares.run('heavy', async () => {
        most = Math.max(most, (atOnce += 1));
        const from = performance.now();
        await sleep(100);
        atOnce -= 1;
        worked += performance.now() - from;
      });
    /** Returns the time and the work of eight heavy tasks after a first one. */
    const run = async () => {
      await heavy();
      [most, worked] = [0, 0];
      const from = performance.now();
      await Promise.all(Array.from({ length: 8 }, heavy));
      return { took: performance.now() - from, worked, most };
    };
    const alone = await run();
    assert.ok(alone.most > 1 && alone.took < alone.worked, `alone: ${JSON.stringify(alone)}`);
    // An owner with slots of another kind is active too.
    const about = setInterval(() => void others.run('few', later), 50);
    await others.run('few', later);
    const beside = await run();
    // The first 250 ms need no rest.
    assert.ok(beside.most === 1 && beside.took > 1.5 * beside.worked, `beside others: ${JSON.stringify(beside)}`);
    // Quick work in between gives it no more slots.
    await heavy();
    most = 0;
    const quick = () => shares.run('heavy', later);
    await Promise.all([quick(), ...Array.from({ length: 3 }, heavy)]);
    assert.equal(most, 1, 'after quick work');
    clearInterval(about);
    assert.equal(await shares.run('few', async () => 'at once'), 'at once');
    // If the work of all owners takes as long, it is not heavy.
    const slow = setInterval(() => void others.run('few', () => sleep(100)), 10);
    await sleep(1_000);
    const concurrent = await run();
    clearInterval(slow);
    assert.ok(concurrent.took < concurrent.worked, `while others are as slow: ${JSON.stringify(concurrent)}`);
  });

  test('are released after an error', async () => {
    const shares = shareFairly(eight);
    const failing = Array.from({ length: 50 }, () => shares.run('a', () => Promise.reject(new Error('no'))));
    assert.ok((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected'));
    assert.equal(await shares.run('a', async () => 'done'), 'done');
  });

  test('reject one owner with too many waiting requests, but not another, and reject requests that wait too long', async () => {
    const shares = shareFairly({ ...eight, waiting: 3, waitMs: 50 });
    let open = () => undefined as void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const running = Array.from({ length: 2 }, () => shares.run('a', () => gate));
    const waiting = Array.from({ length: 3 }, () => shares.run('a', async () => undefined));
    const refused = (error: Problem) => error.status === 429 && error.headers['retry-after'] === '1';
    await assert.rejects(
      shares.run('a', async () => undefined),
      refused,
    );
    assert.equal(await shares.run('b', async () => 'done'), 'done');
    for (const one of waiting) await assert.rejects(one, refused);
    open();
    await Promise.all(running);
  });
});

describe('the database, with slow work of one team', () => {
  let own: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  before(async () => {
    own = await createTestDatabase();
    database = openDatabase(
      { url: own.url },
      { applicationName: 'shares-test', maxConnections: 4, limits: { readMs: 1_000, writeMs: 1_000, systemMs: 1_000, batchMs: 1_000 } },
    );
  });
  after(async () => {
    await database.close();
    await own.drop();
  });
  const [slow, other] = [randomUUIDv7(), randomUUIDv7()];

  test('serves reads of another team during many slow reads', async () => {
    let over = false;
    const attack = Promise.all(Array.from({ length: 20 }, () => database.reader(slow).all(slowRead, { seconds: 0.1 }))).then(
      () => (over = true),
    );
    for (let n = 0; n < 30; n += 1) assert.deepEqual(await database.reader(other).first(quickRead, {}), { one: 1 });
    assert.equal(over, false, 'the reads of the other team waited for all slow ones');
    await attack;
  });

  test('serves changes of another team during many slow changes', async () => {
    let over = false;
    const change = (team: string, seconds: number) => database.inTeam(team, (tx) => tx.all(slowRead, { seconds }));
    const attack = Promise.all(Array.from({ length: 20 }, () => change(slow, 0.1))).then(() => (over = true));
    for (let n = 0; n < 10; n += 1) await change(other, 0);
    assert.equal(over, false, 'the changes of the other team waited for all slow ones');
    await attack;
  });

  test('returns the result of a slow read, and each kind of work has its own statement limit', async () => {
    assert.deepEqual(await database.reader(slow).first(slowRead, { seconds: 0.2 }), { done: 'slow' });
    const tooSlow = [
      database.reader(slow).first(slowRead, { seconds: 20 }),
      database.inTeam(slow, (tx) => tx.first(slowRead, { seconds: 20 })),
      database.asSystem('sleep', (tx) => tx.first(slowRead, { seconds: 20 })),
      database.batched(slow, undefined).first(slowRead, { seconds: 20 }),
    ];
    for (const one of await Promise.allSettled(tooSlow)) assert.ok(one.status === 'rejected' && one.reason.code === '57014');
    assert.deepEqual(await database.reader(slow).first(quickRead, {}), { one: 1 });
  });
});

describe('a request that reaches a database limit', () => {
  let chancery: Chancery;
  before(async () => {
    chancery = await startChancery({
      role: 'api',
      settings: { READ_LIMIT_SECONDS: '1', WRITE_LIMIT_SECONDS: '1', TEAM_REQUESTS_WAITING: '5' },
    });
  });
  after(() => chancery.stop());

  test('gets 503 with Retry-After, a further one 429, and requests of another team succeed', async () => {
    const [team, neighbour] = [await chancery.team(), await chancery.team()];
    const client = await chancery.pool.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE folder IN ACCESS EXCLUSIVE MODE');
    const list = () => chancery.call('GET', '/api/v1/smartdoc/folders/', { token: team.owner.token });
    const create = (n: number) =>
      chancery.call('POST', '/api/v1/smartdoc/folders/', { token: team.owner.token, body: { name: `Folder ${n}` } });
    const requests = [...Array.from({ length: 20 }, list), ...Array.from({ length: 20 }, (_, n) => create(n))];
    await eventually(
      'requests wait for the table',
      async () =>
        ((await chancery.pool.query("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"))
          .rowCount ?? 0) > 0,
    );
    const profile = await chancery.call('GET', '/api/v1/security/auth/profile', { token: neighbour.owner.token });
    assert.equal(profile.status, 200);
    const answers = await Promise.all(requests);
    await client.query('ROLLBACK');
    client.release();
    const by = (status: number) => answers.filter((answer) => answer.status === status);
    assert.equal(by(503).length + by(429).length, 40, answers.map(({ status }) => status).join(' '));
    assert.ok(by(429).length > 0 && by(503).length > 0);
    for (const { body, headers } of by(503)) assert.deepEqual([body.code, headers.get('retry-after')], ['statement_timeout', '5']);
    for (const { body, headers } of by(429)) assert.deepEqual([body.code, headers.get('retry-after')], ['rate_limited', '1']);
    // On a busy machine a single request may exceed the limit of this service.
    await eventually('it can be read again', async () => (await list()).status === 200);
    await eventually('and changed', async () => (await create(99)).status === 201);
  });
});
