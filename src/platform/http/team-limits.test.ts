import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

const folders = '/api/v1/smartdoc/folders/';
const profile = '/api/v1/security/auth/profile';

describe('a team with many requests', () => {
  let chancery: Chancery;
  before(async () => {
    chancery = await startChancery({
      role: 'api',
      settings: {
        TEAM_WRITES_PER_SECOND: '2',
        TEAM_REQUESTS_AT_ONCE: '12',
        TOKEN_REQUESTS_AT_ONCE: '8',
        TEAM_BODY_MIB_AT_ONCE: '2',
        BODY_MIB_AT_ONCE: '9',
      },
    });
  });
  after(() => chancery.stop());

  test('makes at most the allowed changes per second; reads and other teams are not limited', async () => {
    const [{ owner }, neighbour] = [await chancery.team(), await chancery.team()];
    const create = (n: number) => chancery.call('POST', folders, { token: owner.token, body: { name: `Folder ${n}` } });
    // Within the concurrency limit of one session.
    const answers = [];
    const from = performance.now();
    for (let n = 0; n < 50; n += 5) answers.push(...(await Promise.all([0, 1, 2, 3, 4].map((k) => create(n + k)))));
    const made = answers.filter(({ status }) => status === 201).length;
    const seconds = (performance.now() - from) / 1_000;
    assert.ok(made >= 20 && made <= 22 + 2 * seconds, `${made} were made in ${seconds} s`);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 50 - made);
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'rate_limited');
      assert.ok(Number(headers.get('retry-after')) >= 1);
    }
    assert.equal((await chancery.call('GET', profile, { token: owner.token })).status, 200);
    const usage = await chancery.call('GET', '/api/v1/team/usage', { token: owner.token });
    assert.ok(usage.body.quotas.find(({ name }: { name: string }) => name === 'writes').used > 10);
    assert.equal((await chancery.call('POST', folders, { token: neighbour.owner.token, body: { name: 'Theirs' } })).status, 201);
  });

  test('has a maximum of requests in progress, per session and in total, and another one after one has ended', async () => {
    const { owner, id } = await chancery.team();
    const others = [await chancery.user(id), await chancery.user(id)];
    const neighbour = await chancery.team();
    const port = Number(new URL(chancery.url).port);
    const open: Socket[] = [];
    /** Sends a request whose body is never complete. */
    const hold = async (token: string, bytes = 50) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      open.push(socket);
      await once(socket, 'connect');
      socket.write(
        `POST ${folders} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n{`,
      );
    };
    const status = async (token: string) => (await chancery.call('GET', profile, { token })).status;
    const inProgress = async (): Promise<number> => {
      const { text } = await chancery.call('GET', '/metrics', { unchecked: true });
      // The request itself is one of them.
      return Number(/^chancery_http_requests_in_flight (\d+)$/m.exec(text)?.[1]) - 1;
    };
    for (let n = 0; n < 8; n += 1) await hold(owner.token);
    await eventually('eight in progress', async () => (await inProgress()) === 8);
    // A request is in progress as soon as it arrives, and counts for its session after authentication.
    await eventually('eight of the session', async () => (await status(owner.token)) === 429);
    assert.equal(await status(others[1]?.token ?? ''), 200);
    for (let n = 0; n < 4; n += 1) await hold(others[0]?.token ?? '');
    await eventually('twelve in progress', async () => (await inProgress()) === 12);
    const refused = await eventually('twelve of the team', async () => {
      const answer = await chancery.call('GET', profile, { token: others[1]?.token ?? '' });
      return answer.status === 429 ? answer : undefined;
    });
    assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['rate_limited', '1']);
    assert.equal(await status(neighbour.owner.token), 200);
    const refusedOf = async (by: string, bytes: number) => {
      const { body } = await chancery.call('POST', folders, { token: by, body: { name: 'x'.repeat(bytes) } });
      return body.code;
    };
    for (const socket of open) socket.destroy();
    await eventually('none in progress', async () => (await inProgress()) === 0);
    for (let n = 0; n < 2; n += 1) await hold(owner.token, 1_000_000);
    await eventually('two large ones in progress', async () => (await inProgress()) === 2);
    await eventually(
      'they use more than two MiB together',
      async () => (await refusedOf(others[0]?.token ?? '', 500_000)) === 'rate_limited',
    );
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const sent = (path: string) =>
      chancery.call('POST', path, { token: others[0]?.token ?? '', body: 'x'.repeat(500_000), headers: form, unchecked: true });
    assert.equal((await sent(folders)).body.code, 'rate_limited', 'independent of its declared type');
    assert.equal((await sent('/api/v1/smartdoc/documents/')).body.code, 'validation_failed', 'files are streamed to the storage');
    assert.equal(await refusedOf(owner.token, 5_000), 'validation_failed', 'a small request is not counted');
    assert.equal(await refusedOf(neighbour.owner.token, 500_000), 'validation_failed');
    // Each JSON value uses more than its text, and in a large body only the first error is searched.
    const steps = (count: number, token = neighbour.owner.token) =>
      chancery.call('POST', '/api/v1/workflows/', { token, body: { name: 'x', steps: Array.from({ length: count }, () => ({})) } });
    assert.equal((await steps(50_000, owner.token)).body.code, 'rate_limited', 'in addition to others of the team');
    assert.equal((await steps(50_000)).body.code, 'validation_failed', 'taken where it is alone');
    const never = await steps(100_000);
    assert.deepEqual([never.status, never.body.code], [413, 'payload_too_large'], 'a request that can never fit is rejected permanently');
    const [large, small] = [await steps(6_000), await steps(20)];
    assert.deepEqual([large.status, large.body.errors.length, small.status, small.body.errors.length], [400, 1, 400, 20]);
    // Of 6 MiB for teams, 4 are left. Four more requests use nearly all, and the next ones must wait.
    const more = [await chancery.team(), await chancery.team(), await chancery.team(), await chancery.team()];
    for (const one of more) await hold(one.owner.token, 1_000_000);
    await eventually('four more in progress', async () => (await inProgress()) === 6);
    await eventually('all together use the total', async () => (await refusedOf(neighbour.owner.token, 500_000)) === 'rate_limited');
    assert.equal(await refusedOf(neighbour.owner.token, 5_000), 'validation_failed');
    // Each IP address of unauthenticated callers has a part of their share, for all paths.
    const visit = async (path: string, bytes: number, localAddress: string, whole = true) => {
      const clientRequest = httpRequest(`${chancery.url}${path}`, {
        method: 'POST',
        localAddress,
        headers: { 'content-type': 'application/json', 'content-length': bytes },
      });
      open.push(clientRequest as never);
      clientRequest.on('error', () => undefined);
      clientRequest.write('{');
      if (!whole) return 0;
      clientRequest.end(' '.repeat(bytes - 2) + '}');
      const [{ statusCode }] = await once(clientRequest, 'response');
      return statusCode as number;
    };
    await visit('/nowhere', 1_000_000, '127.0.0.1', false);
    await eventually('one visitor in progress', async () => (await inProgress()) === 7);
    for (const path of ['/nowhere', '/api/v1/interfaces/public/x/submit']) assert.equal(await visit(path, 60_000, '127.0.0.1'), 429, path);
    assert.deepEqual([await visit('/nowhere', 1_000, '127.0.0.1'), await visit('/nowhere', 600_000, '127.0.0.2')], [404, 404]);
    for (const socket of open) socket.destroy();
    await eventually('room again', async () => (await status(owner.token)) === 200 && (await status(others[1]?.token ?? '')) === 200);
  });
});

describe('an IP address with many connections', () => {
  let chancery: Chancery;
  before(async () => {
    chancery = await startChancery({
      role: 'api',
      inProcess: true,
      settings: { CONNECTIONS_PER_ADDRESS: '20', TRUSTED_PROXIES: '127.0.0.3' },
    });
  });
  after(() => chancery.stop());

  const ask = (from: string, client?: string, path = '/healthz') => {
    const socket = connect({ port: Number(new URL(chancery.url).port), host: '127.0.0.1', localAddress: from });
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    return {
      socket,
      request: async () => {
        socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${client === undefined ? '' : `x-forwarded-for: ${client}\r\n`}\r\n`);
        await eventually('an answer', () => text.includes('\r\n\r\n') || socket.destroyed);
        return text;
      },
    };
  };

  test('gets 429 above its limit, others are served, and closed connections make room', async () => {
    const idle = Array.from({ length: 20 }, () => ask('127.0.0.1').socket);
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const refused = await ask('127.0.0.1').request();
    assert.match(refused, /^HTTP\/1\.1 429 /);
    assert.match(refused, /retry-after: 1\r\n/i);
    assert.match(refused, /connection: close\r\n/i);
    assert.match(refused, /"code":"rate_limited"/);
    const silent = ask('127.0.0.1').socket;
    assert.match(await ask('127.0.0.2').request(), /^HTTP\/1\.1 200 /);
    await once(silent, 'close');
    for (const socket of idle) socket.destroy();
    await eventually('room again', async () => (await ask('127.0.0.1').request()).startsWith('HTTP/1.1 200 '));
  });

  test('gets a response even if the process was too busy to read its request', async () => {
    const idle = Array.from({ length: 20 }, () => ask('127.0.0.1').socket);
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    const late = ask('127.0.0.1');
    const { server } = chancery.app();
    await once(late.socket, 'connect');
    await eventually('all are accepted', () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count >= 21))));
    // After socket events and before timers.
    await setImmediate();
    const answer = late.request();
    // Longer than the time that a surplus connection can be silent.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_100);
    assert.match(await answer, /^HTTP\/1\.1 429 /);
    for (const socket of idle) socket.destroy();
    await eventually('room again', async () => (await ask('127.0.0.1').request()).startsWith('HTTP/1.1 200 '));
  });

  test('can have the same number of waiting pipelined requests, and a connection with more is closed', async () => {
    const behind = async (from: string, many: number, path: string): Promise<{ answers: number; closed: boolean }> => {
      const { socket } = ask(from);
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      const answers = () => text.split('HTTP/1.1 ').length - 1;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(many));
      await eventually('all are complete, or it is closed', () => answers() === many || socket.destroyed);
      const closed = socket.destroyed;
      socket.destroy();
      return { answers: answers(), closed };
    };
    // Also without a rate limit, and for a URL that no route matches.
    for (const path of ['/healthz', folders, '/%zz']) {
      assert.deepEqual(await behind('127.0.0.1', 15, path), { answers: 15, closed: false }, path);
      const many = await behind('127.0.0.1', 200, path);
      assert.ok(many.closed && many.answers < 200, `${path}: ${many.answers} of 200`);
    }
    // A proxy can send requests of many clients over one connection.
    assert.deepEqual(await behind('127.0.0.3', 200, '/healthz'), { answers: 200, closed: false });
    assert.match(await ask('127.0.0.1').request(), /^HTTP\/1\.1 200 /, 'the counts are released');
  });

  test('behind a trusted proxy is identified by the address from the proxy', async () => {
    const through = Array.from({ length: 30 }, (_, n) => ask('127.0.0.3', `10.0.0.${n}`));
    const answers = await Promise.all(through.map(({ request }) => request()));
    assert.ok(answers.every((answer) => answer.startsWith('HTTP/1.1 200 ')));
    for (const { socket } of through) socket.destroy();
  });
});
