import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FairBudget, roomBeside } from './fair-budget.ts';

test('a key without usage finds capacity while others take the maximum, and everything is given back', () => {
  const budget = new FairBudget({ total: 192, part: 1 / 3, maxPerKey: 48 });
  const given: (() => void)[] = [];
  const takeAll = (key: string): number => {
    for (let taken = 0; ; taken += 1) {
      const back = budget.take(key, 1);
      if (!back) return taken;
      given.push(back);
    }
  };
  assert.equal(takeAll('first'), 48);
  for (let n = 0; n < 12; n += 1) assert.ok(takeAll(`of many ${n}`) >= 1, `${n}`);
  // A key can take an amount above its share only if it has no usage.
  assert.equal(budget.take('large', 192), undefined);
  for (const back of [...given, ...given]) back();
  const back = budget.take('large', 192);
  assert.ok(back && budget.take('other', 1) === undefined);
  back();
  assert.equal(takeAll('first'), 48);
});

test('never gives more than the total, for any sequence of taking and giving back', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(acts, (some) => {
      const budget = new FairBudget({ total: 100, part: 1 / 2 });
      const shares: { much: number; back: () => void }[] = [];
      for (const [key, much, gives] of some) {
        const back = gives ? undefined : budget.take(key, much);
        if (back) shares.push({ much, back });
        if (gives) shares.shift()?.back();
        assert.ok(shares.reduce((sum, one) => sum + one.much, 0) <= 100);
      }
    }),
    { numRuns: 50 },
  );
});

/** Takes single units for a key, as long as it may. */
function takeOneByOne(budget: FairBudget, key: string): number {
  for (let used = 0; ; used += 1) {
    if (budget.free === 0 || budget.roomOf(key) === 0) return used;
    budget.hold(key, 1);
  }
}

test('another key finds capacity while twenty keys take the maximum, and the total is not exceeded', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1_000, max: 4_000 }), (keys, total) => {
      const budget = new FairBudget({ total, part: 1 / 4 });
      let used = 0;
      for (let n = 0; n < keys; n += 1) used += takeOneByOne(budget, `key${n}`);
      assert.ok(used <= total);
      assert.ok(budget.free > 0 && budget.roomOf('another') > 0, `${used} of ${total} are used`);
    }),
    { numRuns: 50 },
  );
});

test('a single key gets part / (1 + part) of the total, in one claim or in units', () => {
  const budget = new FairBudget({ total: 3_000, part: 1 / 4 });
  assert.equal(budget.roomOf('alone'), 600);
  assert.equal(takeOneByOne(budget, 'alone'), 600);
  assert.deepEqual([budget.free, [...budget.keys], budget.used('alone')], [2_400, ['alone'], 600]);
  const other = new FairBudget({ total: 10, part: 1 });
  const back = other.hold('a', 15);
  assert.deepEqual([other.free, other.roomOf('b')], [0, 0], 'an amount taken without a check can exceed the total');
  back();
  back();
  assert.deepEqual([other.free, [...other.keys]], [10, []]);
});

test('keys use all slots except the reserved one if each takes its capacity in turn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 20 }), (places, keys) => {
      let free = places;
      for (let key = 0; key < keys && free > 0; key += 1) {
        const kept = free > 1 ? 1 : 0;
        const room = roomBeside(0, free, 2, kept);
        assert.ok(room >= 1 && room <= free - kept);
        assert.equal(roomBeside(room, free - room, 2, kept), 0, 'it has taken the maximum');
        free -= room;
      }
    }),
  );
  assert.deepEqual(
    [1, 2, 4, 10, 20].map((places) => roomBeside(0, places, 2, places > 1 ? 1 : 0)),
    [1, 1, 3, 7, 14],
  );
});
