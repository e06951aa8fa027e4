import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { fairLines, LineFull } from './fair-lines.ts';

/** Work that goes on until it is told to end, in the order in which it began. */
function works() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const endOne = async () => {
    ends.shift()?.();
    await turn();
  };
  return { begun, work, endOne };
}

test('each has a turn after one piece of another’s, and never more at once than is theirs', async () => {
  const lines = fairLines({ atOnce: 2, atOnceOfOne: 1, waiting: 10, waitingOfOne: 5 });
  const { begun, work, endOne } = works();
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => lines.run(name[0] ?? '', work(name)));
  await turn();
  assert.deepEqual(begun, ['a1', 'b1'], 'one of each, though two of the first waited before');
  await endOne();
  assert.deepEqual(begun, ['a1', 'b1', 'a2']);
  await endOne();
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2']);
  for (let left = 0; left < 4; left += 1) await endOne();
  await Promise.all(all);
  assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
});

test('what finds its line full is refused, others are not, and what fails leaves its place', async () => {
  const lines = fairLines({ atOnce: 1, atOnceOfOne: 1, waiting: 3, waitingOfOne: 2 });
  const { work, endOne } = works();
  const kept = ['a', 'a', 'a'].map((whose) => lines.run(whose, work(whose)));
  await assert.rejects(lines.run('a', work('a')), LineFull);
  kept.push(lines.run('b', work('b')));
  await assert.rejects(lines.run('c', work('c')), LineFull, 'the lines are full together');
  for (let left = 0; left < 4; left += 1) {
    await turn();
    await endOne();
  }
  await Promise.all(kept);
  await assert.rejects(
    lines.run('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await lines.run('a', async () => 'done'), 'done');
});
