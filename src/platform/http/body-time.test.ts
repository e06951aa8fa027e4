import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, mock, test } from 'node:test';
import { bareServer } from '../../../test/bare-server.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import type { App } from './server.ts';

const times = { bodyMs: 200, progressMs: 300 };
let app: App;
let port = 0;
/** The server-side connections of the requests so far. */
const begun: Socket[] = [];

before(async () => {
  // The tests advance the time of bodies.
  mock.timers.enable({ apis: ['setInterval'] });
  app = bareServer({ bodyTimes: times });
  const config = { access: { kind: 'public' } } as const;
  app.register(async () => {
    app.post('/json', { config, schema: { body: {} } }, () => ({ done: true }));
    app.post('/refusing', { config, onRequest: (_request, reply) => void reply.code(401).send({}) }, () => ({}));
  });
  app.register(async (uploads) => {
    uploads.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
      payload.on('end', () => done(null, {})).resume();
    });
    uploads.post('/upload', { config, schema: { consumes: ['multipart/form-data'] } }, () => ({ done: true }));
  });
  app.addHook('onRequest', async ({ raw }) => void begun.push(raw.socket));
  await app.listen({ port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
after(async () => {
  mock.timers.reset();
  await app.close();
});

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

/** Returns the response until the connection ends. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => undefined);
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Sends the start of a request and waits until the service has read the headers. Returns the server-side connection. */
async function begin(socket: Socket, start: string): Promise<Socket> {
  const known = begun.length;
  socket.write(start);
  return eventually('the request', () => begun[known]);
}

/** Sends more of a body and waits until the service has received it. */
async function send(socket: Socket, peer: Socket, bytes: Buffer): Promise<void> {
  const read = peer.bytesRead;
  socket.write(bytes);
  await eventually('the bytes', () => peer.bytesRead >= read + bytes.length);
}

describe('a body', () => {
  test('that arrives too slowly gets 408, and the connection ends', async () => {
    const socket = connect(port);
    const answer = answerOf(socket);
    const peer = await begin(socket, head('/json', 'application/json', 1_000));
    for (let n = 0; n < 4; n += 1) {
      await send(socket, peer, Buffer.from(' '));
      mock.timers.tick(times.bodyMs / 4);
    }
    const text = await answer;
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /"code":"request_timeout"/);
  });

  test('in several parts but within the time is accepted, and its connection stays open', async () => {
    const socket = connect(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    for (const done of [1, 2, 3]) {
      await begin(socket, `${head('/json', 'application/json', 7)}{"a"`);
      mock.timers.tick(times.bodyMs / 2);
      socket.write(':1}');
      await eventually('the answer', () => text.match(/200 OK/g)?.length === done);
      // A completed request is no longer watched.
      mock.timers.tick(times.bodyMs * 2);
    }
    socket.destroy();
  });

  test('of a rejected request is discarded, but its connection also ends', async () => {
    const socket = connect(port);
    const answer = answerOf(socket);
    const peer = await begin(socket, head('/refusing', 'application/json', 1_000));
    await send(socket, peer, Buffer.from(' '));
    mock.timers.tick(times.bodyMs);
    assert.match(await answer, /^HTTP\/1\.1 401 /);
  });
});

describe('an upload', () => {
  test('can take longer than other bodies if it makes progress', async () => {
    const chunk = Buffer.alloc(16 * 1024);
    const pieces = 12;
    const socket = connect(port);
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    const peer = await begin(socket, head('/upload', 'multipart/form-data; boundary=x', pieces * chunk.length));
    for (let piece = 0; piece < pieces; piece += 1) {
      await send(socket, peer, chunk);
      mock.timers.tick(times.progressMs);
    }
    assert.match(await answered, /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('without progress gets 408', async () => {
    const socket = connect(port);
    const answer = answerOf(socket);
    const peer = await begin(socket, head('/upload', 'multipart/form-data; boundary=x', 1_000_000));
    await send(socket, peer, Buffer.from(' '));
    mock.timers.tick(times.progressMs);
    assert.match(await answer, /^HTTP\/1\.1 408 /);
  });
});
