import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createThrottle } from '#credentials';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';

let chancery: Chancery;
before(async () => (chancery = await sharedChancery()));

const throttle = createThrottle(randomBytes(32));
let people = 0;
/** Buckets in which one more failure blocks for long, as after eleven earlier ones. */
async function nearlyUsedUp() {
  const buckets = throttle.signIn(`person${(people += 1)}@example.org`, `198.51.100.${people}`, 'unknown device');
  await throttle.count(chancery.database, buckets);
  await chancery.pool.query('UPDATE throttle SET hits = 11 WHERE key = $1', [buckets[0].key]);
  return buckets;
}

test('a correct guess waits for an earlier wrong guess, and sees its count, even if its own hash is ready first', async () => {
  const { database } = chancery;
  const buckets = await nearlyUsedUp();
  const wrong = Promise.withResolvers<boolean>();
  const notices: string[] = [];
  const early = throttle.guess(
    database,
    buckets,
    () => wrong.promise,
    async (count) => {
      await count();
      notices.push('counted');
    },
  );
  const late = throttle
    .guess(
      database,
      buckets,
      () => Promise.resolve(true),
      () => assert.fail(),
    )
    .finally(() => notices.push('right'));
  for (let n = 0; n < 20; n += 1) await turn();
  assert.deepEqual(notices, []);
  wrong.resolve(false);
  assert.deepEqual(await Promise.all([early, late]), [false, true]);
  await assert.rejects(
    database.withoutTeam((tx) => throttle.check(tx, buckets)),
    { code: 'rate_limited' },
  );
});

test('a correct guess does not wait for later guesses, other buckets, or the work that follows a count', async () => {
  const { database } = chancery;
  const [buckets, others] = [await nearlyUsedUp(), await nearlyUsedUp()];
  const never = new Promise<never>(() => undefined);
  const begin = (of: typeof buckets, matches: Promise<boolean>) =>
    throttle.guess(
      database,
      of,
      () => matches,
      async (count) => {
        await count();
        await never;
      },
    );
  void begin(buckets, Promise.resolve(false));
  void begin(others, never);
  const right = begin(buckets, Promise.resolve(true));
  void begin(buckets, never);
  assert.equal(await right, true);
});

test('a guess whose check fails does not delay later guesses', async () => {
  const buckets = await nearlyUsedUp();
  const failed = throttle.guess(
    chancery.database,
    buckets,
    () => Promise.reject(new Error('overloaded')),
    () => assert.fail(),
  );
  const right = throttle.guess(
    chancery.database,
    buckets,
    () => Promise.resolve(true),
    () => assert.fail(),
  );
  await assert.rejects(failed, /overloaded/);
  assert.equal(await right, true);
});

test('after the database clock is set back, old blocks end and counting restarts', async () => {
  const { database, pool } = chancery;
  const buckets = await nearlyUsedUp();
  const [{ key }] = buckets;
  const check = () => database.withoutTeam((tx) => throttle.check(tx, buckets));
  await throttle.count(database, buckets);
  await assert.rejects(check(), { code: 'rate_limited' });
  const ahead = (by: string) =>
    pool.query(
      `UPDATE throttle SET since = since + $2::interval, blocked_until = blocked_until + $2::interval, expires_at = expires_at + $2::interval WHERE key = $1`,
      [key, by],
    );
  // A start in the near future counts: a concurrent transaction may have written it.
  await ahead('5 seconds');
  await assert.rejects(check(), { code: 'rate_limited' });
  await ahead('1 day');
  await check();
  await throttle.count(database, buckets);
  const { rows } = await pool.query("SELECT hits, expires_at < now() + interval '1 hour' AS soon FROM throttle WHERE key = $1", [key]);
  assert.deepEqual(rows, [{ hits: 1, soon: true }]);
});
