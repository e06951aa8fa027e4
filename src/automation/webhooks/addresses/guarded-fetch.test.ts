import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createAddressPolicy } from './addresses.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';

let server: Server;
let origin: string;
let guarded: GuardedFetch;
before(async () => {
  guarded = createGuardedFetch({ policy: createAddressPolicy({ allowPrivate: true, allowCidrs: [] }), timeoutMs: 5_000 });
  server = createServer((request, response) => {
    if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)));
    else if (request.url === '/redirect') response.writeHead(302, { location: '/json' }).end();
    else if (request.url === '/large') response.end(Buffer.alloc(2_000_000));
    else if (request.url === '/none') response.writeHead(204).end();
    else
      request
        .on('data', (body: Buffer) => response.setHeader('x-body', String(body)))
        .on('end', () =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
            .end(JSON.stringify({ method: request.method, cookie: request.headers.cookie, encoding: request.headers['accept-encoding'] })),
        );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  await guarded.close();
  server.close();
});

test('responses are as with the standard fetch, and redirects are returned unfollowed', async () => {
  const json = await guarded.fetch(`${origin}/json?a=b`, { method: 'POST', headers: { cookie: 'c=1' }, body: 'grant_type=x' });
  assert.deepEqual(await json.json(), { method: 'POST', cookie: 'c=1', encoding: 'identity' });
  assert.deepEqual([json.headers.get('x-body'), json.headers.getSetCookie()], ['grant_type=x', ['a=1', 'b=2']]);
  const redirect = await guarded.fetch(`${origin}/redirect`, {});
  assert.deepEqual([redirect.status, redirect.headers.get('location')], [302, '/json']);
  assert.equal((await guarded.fetch(`${origin}/none`, {})).status, 204);
});

test('a too long response is rejected, and a compressed one stays compressed', async () => {
  await assert.rejects(guarded.fetch(`${origin}/large`, {}));
  const bomb = await guarded.fetch(`${origin}/bomb`, {});
  assert.ok((await bomb.arrayBuffer()).byteLength < 100_000);
});

test('endless interim responses are aborted', async () => {
  const flood = createTcpServer((socket) => {
    const more = () => {
      while (socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)));
    };
    socket
      .on('error', () => undefined)
      .on('drain', more)
      .once('data', more);
  });
  await new Promise<void>((resolve) => flood.listen(0, '127.0.0.1', resolve));
  await assert.rejects(guarded.fetch(`http://127.0.0.1:${(flood.address() as AddressInfo).port}/`, {}), /interim responses/);
  flood.close();
});
