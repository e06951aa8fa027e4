import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue, QueueFullError } from './fair-queue.ts';

/** Work that runs until the test ends it, in the order of its start. */
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

test('keys take turns, each with at most its own concurrency', async () => {
  const queue = new FairQueue({ concurrency: 2, concurrencyPerKey: 1, maxWaiting: 10, maxWaitingPerKey: 5 });
  const { begun, work, endOne } = works();
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => queue.run(name[0] ?? '', work(name)));
  await turn();
  assert.deepEqual(begun, ['a1', 'b1'], 'one of each key, although two of the first waited before');
  await endOne();
  assert.deepEqual(begun, ['a1', 'b1', 'a2']);
  await endOne();
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2']);
  for (let left = 0; left < 4; left += 1) await endOne();
  await Promise.all(all);
  assert.deepEqual(begun.toSorted(), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
});

test('a full queue of one key rejects only its work, and failed work releases its slot', async () => {
  const queue = new FairQueue({ concurrency: 1, concurrencyPerKey: 1, maxWaiting: 3, maxWaitingPerKey: 2 });
  const { work, endOne } = works();
  const kept = ['a', 'a', 'a'].map((name) => queue.run(name, work(name)));
  await assert.rejects(queue.run('a', work('a')), QueueFullError);
  kept.push(queue.run('b', work('b')));
  await assert.rejects(queue.run('c', work('c')), QueueFullError, 'the queue of all keys is full');
  for (let left = 0; left < 4; left += 1) {
    await turn();
    await endOne();
  }
  await Promise.all(kept);
  await assert.rejects(
    queue.run('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(await queue.run('a', async () => 'done'), 'done');
});

test('work that waits too long is rejected, and all waiting work when the queue closes', async () => {
  const queue = new FairQueue({ concurrency: Infinity, concurrencyPerKey: 1 });
  const leave = await queue.enter('a');
  await assert.rejects(Promise.resolve(queue.enter('a', 1)), (error) => error instanceof QueueFullError && error.waited);
  await assert.rejects(Promise.resolve(queue.enter('a', 0)), (error) => error instanceof QueueFullError && !error.waited);
  const waiting = Promise.resolve(queue.enter('a', 60_000));
  (await queue.enter('b', 0))();
  queue.close();
  await assert.rejects(waiting, QueueFullError);
  await assert.rejects(Promise.resolve(queue.enter('a')), QueueFullError, 'the queue is closed');
  leave();
  (await queue.enter('a'))();
  assert.equal(queue.has('a'), false);
});

test('a changed limit applies from the next task, and `serve` starts waiting work', async () => {
  let limit = 0;
  const contended: boolean[] = [];
  const queue = new FairQueue({
    concurrency: 4,
    concurrencyPerKey: (key, others) => {
      if (key === 'b') contended.push(others);
      return limit;
    },
  });
  const { begun, work, endOne } = works();
  const all = ['a', 'a', 'b'].map((key) => queue.run(key, work(key)));
  await turn();
  assert.deepEqual([begun, contended], [[], [true]]);
  limit = 1;
  queue.serve();
  await turn();
  assert.deepEqual(begun, ['a', 'b']);
  for (let left = 0; left < 3; left += 1) await endOne();
  await Promise.all(all);
});

test('concurrency stays within both limits, and all work is done', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(3)), { maxLength: 60 }), async (all) => {
      const queue = new FairQueue({ concurrency: 3, concurrencyPerKey: 2 });
      const running = new Map<string, number>();
      await Promise.all(
        all.map(([key, passes]) =>
          queue.run(key, async () => {
            running.set(key, (running.get(key) ?? 0) + 1);
            const total = [...running.values()].reduce((sum, one) => sum + one, 0);
            assert.ok(total <= 3 && (running.get(key) ?? 0) <= 2);
            for (let pass = 0; pass < passes; pass += 1) await turn();
            running.set(key, (running.get(key) ?? 0) - 1);
          }),
        ),
      );
      assert.ok(!queue.has('a') && !queue.has('b') && !queue.has('c'));
    }),
    { numRuns: 50 },
  );
});
