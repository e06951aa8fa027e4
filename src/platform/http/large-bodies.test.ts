import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as pass } from 'node:timers/promises';
import { pino } from 'pino';
import { createServer } from './server.ts';

test('of many large bodies at once one is read and checked between two passes of the event loop; addresses take turns, and small ones wait for none', async () => {
  const app = createServer({
    baseUrl: 'http://localhost',
    logger: pino({ level: 'silent' }),
    corsOrigins: [],
    trustedProxies: [],
    requestsPerMinute: 0,
    verifyToken: () => undefined,
    errorMappings: [],
    requestTimeoutMs: 60_000,
  });
  const order: string[] = [];
  let inThisPass = 0;
  let most = 0;
  app.register(async () => {
    const config = { access: { kind: 'public' } } as const;
    app.post('/', { config, schema: { body: { type: 'object', properties: { text: { type: 'string' } } } } }, ({ body, ip }) => {
      const large = (body as { text: string }).text.length > 1_000;
      order.push(large ? ip : 'small');
      if (large) most = Math.max(most, (inThisPass += 1));
      return {};
    });
  });
  await app.ready();
  const send = (remoteAddress: string, length: number) =>
    app.inject({ method: 'POST', url: '/', remoteAddress, payload: { text: 'x'.repeat(length) } });
  const all = Promise.all([
    ...Array.from({ length: 20 }, () => send('192.0.2.1', 40_000)),
    send('192.0.2.2', 40_000),
    ...Array.from({ length: 20 }, () => send('192.0.2.1', 10)),
  ]);
  let over = false;
  void all.finally(() => (over = true));
  while (!over) {
    await pass();
    inThisPass = 0;
  }
  assert.deepEqual([...new Set((await all).map(({ statusCode }) => statusCode))], [200]);
  assert.equal(most, 1);
  const large = order.filter((one) => one !== 'small');
  assert.equal(large.length, 21);
  assert.ok(large.indexOf('192.0.2.2') < 4, `one address waits for another: ${large.join(' ')}`);
  assert.ok(order.lastIndexOf('small') < 25, `small bodies wait for large ones: ${order.join(' ')}`);
  await app.close();
});
