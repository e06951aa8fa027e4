import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createThrottle } from '#accounts';
import { type Chancery, startChancery } from '../harness.ts';

/* What happens to the same things at once waits for one another in one order: the database finds no deadlock. */

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

/** Deadlocks that the database has found. Each connection tells of its own when it ends, or about a second later. */
async function deadlocks(): Promise<number> {
  const { rows } = await chancery.pool.query('SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()');
  return rows[0].n;
}

test('tries are counted and given back at once for the same people, in whichever order they are named', async () => {
  const throttle = createThrottle(randomBytes(32));
  const { database } = chancery;
  const people = ['a@example.org', 'b@example.org', 'c@example.org'];
  const bucketsOf = (person: string) => [...throttle.signIn(person, undefined, 'unknown device'), ...throttle.secondFactor(person)];
  const earlier = await deadlocks();
  for (let round = 0; round < 12; round += 1) {
    const all = people.flatMap(bucketsOf);
    const work = Array.from({ length: 8 }, (_, n) => {
      const buckets = n % 2 === 0 ? all : all.toReversed();
      return n % 4 < 2
        ? database.withoutTeam((tx) => throttle.take(tx, buckets))
        : database.withoutTeam((tx) => throttle.clear(tx, buckets));
    });
    await Promise.all(work);
  }
  assert.equal((await deadlocks()) - earlier, 0);
});
