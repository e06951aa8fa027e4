import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fairRoom } from './fair-room.ts';

test('whoever holds nothing finds room beside those who take all that they can, and all of it comes back', () => {
  const room = fairRoom({ all: 192, part: 1 / 3, mostOfOne: 48 });
  const given: (() => void)[] = [];
  const takeAll = (whose: string): number => {
    for (let taken = 0; ; taken += 1) {
      const back = room.take(whose, 1);
      if (!back) return taken;
      given.push(back);
    }
  };
  assert.equal(takeAll('first'), 48);
  for (let n = 0; n < 12; n += 1) assert.ok(takeAll(`of many ${n}`) >= 1, `${n}`);
  // What is larger than a share is taken alone, and not beside more of the same.
  assert.equal(room.take('large', 192), undefined);
  for (const back of [...given, ...given]) back();
  const back = room.take('large', 192);
  assert.ok(back && room.take('other', 1) === undefined);
  back();
  assert.equal(takeAll('first'), 48);
});

test('never more is given than there is, whoever takes and gives back', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(acts, (some) => {
      const room = fairRoom({ all: 100, part: 1 / 2 });
      const held: { much: number; back: () => void }[] = [];
      for (const [whose, much, gives] of some) {
        const back = gives ? undefined : room.take(whose, much);
        if (back) held.push({ much, back });
        if (gives) held.shift()?.back();
        assert.ok(held.reduce((sum, one) => sum + one.much, 0) <= 100);
      }
    }),
    { numRuns: 50 },
  );
});
