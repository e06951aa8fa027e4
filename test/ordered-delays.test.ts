import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delayInOrder } from './ordered-delays.ts';
import { eventually } from './webhook-receiver.ts';

test('delayed data keeps its order when the delay ends or becomes shorter', async () => {
  const hold = delayInOrder();
  const through: string[] = [];
  for (const [delayMs, name] of [
    [0, 'at once'],
    [80, 'delayed'],
    [0, 'after it'],
    [1, 'last'],
  ] as const)
    hold(delayMs, () => through.push(name));
  assert.deepEqual(through, ['at once']);
  await eventually('all data', () => through.length === 4);
  assert.deepEqual(through, ['at once', 'delayed', 'after it', 'last']);
  hold(0, () => through.push('at once again'));
  assert.equal(through.length, 5);
});
