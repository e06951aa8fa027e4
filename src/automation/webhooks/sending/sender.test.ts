import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createAddressPolicy } from '../addresses/addresses.ts';
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
  const sender = createSender({ policy: local, timeoutMs: 30_000, ...options });
  try {
    return await sender.send({ teamId: 'team', url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') });
  } finally {
    await sender.close();
  }
}
const at = (path = '/') => `http://127.0.0.1:${port}${path}`;

const raws: (() => void)[] = [];
after(() => {
  for (const close of raws) close();
});

/** A server that sends arbitrary bytes after a request. */
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

test('only 2xx is success; redirects are not followed; each failure has its code', async () => {
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

test('endless headers, and no response, time out at the deadline', async () => {
  const drip = await rawServer((socket) => void socket.write('HTTP/1.1 200 OK\r\nx-slow: 1'));
  const silent = await rawServer(() => undefined);
  for (const { url, close } of [drip, silent]) {
    const result = await send(url, { timeoutMs: 400 });
    assert.deepEqual([result.ok, result.error, result.responseStatus], [false, 'timeout', undefined]);
    close();
  }
});

test('a slow or missing body is cut at its own deadline; the status counts', { timeout: 300_000 }, async () => {
  const head = 'HTTP/1.1 202 Accepted\r\ncontent-length: 1000\r\n\r\n';
  const drip = await rawServer((socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  const silent = await rawServer((socket) => void socket.write(head));
  for (const { url, close } of [drip, silent]) {
    const result = await send(url, { timeoutMs: 600_000, bodyMs: 200 });
    assert.deepEqual([result.ok, result.responseStatus, result.unfinished], [true, 202, true]);
    close();
  }
});

/** Sends the same bytes as fast as the client reads; returns the number of written bytes when the client disconnects. */
async function flooding(first: string, again: string) {
  const seen = { written: 0, closed: false };
  const flood = await rawServer((socket) => {
    const many = again.repeat(Math.ceil(16_384 / again.length));
    const more = () => {
      while (socket.writable && socket.write(many));
    };
    socket.on('drain', more).on('close', () => {
      seen.closed = true;
      seen.written = socket.bytesWritten;
    });
    socket.write(first);
    more();
  });
  return { ...flood, seen };
}

test('endless interim responses are aborted after ten, and everything else besides the body after 128 KiB', async () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const floods: [string, string, string | undefined][] = [
    ['', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 'invalid_response'],
    ['', 'HTTP/1.1 102 Processing\r\n\r\n', 'invalid_response'],
    ['HTTP/1.1 200 ', 'Fine', 'response_too_large'],
    [`${ok}transfer-encoding: chunked\r\n\r\n1;`, 'extension;', undefined],
    [`${ok}transfer-encoding: chunked\r\n\r\n`, '1;a=b\r\nx\r\n', undefined],
    [`${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-trailer: 1\r\n', undefined],
  ];
  for (const [first, again, error] of floods) {
    const flood = await flooding(first, again);
    const result = await send(flood.url, { timeoutMs: 60_000, bodyMs: 50_000 });
    assert.deepEqual([result.ok, result.error], [error === undefined, error], again);
    while (!flood.seen.closed) await new Promise((resolve) => setTimeout(resolve, 5));
    // Buffers of the operating system are written too.
    assert.ok(flood.seen.written < 16_000_000, `${flood.seen.written} bytes of ${again}`);
    assert.ok(result.latencyMs < 40_000, `${result.latencyMs} ms`);
    flood.close();
  }
});

test('ten interim responses are accepted, and a connection serves any number of normal ones', async () => {
  let received = 0;
  const raw = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (!chunk.toString('latin1').startsWith('POST')) return;
      received += 1;
      socket.write(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(10)}HTTP/1.1 200 OK\r\ncontent-length: 20000\r\n\r\n${'x'.repeat(20_000)}`);
    });
  });
  let connections = 0;
  raw.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  raws.push(() => raw.close());
  const sender = createSender({ policy: local, timeoutMs: 5_000 });
  const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`;
  for (let n = 0; n < 30; n += 1) {
    const result = await sender.send({ teamId: 'team', url, headers: {}, body: Buffer.from('{}') });
    assert.deepEqual([result.ok, result.unfinished], [true, undefined]);
  }
  await sender.close();
  // A connection may become free slightly later than its response.
  assert.ok(received === 30 && connections <= 2, `${received} over ${connections}`);
});

test('a team never waits for a connection of another team to the same origin, and has its own maximum', async () => {
  let arrived = 0;
  answer = (response, path) => {
    if (path === '/hang') arrived += 1;
    else response.end();
  };
  const sender = createSender({ policy: local, timeoutMs: 20_000, connections: 4 });
  const ask = (teamId: string, path: string) => sender.send({ teamId, url: at(path), headers: {}, body: Buffer.from('{}') });
  const pending = Array.from({ length: 20 }, () => ask('one', '/hang'));
  while (arrived < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  const result = await ask('another', '/well');
  assert.ok(result.ok && result.latencyMs < 15_000, `${result.latencyMs} ms`);
  assert.equal(arrived, 4);
  await sender.close();
  await Promise.all(pending);
});

test('16 KiB of an endless body are stored and the connection is closed', async () => {
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

test('an invalid or truncated HTTP response is a failure with a code', async () => {
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

test('a name is resolved once for each connection; blocked addresses are dropped, and if none is left the delivery is blocked', async () => {
  requests.length = 0;
  let lookups = 0;
  const resolving =
    (...addresses: string[]): NonNullable<SenderOptions['resolve']> =>
    (_, callback) => {
      lookups += 1;
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
  const named = `http://rebinding.example:${port}/`;
  const blocked = await send(named, { policy: strict, resolve: resolving('127.0.0.1', '::1', '169.254.169.254') });
  assert.equal(blocked.error, 'blocked_address');
  assert.deepEqual([requests.length, lookups], [0, 1]);
  // The metadata address comes first: only the allowed address is connected to.
  const mixed = await send(named, { resolve: resolving('169.254.169.254', '127.0.0.1') });
  assert.equal(mixed.ok, true);
  assert.deepEqual([requests, lookups], [[`rebinding.example:${port} /`], 2]);
  // Plain http is allowed for private networks only.
  assert.equal((await send('http://public.example/', { resolve: resolving('93.184.216.34') })).error, 'blocked_address');
});

test('an unknown name and a closed port have different errors', async () => {
  const missing = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  assert.equal((await send('http://missing.example/', { resolve: (_, callback) => callback(missing, []) })).error, 'dns_error');
  const raw = await rawServer(() => undefined);
  raw.close();
  assert.equal((await send(raw.url)).error, 'connection_refused');
});

test('a receiver without TLS is a TLS error', async () => {
  assert.equal((await send(`https://127.0.0.1:${port}/`)).error, 'tls_error');
});

test('more sends than connections still end by their deadlines', async () => {
  answer = () => undefined;
  const sender = createSender({ policy: local, timeoutMs: 300, connections: 2 });
  const results = await Promise.all(
    Array.from({ length: 50 }, () => sender.send({ teamId: 'team', url: at(), headers: {}, body: Buffer.from('{}') })),
  );
  assert.ok(results.every(({ error, latencyMs }) => error === 'timeout' && latencyMs < 6_000));
  await sender.close();
});
