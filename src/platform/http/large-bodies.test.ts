import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as pass } from 'node:timers/promises';
import { pino } from 'pino';
import { createServer } from './server.ts';

const options = {
  baseUrl: 'http://localhost',
  logger: pino({ level: 'silent' }),
  corsOrigins: [],
  trustedProxies: [],
  requestsPerMinute: 0,
  verifyToken: () => undefined,
  errorMappings: [],
  requestTimeoutMs: 60_000,
};

test('of many large bodies at once one is read and checked between two passes of the event loop; addresses take turns, and small ones wait for none', async () => {
  const app = createServer(options);
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

test('large answers that nobody reads are bounded, of one caller and of all, and closed; what was changed is answered all the same', async () => {
  const app = createServer({
    ...options,
    answers: { bytesAtOnce: 60_000_000, stalledMs: 400 },
  });
  // More than the system keeps of a connection.
  const large = JSON.stringify('x'.repeat(24_000_000));
  app.register(async () => {
    const config = { access: { kind: 'public' } } as const;
    app.route({
      method: ['GET', 'POST'],
      url: '/',
      config,
      handler: (_, reply) => reply.type('application/json').header('etag', '"1"').send(large),
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (localAddress: string, method = 'GET') => {
    const asked = request({ port, host: '127.0.0.1', localAddress, method, agent: false });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const connected = once(app.server, 'connection');
  const unread = await ask('127.0.0.1');
  const refused = await ask('127.0.0.1');
  assert.deepEqual([unread.statusCode, refused.statusCode], [200, 429]);
  assert.deepEqual([refused.headers['retry-after'], refused.headers.etag], ['2', undefined]);
  assert.equal(((await json(refused)) as { code: string }).code, 'rate_limited');
  const [other, changed] = [await ask('127.0.0.2'), await ask('127.0.0.1', 'POST')];
  assert.deepEqual([other.statusCode, changed.statusCode], [200, 200]);
  assert.equal((await buffer(other)).length, large.length);
  const [socket] = (await connected) as [Socket];
  if (!socket.destroyed) await once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
  unread.destroy();
  changed.destroy();
  assert.equal((await buffer(await ask('127.0.0.1'))).length, large.length);
  await app.close();
});
