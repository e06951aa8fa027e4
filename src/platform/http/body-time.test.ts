import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareServer } from '../../../test/bare-server.ts';
import type { App } from './server.ts';

const times = { bodyMs: 200, progressMs: 300 };
let app: App;
let port = 0;

before(async () => {
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
  await app.listen({ port: 0 });
  const address = app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
after(() => app.close());

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

/** What comes back until the connection ends. */
async function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => undefined);
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Writes a byte now and then until the connection ends. */
async function drip(socket: Socket, bytes: Buffer, everyMs: number): Promise<void> {
  while (socket.writable && !socket.destroyed) {
    socket.write(bytes, () => undefined);
    await sleep(everyMs);
  }
}

describe('a body', () => {
  test('that drips is not waited for: 408, and the connection ends', async () => {
    const socket = connect(port);
    const answer = answerOf(socket);
    socket.write(head('/json', 'application/json', 1_000));
    void drip(socket, Buffer.from(' '), 20);
    const text = await answer;
    assert.match(text, /^HTTP\/1\.1 408 /);
    assert.match(text, /"code":"request_timeout"/);
  });

  test('that is split, but whole in time, is taken, and its connection goes on', async () => {
    const socket = connect(port);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    for (const done of [1, 2]) {
      socket.write(`${head('/json', 'application/json', 7)}{"a"`);
      await sleep(times.bodyMs / 4);
      socket.write(':1}');
      while (text.match(/200 OK/g)?.length !== done) await sleep(5);
    }
    await sleep(times.bodyMs * 1.5);
    assert.equal(socket.writable, true, 'an answered request is no longer watched');
    socket.destroy();
  });

  test('that nobody reads, because the request was refused, ends its connection too', async () => {
    const socket = connect(port);
    const answer = answerOf(socket);
    socket.write(head('/refusing', 'application/json', 1_000));
    void drip(socket, Buffer.from(' '), 20);
    assert.match(await answer, /^HTTP\/1\.1 401 /);
  });
});

describe('an upload', () => {
  test('may take longer than other bodies, as long as it makes progress', async () => {
    const chunk = Buffer.alloc(16 * 1024);
    const pieces = 12;
    const socket = connect(port);
    socket.write(head('/upload', 'multipart/form-data; boundary=x', pieces * chunk.length));
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    for (let piece = 0; piece < pieces; piece += 1) {
      socket.write(chunk);
      await sleep((times.bodyMs * 3) / pieces);
    }
    assert.match(await answered, /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('that makes none is ended with 408', async () => {
    const socket = connect(port);
    const answer = answerOf(socket);
    socket.write(head('/upload', 'multipart/form-data; boundary=x', 1_000_000));
    void drip(socket, Buffer.from(' '), 20);
    assert.match(await answer, /^HTTP\/1\.1 408 /);
  });
});
