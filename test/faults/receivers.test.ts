import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import process from 'node:process';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Receivers that misbehave, tested with the complete engine. Each causes one recorded attempt, and none delays another receiver. */

let chancery: Chancery;
let healthy: Receiver;
let owner: User;
const closing: (() => void)[] = [];

before(async () => {
  const settings = { WEBHOOK_TIMEOUT_SECONDS: '2', WEBHOOK_LEASE_SECONDS: '4', WEBHOOK_RETRY_SCHEDULE: '100ms' };
  [chancery, healthy] = await Promise.all([startChancery({ settings, inProcess: true }), startReceiver()]);
  ({ owner } = await chancery.team());
});
after(async () => {
  await chancery.stop();
  await healthy.close();
  for (const close of closing) close();
});

type Talk = (socket: Socket, request: string) => void;

/** Starts a server that sends any bytes after the request head, or at once. */
async function talking(talk: Talk, when: 'request' | 'connection' = 'request') {
  const seen = { requests: 0, written: 0, closed: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        seen.written += socket.bytesWritten;
        seen.closed += 1;
      });
    if (when === 'connection') return talk(socket, '');
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (!text.startsWith('POST ')) return;
      seen.requests += 1;
      talk(socket, text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

async function endpoint(url: string, events = ['folder.deleted']) {
  const body = { name: 'Odd', url, events };
  const { body: made } = await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body });
  return `/api/v1/webhooks/${made.id}`;
}

/** Sends one event to the URL and waits for its outcome. */
async function outcome(url: string): Promise<{ delivery: any; attempts: any[] }> {
  const path = await endpoint(url);
  const { body: sent } = await chancery.call('POST', `${path}/test`, { token: owner.token });
  const one = `${path}/deliveries/${sent.id}`;
  const delivery = await eventually(`the end of ${url}`, async () => {
    const { body } = await chancery.call('GET', one, { token: owner.token });
    return body.status === 'pending' ? undefined : body;
  });
  const { body: attempts } = await chancery.call('GET', `${one}/attempts`, { token: owner.token });
  await chancery.call('DELETE', path, { token: owner.token });
  return { delivery, attempts };
}

/** Writes one byte every `everyMs` until the other side closes. */
const drip = (socket: Socket, text: string, everyMs: number): void => {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ' '), everyMs);
  socket.on('close', () => clearInterval(timer));
};

const head = 'HTTP/1.1 200 OK\r\n';
const failures: [string, Talk, string, ('request' | 'connection')?][] = [
  ['a head that sends one byte a second', (socket) => drip(socket, `${head}x-slow: ${'y'.repeat(200)}\r\n\r\n`, 1_000), 'timeout'],
  ['no response', () => undefined, 'timeout'],
  ['an interim response and nothing after it', (socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 'timeout'],
  ['a connection that closes at once', (socket) => void socket.end(), 'connection_reset', 'connection'],
  ['a connection that is reset at once', (socket) => void socket.resetAndDestroy(), 'connection_reset', 'connection'],
  ['a connection closed in the middle of the status line', (socket) => void socket.end('HTTP/1.1 20'), 'connection_reset'],
  [
    'a connection reset in the middle of the head',
    (socket) => void socket.write(`${head}x: y`, () => socket.resetAndDestroy()),
    'connection_reset',
  ],
  ['an invalid status', (socket) => void socket.end('HTTP/1.1 ABC Fine\r\n\r\n'), 'invalid_response'],
  // The client library rejects an unrequested 100 Continue.
  [
    'an unrequested 100 Continue',
    (socket) => void socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 0\r\n\r\n`),
    'connection_reset',
  ],
  ['another protocol', (socket) => void socket.end('220 mail.example ESMTP\r\n'), 'invalid_response'],
  [
    'an endless head',
    (socket) => {
      const more = () => {
        while (socket.writable && socket.write(`x-${Math.random()}: ${'y'.repeat(1_000)}\r\n`));
      };
      socket.write(head);
      socket.on('drain', more);
      more();
    },
    'response_too_large',
  ],
];
const arrivals: [string, Talk, number][] = [
  [
    'a body that sends one byte a second',
    (socket) => {
      socket.write(`${head}content-length: 1000\r\n\r\n`);
      drip(socket, 'x', 1_000);
    },
    200,
  ],
  ['a chunk with an invalid size', (socket) => void socket.end(`${head}transfer-encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n`), 200],
  ['a chunk longer than its size', (socket) => void socket.end(`${head}transfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n`), 200],
  ['an incomplete body', (socket) => void socket.end(`${head}content-length: 1000\r\n\r\nhalf`), 200],
  ['a body after a 204 status', (socket) => void socket.end('HTTP/1.1 204 No Content\r\n\r\nnone'), 204],
  ['HTTP/1.0', (socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nold'), 200],
  [
    'NUL bytes and incomplete characters in the body',
    (socket) => void socket.end(`${head}content-length: 6\r\n\r\na\0b\u00ff\u00fec`),
    200,
  ],
  [
    'a compressed body, which the log shows as received',
    (socket) => void socket.end(`${head}content-encoding: gzip\r\ncontent-length: 4\r\n\r\n\u001f\u008bxx`),
    200,
  ],
];

test('receivers that break off, drip or send invalid data each cause one attempt with a stable code, all at the same time', async () => {
  const servers = await Promise.all(failures.map(([, talk, , when]) => talking(talk, when)));
  const all = await Promise.all(servers.map(({ url }) => outcome(url)));
  for (const [index, { delivery, attempts }] of all.entries()) {
    const [name, , error] = failures[index]!;
    assert.deepEqual([delivery.status, delivery.error, delivery.responseStatus, delivery.attempts], ['failed', error, undefined, 2], name);
    assert.deepEqual(
      attempts.map((one) => [one.attempt, one.error]),
      [
        [1, error],
        [2, error],
      ],
      name,
    );
    assert.ok(
      attempts.every((one) => one.latencyMs < 6_000),
      name,
    );
  }
});

test('after a complete status line, the status decides the outcome, and the rest does not matter', async () => {
  const servers = await Promise.all(arrivals.map(([, talk]) => talking(talk)));
  const all = await Promise.all(servers.map(({ url }) => outcome(url)));
  for (const [index, { delivery, attempts }] of all.entries()) {
    const [name, , status] = arrivals[index]!;
    assert.deepEqual([delivery.status, delivery.responseStatus, attempts.length], ['delivered', status, 1], name);
  }
});

test('of a response of 1 GB the service reads little and stores 16 KiB, and its memory stays constant', async () => {
  const gigabyte = 1_000_000_000;
  const block = Buffer.alloc(65_536, 'x');
  const { url, seen } = await talking((socket) => {
    socket.write(`${head}content-length: ${gigabyte}\r\n\r\n`);
    const more = () => {
      while (socket.writable && socket.write(block));
    };
    socket.on('drain', more);
    more();
  });
  const atStart = process.memoryUsage().rss;
  const all = await Promise.all(Array.from({ length: 4 }, () => outcome(url)));
  for (const { delivery, attempts } of all) {
    assert.deepEqual([delivery.status, attempts.length, attempts[0].responseBody.length], ['delivered', 1, 16_384]);
  }
  await eventually('all connections closed', () => seen.closed === 4);
  assert.ok(seen.written < 100_000_000, `${seen.written} bytes were written to the four connections`);
  assert.ok(process.memoryUsage().rss - atStart < 150_000_000);
});

test('a hundred redirects are not followed', async () => {
  const { url, seen } = await talking((socket, request) => {
    const step = Number(/^POST \/(\d*)/.exec(request)?.[1] || 0);
    socket.write(`HTTP/1.1 ${step % 2 === 0 ? 302 : 308} Found\r\nlocation: /${step + 1}\r\ncontent-length: 0\r\n\r\n`);
  });
  const { delivery } = await outcome(url);
  assert.deepEqual([delivery.error, seen.requests, delivery.attempts], ['redirect_not_followed', 2, 2]);
});

test('ten hanging receivers do not delay deliveries to another receiver', async () => {
  const hanging = await Promise.all(Array.from({ length: 10 }, () => talking(() => undefined)));
  const paths = await Promise.all(hanging.map(({ url }) => endpoint(url, ['folder.created'])));
  const good = await endpoint(`${healthy.url}/good`, ['folder.created']);
  let arrived = 0;
  healthy.answer = (response) => {
    arrived += 1;
    response.writeHead(200).end();
  };
  for (let n = 0; n < 40; n += 1) await chancery.folder(owner, { name: `Folder ${n}` });
  await eventually('all events at the good receiver', () => arrived === 40);
  assert.ok(
    hanging.some(({ seen }) => seen.requests > 0),
    'the attempts at the other receivers',
  );
  for (const path of [...paths, good]) await chancery.call('DELETE', path, { token: owner.token });
});
