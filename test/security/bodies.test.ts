import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type TestResponse, type Chancery, startChancery } from '../harness.ts';
import { authPath, goodPassword, type Registered, registered } from '../people.ts';
import { eventually } from '../webhook-receiver.ts';

let chancery: Chancery;
let person: Registered;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', CONNECTIONS_PER_ADDRESS: '0' } });
  person = await registered(chancery);
});
after(() => chancery.stop());

const login = `${authPath}/login`;
const send = (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<TestResponse> =>
  chancery.call('POST', login, { body, headers: { 'content-type': 'application/json', ...headers } });
const good = () => JSON.stringify({ email: person.email, password: goodPassword });

test('each sign-in operation accepts a body of 16 KiB and rejects one more byte', async () => {
  const filled = (bytes: number) => `${good()}${' '.repeat(bytes - good().length)}`;
  assert.equal((await send(filled(16 * 1024))).status, 200);
  assert.equal((await send(filled(16 * 1024 + 1))).status, 413);
  const token = person.token;
  for (const { method, path, hasBody } of chancery.description.operations) {
    if (!hasBody || !path.startsWith('/api/v1/security/auth/') || path.includes('/staff/')) continue;
    // Messages of providers are larger forms.
    if (path.endsWith('/backchannel-logout') || path.includes('/saml/')) continue;
    // The registration of a passkey contains the certificates of its vendor.
    const limit = path.endsWith('/passkeys') ? 32 * 1024 : 16 * 1024;
    const body = `{"a":"${'x'.repeat(limit)}"}`;
    const answer = await chancery.call(method, path, { token, body, headers: { 'content-type': 'application/json' }, unchecked: true });
    assert.equal(answer.status, 413, `${method} ${path}`);
  }
});

async function speak(): Promise<{ socket: Socket; said(): string }> {
  const { hostname, port } = new URL(chancery.url);
  const socket = connect(Number(port), hostname);
  let receivedText = '';
  socket.on('data', (chunk: Buffer) => (receivedText += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, said: () => receivedText };
}
const head = (more: string) => `POST ${login} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;

test('a chunked body without an end is aborted at the limit', async () => {
  const { socket, said } = await speak();
  socket.write(head('transfer-encoding: chunked'));
  const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`;
  socket.write(chunk.repeat(5));
  await eventually('the response arrives before the end of the body', () => said() !== '');
  assert.match(said(), /^HTTP\/1\.1 413 [^]*"code":"payload_too_large"/);
  let sent = 0;
  for (; sent < 20_000_000 && !socket.destroyed; sent += 4096) {
    socket.write(chunk);
    if (sent % (1 << 16) === 0) await sleep(1);
  }
  assert.ok(socket.destroyed, `${sent} bytes were accepted after the response`);
});

test('a request with two framings counts as at most one request, and never as a request of another client', async () => {
  for (const more of [
    'content-length: 5\r\ntransfer-encoding: chunked',
    'content-length: 5\r\ncontent-length: 6',
    'transfer-encoding: chunked, identity',
    'transfer-encoding: x',
  ]) {
    const { socket, said } = await speak();
    socket.write(`${head(more)}0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`);
    await Promise.race([once(socket, 'close'), sleep(2_000)]);
    assert.match(said(), /^HTTP\/1\.1 (400|501) /, more);
    assert.doesNotMatch(said(), /HTTP\/1\.1 200/, more);
    socket.destroy();
  }
});

test('a body that would decompress to a thousand times its size is not decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
  for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x-unknown']) {
    const answer = await send(bomb, { 'content-encoding': encoding });
    assert.deepEqual([answer.status, answer.body.code], [415, 'unsupported_media_type'], encoding);
  }
  assert.equal((await send(gzipSync(good()), { 'content-encoding': 'gzip' })).status, 415, 'however small');
});

test('a body with a byte order mark, another encoding or text after the object is rejected', async () => {
  const text = good();
  const bodies: Record<string, Uint8Array> = {
    'a byte order mark': Buffer.from(`\ufeff${text}`),
    'UTF-16': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'invalid UTF-8': Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]),
    'an overlong slash': Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]),
    'half a surrogate': Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    'a second object': Buffer.from(`${text}${text}`),
    'a list': Buffer.from(`[${text}]`),
    null: Buffer.from('null'),
    'a comment': Buffer.from(`${text}//`),
  };
  for (const [what, body] of Object.entries(bodies)) {
    const answer = await send(body);
    assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_json'], what);
  }
});

test('validation and processing use the same value of a duplicate member', async () => {
  const twice = (first: string, second: string) => send(`{"email":"${person.email}","password":"${first}","password":"${second}"}`);
  const outcomes = [(await twice(goodPassword, 'WrongHorse9Battery')).status, (await twice('WrongHorse9Battery', goodPassword)).status];
  assert.deepEqual(outcomes, [401, 200]);
  const put = await chancery.call('PUT', `${authPath}/profile`, {
    token: person.token,
    headers: { 'content-type': 'application/json' },
    body: `{"role":"owner","role":"admin","firstName":"Ada"}`,
  });
  assert.equal(put.status, 422, 'the validated value is the one that would be used');
});

test('deep nesting is rejected without a crash', async () => {
  for (const deep of [65, 1_000, 8_000]) {
    for (const body of [
      `{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`,
      `${'{"a":'.repeat(Math.min(deep, 2_000))}1${'}'.repeat(Math.min(deep, 2_000))}`,
    ]) {
      const answer = await send(body);
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed_json'], `${deep}`);
    }
  }
  assert.equal((await send(good())).status, 200);
});

test('1 000 concurrent sign-ins succeed or get Retry-After, and concurrent reads do not wait for password hashes', async () => {
  const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const started = performance.now();
    const done = await work();
    return [performance.now() - started, done];
  };
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const body = good();
  // One connection for each request, because the server can close a kept-alive connection when a request reuses it.
  const ask = (method: string, path: string, headers: Record<string, string>, content = '') =>
    timed(async () => {
      const asking = httpRequest(`${chancery.url}${path}`, { method, headers, agent: false }).end(content);
      const [answer] = (await once(asking, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
    });
  const read = () => ask('GET', `${authPath}/profile`, { authorization: `Bearer ${person.token}` });
  const signIn = () => ask('POST', login, { 'content-type': 'application/json' }, body);
  let over = false;
  const flood = Promise.all(Array.from({ length: 1_000 }, signIn)).finally(() => (over = true));
  const reads: number[] = [];
  while (!over) {
    const [ms, { status }] = await read();
    assert.equal(status, 200);
    reads.push(ms);
    await sleep(5);
  }
  const answers = await flood;
  const statuses = Map.groupBy(answers, ([, { status }]) => status);
  assert.deepEqual([...statuses.keys()].toSorted(), [200, 503]);
  assert.ok(
    (statuses.get(503) ?? []).every(([, { retryAfter }]) => Number(retryAfter) >= 1),
    'with Retry-After',
  );
  assert.ok((statuses.get(200)?.length ?? 0) >= 64, 'the requests of the queue succeed');
  const waited = median((statuses.get(200) ?? []).map(([ms]) => ms));
  assert.ok(reads.length > 3 && median(reads) < waited / 2, `reads ${median(reads).toFixed(0)} ms, sign-ins ${waited.toFixed(0)} ms`);
  assert.equal((await send(good())).status, 200, 'a later sign-in succeeds');
});
