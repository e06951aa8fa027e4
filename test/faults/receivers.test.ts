import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import process from 'node:process';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Receivers that misbehave, through the whole engine: each leaves one clean attempt, and none delays its neighbour. */

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

/** A server that says what it likes, once it has seen the head of the request (or at once). */
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

/** Sends one event there and waits for what comes of it. */
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

/** Writes a byte at a time, `everyMs`, until the other side has enough. */
const drip = (socket: Socket, text: string, everyMs: number): void => {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ' '), everyMs);
  socket.on('close', () => clearInterval(timer));
};

const head = 'HTTP/1.1 200 OK\r\n';
const failures: [string, Talk, string, ('request' | 'connection')?][] = [
  ['a head that drips a byte a second', (socket) => drip(socket, `${head}x-slow: ${'y'.repeat(200)}\r\n\r\n`, 1_000), 'timeout'],
  ['no answer at all', () => undefined, 'timeout'],
  ['an interim answer and nothing after it', (socket) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 'timeout'],
  ['a connection closed as soon as it is open', (socket) => void socket.end(), 'connection_reset', 'connection'],
  ['a reset as soon as it is open', (socket) => void socket.resetAndDestroy(), 'connection_reset', 'connection'],
  ['a connection closed in the middle of the status line', (socket) => void socket.end('HTTP/1.1 20'), 'connection_reset'],
  [
    'a connection reset in the middle of the head',
    (socket) => void socket.write(`${head}x: y`, () => socket.resetAndDestroy()),
    'connection_reset',
  ],
  ['a status that is none', (socket) => void socket.end('HTTP/1.1 ABC Fine\r\n\r\n'), 'invalid_response'],
  // The client library takes no 100 Continue that was not asked for.
  [
    '100 Continue that nobody asked for',
    (socket) => void socket.end(`HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 0\r\n\r\n`),
    'connection_reset',
  ],
  ['another protocol', (socket) => void socket.end('220 mail.example ESMTP\r\n'), 'invalid_response'],
  [
    'a head without end',
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
    'a body that drips a byte a second',
    (socket) => {
      socket.write(`${head}content-length: 1000\r\n\r\n`);
      drip(socket, 'x', 1_000);
    },
    200,
  ],
  ['a chunk of no size', (socket) => void socket.end(`${head}transfer-encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n`), 200],
  [
    'a chunk that is longer than it says',
    (socket) => void socket.end(`${head}transfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n`),
    200,
  ],
  ['a body that breaks off', (socket) => void socket.end(`${head}content-length: 1000\r\n\r\nhalf`), 200],
  ['a body where there is none', (socket) => void socket.end('HTTP/1.1 204 No Content\r\n\r\nnone'), 204],
  ['HTTP/1.0', (socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nold'), 200],
  ['NUL bytes and half characters in the body', (socket) => void socket.end(`${head}content-length: 6\r\n\r\na\0b\u00ff\u00fec`), 200],
  [
    'a compressed body, which is not unpacked',
    (socket) => void socket.end(`${head}content-encoding: gzip\r\ncontent-length: 4\r\n\r\n\u001f\u008bxx`),
    200,
  ],
];

test('receivers that break off, drip or talk nonsense: one clean attempt each time, with a stable code, all at once', async () => {
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

test('once the status line is there it decides, whatever comes after it', async () => {
  const servers = await Promise.all(arrivals.map(([, talk]) => talking(talk)));
  const all = await Promise.all(servers.map(({ url }) => outcome(url)));
  for (const [index, { delivery, attempts }] of all.entries()) {
    const [name, , status] = arrivals[index]!;
    assert.deepEqual([delivery.status, delivery.responseStatus, attempts.length], ['delivered', status, 1], name);
  }
});

test('of an answer of 1 GB a little is read and 16 KiB are kept, and memory does not grow', async () => {
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
  await eventually('all closed', () => seen.closed === 4);
  assert.ok(seen.written < 100_000_000, `${seen.written} bytes were written to the four`);
  assert.ok(process.memoryUsage().rss - atStart < 150_000_000);
});

test('a hundred redirects are a hundred that nobody follows', async () => {
  const { url, seen } = await talking((socket, request) => {
    const step = Number(/^POST \/(\d*)/.exec(request)?.[1] || 0);
    socket.write(`HTTP/1.1 ${step % 2 === 0 ? 302 : 308} Found\r\nlocation: /${step + 1}\r\ncontent-length: 0\r\n\r\n`);
  });
  const { delivery } = await outcome(url);
  assert.deepEqual([delivery.error, seen.requests, delivery.attempts], ['redirect_not_followed', 2, 2]);
});

test('while ten receivers hang, what goes to another arrives as ever', async () => {
  const hanging = await Promise.all(Array.from({ length: 10 }, () => talking(() => undefined)));
  const paths = await Promise.all(hanging.map(({ url }) => endpoint(url, ['folder.created'])));
  const good = await endpoint(`${healthy.url}/good`, ['folder.created']);
  let arrived = 0;
  healthy.answer = (response) => {
    arrived += 1;
    response.writeHead(200).end();
  };
  for (let n = 0; n < 40; n += 1) await chancery.folder(owner, { name: `Folder ${n}` });
  await eventually('all at the good one', () => arrived === 40);
  assert.ok(
    hanging.some(({ seen }) => seen.requests > 0),
    'the others were tried',
  );
  for (const path of [...paths, good]) await chancery.call('DELETE', path, { token: owner.token });
});
