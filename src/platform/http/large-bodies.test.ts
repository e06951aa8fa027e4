import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as pass, setTimeout as later } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { bareServer } from '../../../test/bare-server.ts';
import multipart from '@fastify/multipart';
import { eventually } from '../../../test/webhook-receiver.ts';
import type { Principal } from '../scope.ts';
import type { Storage } from '../storage/storage.ts';
import { yieldToEventLoop } from '../yield.ts';
import { bodyRoom } from './request-memory-budget.ts';
import { limitTeams } from './team-limits.ts';
import { receiveUpload } from './uploads.ts';

test('one large body is processed between two passes of the event loop; IP addresses take turns, and small bodies do not wait', async () => {
  const app = bareServer();
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

test('large unread responses are limited per caller and in total, and closed; changes still get a response', async () => {
  const app = bareServer({
    // A third of it is for unauthenticated callers.
    answers: { maxBytes: 180_000_000, stalledMs: 2_000 },
  });
  // More than the socket buffers of the system.
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
    const clientRequest = request({ port, host: '127.0.0.1', localAddress, method, agent: false });
    clientRequest.end();
    const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
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
  if (!socket.destroyed) await once(socket, 'close', { signal: AbortSignal.timeout(60_000) });
  unread.destroy();
  changed.destroy();
  assert.equal((await buffer(await ask('127.0.0.1'))).length, large.length);
  await app.close();
});

test('unread responses of visitors leave memory for teams; callers with unread responses make no more changes; bytes count, not letters', async () => {
  const verifyToken = async (token: string) =>
    ({ sessionId: token, team: 't', actor: { type: 'user', id: token }, scopes: new Set() }) as unknown as Principal;
  const app = bareServer({ verifyToken, answers: { maxBytes: 90_000_000 } });
  const large = JSON.stringify('x'.repeat(24_000_000));
  let changes = 0;
  app.register(async () => {
    const config = { access: { kind: 'public' } } as const;
    const send = (reply: FastifyReply, text: string) => reply.type('application/json').send(text);
    app.get('/', { config }, (_, reply) => send(reply, large));
    app.get('/wide', { config }, (_, reply) => send(reply, JSON.stringify('☃'.repeat(11_000_000))));
    const forUsers = { access: { kind: 'user' } } as const;
    const change = (_: unknown, reply: FastifyReply) => {
      changes += 1;
      return send(reply, large);
    };
    app.get('/team', { config: forUsers }, (_, reply) => send(reply, large));
    app.post('/team', { config: forUsers }, change);
    app.post('/', { config }, change);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const ask = async (path: string, localAddress: string, method = 'GET', token = 'x') => {
    const headers = { authorization: `Bearer ${token}` };
    const clientRequest = request({ port, host: '127.0.0.1', path, localAddress, method, agent: false, headers });
    clientRequest.end();
    const [answer] = (await once(clientRequest, 'response')) as [IncomingMessage];
    return answer;
  };
  const unread = [await ask('/', '127.0.0.2')];
  assert.deepEqual([unread[0]?.statusCode, (await ask('/', '127.0.0.3')).statusCode], [200, 429], 'visitors use their whole share');
  assert.equal((await buffer(await ask('/team', '127.0.0.2'))).length, large.length);
  unread.push(await ask('/', '127.0.0.4', 'POST'));
  const refused = await ask('/', '127.0.0.4', 'POST');
  assert.deepEqual([unread[1]?.statusCode, refused.statusCode, refused.headers['retry-after'], changes], [200, 429, '2', 1]);
  const other = await ask('/', '127.0.0.5', 'POST');
  assert.deepEqual([other.statusCode, changes], [200, 2], 'other callers are not limited');
  for (const answer of [...unread, other]) answer.destroy();
  await eventually('changes again', async () => (await buffer(await ask('/', '127.0.0.4', 'POST'))).length === large.length);
  assert.equal((await ask('/wide', '127.0.0.6')).statusCode, 429);

  const ofOne = [await ask('/team', '127.0.0.2'), await ask('/team', '127.0.0.2', 'POST')];
  const more = await ask('/team', '127.0.0.2', 'POST');
  assert.deepEqual(
    [...ofOne, more].map(({ statusCode }) => statusCode),
    [200, 200, 429],
  );
  const colleague = await ask('/team', '127.0.0.2', 'POST', 'y');
  assert.equal(colleague.statusCode, 200, 'other members of the team are not limited');
  for (const answer of [...ofOne, more, colleague]) answer.destroy();
  await app.close();
});

test('a client that disconnects before the response or before authentication uses no memory permanently', async () => {
  const bodies = bodyRoom({ maxBytes: 3_000_000, bytesOfTeam: 1_000_000 });
  const { admit } = limitTeams({ writesPerSecond: 1_000, maxConcurrentPerTeam: 3, maxConcurrentPerToken: 3, exceeded: () => undefined });
  const principal = { sessionId: 's', team: 't', actor: { type: 'user', id: 'u' }, scopes: new Set() } as unknown as Principal;
  let known = 0;
  const verifyToken = async () => {
    await later(50);
    known += 1;
    return principal;
  };
  const app = bareServer({ verifyToken, admit, bodies, answers: { maxBytes: 6_000_000 } });
  let made = 0;
  app.register(async () => {
    app.get('/large', { config: { access: { kind: 'public' } } }, async (_, reply) => {
      await later(50);
      made += 1;
      return reply.type('application/json').send(JSON.stringify('x'.repeat(1_000_000)));
    });
    app.post('/body', { config: { access: { kind: 'user' } } }, () => ({}));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const cut = async (head: string) => {
    const [came, socket] = [once(app.server, 'request'), connect(port, '127.0.0.1')];
    socket.write(`${head} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-type: application/json\r\n`);
    socket.write(head.startsWith('GET') ? '\r\n' : 'content-length: 900000\r\n\r\n{');
    await came;
    socket.destroy();
  };
  for (let n = 0; n < 4; n += 1) await cut('GET /large');
  for (let n = 0; n < 4; n += 1) await cut('POST /body');
  await eventually('all were processed', () => made === 4 && known === 4);
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);
  assert.equal((await (await ask('/large')).text()).length, 1_000_002);
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
  const sent = await ask('/body', { method: 'POST', headers, body: JSON.stringify({ text: 'x'.repeat(900_000) }) });
  assert.equal(sent.status, 200, await sent.text());
  await app.close();
});

test('the memory of a request counts until its work ends, even if the client is gone; large bodies of disconnected clients are not parsed', async () => {
  const bodies = bodyRoom({ maxBytes: 3_000_000, bytesOfTeam: 1_000_000 });
  const app = bareServer({ bodies });
  let [begun, read] = [0, 0];
  const waiting: (() => void)[] = [];
  app.register(async () => {
    const config = { access: { kind: 'public' } } as const;
    app.post('/', { config }, async () => {
      begun += 1;
      if (begun === 1) await new Promise<void>((resolve) => void waiting.push(resolve));
      return {};
    });
    app.post('/read', { config, preValidation: (_request, _reply, done) => done(void (read += 1)) }, () => ({}));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const body = JSON.stringify({ text: 'x'.repeat(900_000) });
  const send = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return answer.status;
  };
  const leave = async (path: string, sent: () => boolean) => {
    const socket = connect(port, '127.0.0.1');
    const [connection] = (await once(app.server, 'connection')) as [Socket];
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await eventually('the body has arrived', sent);
    socket.destroy();
    if (!connection.destroyed) await once(connection, 'close');
  };
  await leave('/', () => begun === 1);
  assert.equal(await send('/'), 429, 'the processed body is in memory');
  for (const end of waiting.splice(0)) end();
  assert.equal(await eventually('memory is available again', async () => ((await send('/read')) === 200 ? read : 0)), 1);
  // Others take their turns first.
  let left = false;
  const others = Array.from({ length: 500 }, async (_, n) => {
    await yieldToEventLoop(`another ${n}`).next();
    if (!left) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  });
  let whole = false;
  app.server.once('request', (came: IncomingMessage) => came.once('end', () => (whole = true)));
  await leave('/read', () => whole);
  left = true;
  await Promise.all(others);
  assert.equal(await eventually('memory is still available', async () => ((await send('/read')) === 200 ? read : 0)), 2);
  await app.close();
});

test('a field of a multipart body counts with its text, also after it was parsed as JSON', async () => {
  let reservedBytes = 0;
  const bodies = {
    ...bodyRoom({ maxBytes: 3_000_000, bytesOfTeam: 1_000_000 }),
    reservePart: (_: unknown, bytes: number) => void (reservedBytes += bytes),
  };
  const app = bareServer({ bodies });
  app.register(async (parts) => {
    await parts.register(multipart);
    parts.addHook('preValidation', receiveUpload({ storage: {} as Storage, maxBytesOf: () => 1 }));
    parts.post('/', { config: { access: { kind: 'public' } } }, () => ({}));
  });
  const field = `content-disposition: form-data; name="f"\r\ncontent-type: application/json\r\n\r\n{"text":"${'x'.repeat(9_989)}"}`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const sent = await app.inject({ method: 'POST', url: '/', headers, payload: `--x\r\n${field}\r\n--x--\r\n` });
  assert.deepEqual([sent.statusCode, reservedBytes], [200, 10_001], sent.body);
  await app.close();
});
