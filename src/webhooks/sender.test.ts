import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createAddressPolicy } from './addresses.ts';
import { createSender, type SenderOptions } from './sender.ts';

let answer: (response: ServerResponse, path: string) => void = (response) => response.end();
const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(`${request.headers.host} ${request.url}`);
  request.resume().on('end', () => answer(response, request.url ?? ''));
});
let port = 0;
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const local = createAddressPolicy({ allowPrivate: true, allowCidrs: [] });
const strict = createAddressPolicy({ allowPrivate: false, allowCidrs: [] });

async function send(url: string, options: Partial<SenderOptions> = {}) {
  const sender = createSender({ policy: local, timeoutMs: 400, ...options });
  try {
    return await sender.send({ url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') });
  } finally {
    await sender.close();
  }
}
const at = (path = '/') => `http://127.0.0.1:${port}${path}`;

const raws: (() => void)[] = [];
after(() => {
  for (const close of raws) close();
});

/** A server that talks as it likes once it has been asked. */
async function rawServer(talk: (socket: Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const raw = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => talk(socket));
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    raw.close();
  };
  raws.push(close);
  return { url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`, close };
}

test('2xx alone is success; redirects are not followed; each failure has its code', async () => {
  const codes: [number, string | undefined][] = [
    [200, undefined],
    [204, undefined],
    [301, 'redirect_not_followed'],
    [307, 'redirect_not_followed'],
    [304, 'redirect_not_followed'],
    [400, 'http_status'],
    [410, 'endpoint_gone'],
    [500, 'http_status'],
  ];
  for (const [status, error] of codes) {
    requests.length = 0;
    answer = (response) => response.writeHead(status, { location: at('/elsewhere') }).end();
    const result = await send(at());
    assert.deepEqual([result.ok, result.responseStatus, result.error], [error === undefined, status, error]);
    assert.equal(requests.length, 1);
  }
});

test('headers that never end, and no answer at all, are a timeout at the deadline', async () => {
  const drip = await rawServer((socket) => void socket.write('HTTP/1.1 200 OK\r\nx-slow: 1'));
  const silent = await rawServer(() => undefined);
  for (const { url, close } of [drip, silent]) {
    const startedAt = performance.now();
    const result = await send(url);
    assert.deepEqual([result.ok, result.error, result.responseStatus], [false, 'timeout', undefined]);
    assert.ok(performance.now() - startedAt < 2_000);
    close();
  }
});

test('a body that drips is cut at the deadline and the status stands', async () => {
  const drip = await rawServer((socket) => {
    socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  const result = await send(drip.url);
  assert.deepEqual([result.ok, result.responseStatus], [true, 202]);
  assert.ok(result.latencyMs < 2_000);
  drip.close();
});

test('of an endless body 16 KiB are kept and the connection is dropped', async () => {
  let written = 0;
  answer = (response) => {
    const more = () => {
      while (response.writable && response.write(Buffer.alloc(65_536, 'x'))) written += 65_536;
    };
    response.on('drain', more);
    more();
  };
  const result = await send(at(), { timeoutMs: 5_000 });
  assert.equal(result.ok, true);
  assert.equal(result.responseBody?.length, 16 * 1024);
  assert.ok(written < 64 * 1024 * 1024, `${written} bytes`);
});

test('what is not HTTP, or breaks off, is one failure with a code', async () => {
  const cases: [string, string][] = [
    ['garbage\r\n\r\n', 'invalid_response'],
    ['', 'connection_reset'],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'response_too_large'],
  ];
  for (const [text, error] of cases) {
    const raw = await rawServer((socket) => void socket.end(text));
    const result = await send(raw.url);
    assert.deepEqual([result.ok, result.error], [false, error], text.slice(0, 20));
    raw.close();
  }
});

test('a literal address that is not allowed is never connected to', async () => {
  requests.length = 0;
  answer = (response) => void response.end();
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
    const result = await send(`http://${host}:${port}/`, { policy: strict });
    assert.deepEqual([result.ok, result.error], [false, 'blocked_address'], host);
  }
  assert.deepEqual(requests, []);
});

test('a name is resolved once a connection, blocked addresses among its own are dropped, and none left is a refusal', async () => {
  requests.length = 0;
  let asked = 0;
  const resolving =
    (...addresses: string[]): NonNullable<SenderOptions['resolve']> =>
    (_, callback) => {
      asked += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
  const named = `http://rebinding.example:${port}/`;
  const blocked = await send(named, { policy: strict, resolve: resolving('127.0.0.1', '::1', '169.254.169.254') });
  assert.equal(blocked.error, 'blocked_address');
  assert.deepEqual([requests.length, asked], [0, 1]);
  // Metadata first: only the allowed one is dialled.
  const mixed = await send(named, { resolve: resolving('169.254.169.254', '127.0.0.1') });
  assert.equal(mixed.ok, true);
  assert.deepEqual([requests, asked], [[`rebinding.example:${port} /`], 2]);
  // Plain http does not leave private networks.
  assert.equal((await send('http://public.example/', { resolve: resolving('93.184.216.34') })).error, 'blocked_address');
});

test('a name that does not exist, and a port nobody listens on, are told apart', async () => {
  const missing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  assert.equal((await send('http://missing.example/', { resolve: (_, callback) => callback(missing, []) })).error, 'dns_error');
  const raw = await rawServer(() => undefined);
  raw.close();
  assert.equal((await send(raw.url)).error, 'connection_refused');
});

test('a receiver that speaks no TLS is a TLS error', async () => {
  assert.equal((await send(`https://127.0.0.1:${port}/`)).error, 'tls_error');
});

test('more at once than there are connections still end by the deadline each', async () => {
  answer = () => undefined;
  const sender = createSender({ policy: local, timeoutMs: 300, connections: 2 });
  const results = await Promise.all(Array.from({ length: 50 }, () => sender.send({ url: at(), headers: {}, body: Buffer.from('{}') })));
  assert.ok(results.every(({ error, latencyMs }) => error === 'timeout' && latencyMs < 2_000));
  await sender.close();
});
