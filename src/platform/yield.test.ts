import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import { test } from 'node:test';
import { yieldToEventLoop } from './yield.ts';

const busy = (ms: number): void => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('yielding work serves others between its slices, and continues within a slice', async () => {
  let served = 0;
  let working = true;
  const serve = () => {
    served += 1;
    if (working) setImmediate(serve);
  };
  setImmediate(serve);
  const turns = yieldToEventLoop('', 5);
  let waited = 0;
  for (let piece = 0; piece < 60; piece += 1) {
    busy(1);
    if (!turns.over) continue;
    waited += 1;
    await turns.next();
  }
  working = false;
  assert.ok(waited >= 8 && waited <= 60, String(waited));
  assert.ok(served >= waited, `${served} of ${waited}`);
  const short = yieldToEventLoop('', 60_000);
  assert.equal(short.over, false);
});

test('one slice of concurrent work runs between two passes of the event loop, and teams take turns', async () => {
  const order: string[] = [];
  let inThisPass = 0;
  let most = 0;
  const work = async (ownerKey: string) => {
    const turns = yieldToEventLoop(ownerKey, 0);
    for (let piece = 0; piece < 4; piece += 1) {
      await turns.next();
      order.push(ownerKey);
      inThisPass += 1;
      most = Math.max(most, inThisPass);
      busy(1);
    }
  };
  const all = Promise.all([...Array.from({ length: 8 }, () => work('many')), work('one')]);
  let over = false;
  void all.then(() => (over = true));
  while (!over) {
    await pass();
    inThisPass = 0;
  }
  assert.equal(most, 1);
  assert.equal(order.length, 36);
  assert.ok(order.lastIndexOf('one') < 10, `one team waits for the work of another: ${order.join(' ')}`);
});
