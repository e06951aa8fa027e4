import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Chancery, startChancery, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { problemCatalogue } from '../problems.ts';

const folders = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let owner: User;
before(async () => {
  chancery = await startChancery({ settings: { BASE_URL: 'https://api.example.org' } });
  owner = (await chancery.team()).owner;
});
after(() => chancery.stop());

const get = (path: string, headers: Record<string, string> = {}) => chancery.call('GET', path, { token: owner.token, headers });

/** Sends bytes that no HTTP client would send, and returns the response. */
async function raw(text: string | Buffer): Promise<{ status: number; headers: string; body: any }> {
  const { port, hostname } = new URL(chancery.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  const [headers = '', body = ''] = answer.split('\r\n\r\n', 2);
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(headers)?.[1]), headers, body: body.startsWith('{') ? JSON.parse(body) : body };
}

/** Checks that an error is a complete problem document with a page for its type. */
async function assertProblem(answer: { status: number; body: any }, status: number, code: string): Promise<void> {
  assert.deepEqual([answer.status, answer.body?.status, answer.body?.code], [status, status, code], JSON.stringify(answer.body));
  for (const member of ['type', 'title', 'detail', 'instance', 'request_id', 'trace_id'])
    assert.ok(typeof answer.body[member] === 'string' && answer.body[member] !== '', member);
  assert.match(answer.body.trace_id, /^[0-9a-f]{32}$/);
  assert.equal(answer.body.type, `https://api.example.org/problems/${code}`);
  const page = await fetch(`${chancery.url}${new URL(answer.body.type).pathname}`);
  assert.equal(page.status, 200, `${code} has a page`);
}

describe('an address', () => {
  for (const path of [
    '/nothing',
    '/api/v1',
    '/api/v1/smartdoc/foldersX',
    '/api/v1/smartdoc/folders/a/b/c/d',
    '/PROBLEMS/',
    '//.env',
    '/.env',
    '/docs/../../package.json',
  ]) {
    test(`that is unknown, ${path}, gets 404 with any method and Accept header`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        await assertProblem(await chancery.call(method, path, { headers: { accept: 'image/png' } }), 404, 'not_found');
    });
  }

  test('accepts an optional trailing slash', async () => {
    const made = await chancery.folder(owner);
    for (const path of [folders, `${folders}/`, `${folders}/${made.id}`, `${folders}/${made.id}/`, '/healthz/'])
      assert.equal((await get(path)).status, 200, path);
    const created = await chancery.call('POST', folders, { token: owner.token, body: { name: 'No slash' } });
    assert.equal(created.status, 201);
  });

  for (const path of ['/%', '/%zz', '/api/v1/smartdoc/folders/%ff', '/api/v1/smartdoc/folders/%c3%28', '/problems/%E0%A4%A']) {
    test(`with an invalid percent-encoding, ${path}, gets 400 with all usual headers`, async () => {
      const answer = await get(path);
      await assertProblem(answer, 400, 'bad_request');
      assert.equal(answer.headers.get('x-request-id'), answer.body.request_id);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    });
  }

  test('with a part of 2 000 characters gets 414', async () => {
    await assertProblem(await get(`${folders}/${'a'.repeat(2_000)}`), 414, 'uri_too_long');
  });

  test('always gets a problem document or a page, and never a 500', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath({ size: 'medium' }), fc.constantFrom('GET', 'POST', 'DELETE', 'PATCH'), async (path, method) => {
        const at = path.startsWith('/') ? path : `/${path}`;
        const answer = await chancery.call(method, at, { token: owner.token, unchecked: true });
        assert.ok(answer.status < 500, `${method} ${path} ${answer.status}`);
        // A URL for browsers, such as /f/{token}, returns errors as pages.
        if (answer.headers.get('content-type')?.startsWith('text/html')) assert.match(answer.text, /^<!doctype html>/);
        else chancery.description.check(method, at, answer);
      }),
      { numRuns: 150, examples: [['/f/a', 'GET']] },
    );
  });
});

describe('a method', () => {
  test('that a path does not support gets 405 with the supported ones, for each described operation', async () => {
    const paths = new Map<string, Set<string>>();
    for (const { method, path } of chancery.description.operations) paths.set(path, (paths.get(path) ?? new Set()).add(method));
    for (const [path, taken] of paths) {
      const concrete = path.replaceAll(/\{[^}]+\}/g, () => randomUUIDv7());
      const not = ['DELETE', 'PATCH', 'PUT', 'POST', 'GET'].find((method) => !taken.has(method));
      assert.ok(not);
      const answer = await chancery.call(not, concrete, { token: owner.token });
      // A path such as /active is also /{id}, which can have other methods.
      if (answer.status === 404 || answer.status === 400) continue;
      await assertProblem(answer, 405, 'method_not_allowed');
      const allow = answer.headers.get('allow')?.split(', ') ?? [];
      for (const method of taken) assert.ok(allow.includes(method), `${path} names ${method} in ${allow.join(', ')}`);
      assert.ok(!allow.includes(not));
      if (taken.has('GET')) assert.ok(allow.includes('HEAD'));
    }
  });

  test('HEAD is GET without the body, also for errors', async () => {
    const made = await chancery.folder(owner);
    for (const path of [`${folders}/`, `${folders}/${made.id}`, '/healthz', '/openapi.json', `${folders}/${randomUUIDv7()}`, '/nothing']) {
      const [head, whole] = [await chancery.call('HEAD', path, { token: owner.token, unchecked: true }), await get(path)];
      assert.deepEqual(
        [head.status, head.text, head.headers.get('content-type'), head.headers.get('etag')],
        [whole.status, '', whole.headers.get('content-type'), whole.headers.get('etag')],
        path,
      );
    }
  });

  test('OPTIONS lists the methods of a path without a token', async () => {
    const answer = await chancery.call('OPTIONS', `${folders}/${randomUUIDv7()}`);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [204, 'GET, HEAD, PUT, DELETE, OPTIONS']);
    assert.equal(
      answer.headers.get('access-control-allow-origin'),
      null,
      'pages of other origins are not allowed unless their origin is listed',
    );
  });
});

describe('content types', () => {
  for (const [accept, status] of [
    ['application/json', 200],
    ['application/problem+json', 200],
    ['APPLICATION/JSON', 200],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 200],
    ['text/csv, application/*;q=0.1', 200],
    ['', 200],
    ['text/csv', 406],
    ['application/xml, image/*', 406],
    ['application/json;q=0', 406],
    ['*/*;q=0.0', 406],
  ] as const) {
    test(`Accept: ${accept || '(empty)'} is ${status}`, async () => {
      const answer = await get(`${folders}/`, { accept });
      if (status === 200) assert.equal(answer.status, 200);
      else await assertProblem(answer, 406, 'not_acceptable');
    });
  }

  test('pages and metrics are returned to clients that accept only them', async () => {
    for (const [path, accept] of [
      ['/metrics', 'text/plain'],
      ['/metrics', 'application/openmetrics-text;version=1.0.0'],
      ['/problems/not_found', 'text/html'],
      ['/docs/api/static/start.js', 'text/javascript'],
      ['/docs/api/static/swagger-ui.css', 'text/css,*/*;q=0.1'],
    ] as const)
      assert.equal((await get(path, { accept })).status, 200, path);
  });

  test('a body of another type gets 415, and so does a compressed one', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      'nonsense',
    ]) {
      const answer = await chancery.call('POST', `${folders}/`, {
        token: owner.token,
        body: '{"name":"x"}',
        headers: { 'content-type': type },
      });
      await assertProblem(answer, 415, 'unsupported_media_type');
    }
    const answer = await chancery.call('POST', `${folders}/`, {
      token: owner.token,
      body: { name: 'x' },
      headers: { 'content-encoding': 'gzip' },
    });
    await assertProblem(answer, 415, 'unsupported_media_type');
  });

  test('JSON is accepted under its other media types', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json', 'APPLICATION/JSON']) {
      const answer = await chancery.call('POST', `${folders}/`, {
        token: owner.token,
        body: JSON.stringify({ name: `As ${type.replace('/', ' ')}` }),
        headers: { 'content-type': type },
      });
      assert.equal(answer.status, 201, answer.text);
    }
  });

  for (const [what, body] of [
    ['an incomplete object', '{"name":'],
    ['an array', '[]'],
    ['two objects', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['a prototype', '{"name":"x","__proto__":{"a":1}}'],
    ['an escaped prototype', String.raw`{"name":"x","\u005f_proto__":{"a":1}}`],
    ['a constructor’s prototype', '{"name":"x","constructor":{"prototype":{"a":1}}}'],
    ['a deeply nested prototype', '{"name":"x","a":[1,[{"b":{"constructor":{"prototype":null}}}]]}'],
    ['an incomplete array of 250 000 levels', '['.repeat(250_000)],
  ] as [string, string | Buffer][]) {
    test(`a body with ${what} gets 400`, async () => {
      const answer = await chancery.call('POST', `${folders}/`, {
        token: owner.token,
        body,
        headers: { 'content-type': 'application/json' },
      });
      await assertProblem(answer, 400, 'malformed_json');
      assert.equal(({} as any).a, undefined);
    });
  }

  test('a body above the limit gets 413, with and without a declared length', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1_100_000) });
    await assertProblem(
      await chancery.call('POST', `${folders}/`, { token: owner.token, body: large, headers: { 'content-type': 'application/json' } }),
      413,
      'payload_too_large',
    );
    const head = `POST ${folders}/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${owner.token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    const chunked = await raw(`${head}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`);
    assert.equal(chunked.status, 413);
  });

  test('an invalid member is named by a JSON pointer, escaped as in RFC 6901', async () => {
    const answer = await chancery.call('PUT', `${folders}/${randomUUIDv7()}`, { token: owner.token, body: { name: 7, color: [] } });
    await assertProblem(answer, 400, 'validation_failed');
    assert.deepEqual([...new Set(answer.body.errors.map((one: any) => one.pointer))].toSorted(), ['/color', '/name']);
    for (const one of answer.body.errors)
      for (const member of ['name', 'pointer', 'reason', 'rule']) assert.equal(typeof one[member], 'string');
  });
});

describe('invalid HTTP', () => {
  test('headers of 20 KiB get 431', async () =>
    assertProblem(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx-big: ${'a'.repeat(20_000)}\r\n\r\n`), 431, 'headers_too_large'));
  for (const [what, text] of [
    ['no HTTP', 'hello there\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET ${folders}/ HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n`],
    ['a duplicate host', 'GET /nothing HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello'],
    ['a length and chunks', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a header folded over lines', 'GET / HTTP/1.1\r\nhost: x\r\nx: a\r\n b\r\nbad header\r\n\r\n'],
  ] as const) {
    test(`${what} gets 400, and the connection ends`, async () => {
      const answer = await raw(text);
      assert.equal(answer.status, 400);
      if (what !== 'no host') await assertProblem(answer, 400, 'bad_request');
    });
  }
});

describe('identifiers of a request', () => {
  test('a well-formed X-Request-Id is used in the header, in problems and in the journal; any other is replaced', async () => {
    const id = `mine-${randomUUIDv7()}`;
    const answer = await get('/nothing', { 'x-request-id': id });
    assert.deepEqual([answer.headers.get('x-request-id'), answer.body.request_id], [id, id]);
    const made = await chancery.call('POST', `${folders}/`, {
      token: owner.token,
      body: { name: 'Traced' },
      headers: { 'x-request-id': id },
    });
    const { rows } = await chancery.pool.query('SELECT request_id FROM audit_entry WHERE target_id = $1', [made.body.id]);
    assert.deepEqual(rows, [{ request_id: id }]);
    for (const odd of ['a b', 'x'.repeat(65), '<script>', 'a"b']) {
      const given = (await get('/nothing', { 'x-request-id': odd })).headers.get('x-request-id') ?? '';
      assert.match(given, /^[0-9a-f-]{36}$/, odd);
    }
    assert.notEqual((await get('/nothing')).body.request_id, (await get('/nothing')).body.request_id);
  });

  test('problems contain the trace of a traceparent; a malformed one starts a new trace', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const of = async (traceparent: string) => (await get('/nothing', { traceparent })).body.trace_id;
    assert.equal(await of(`00-${trace}-00f067aa0ba902b7-01`), trace);
    assert.equal(await of(`cc-${trace}-00f067aa0ba902b7-01-what-comes-later`), trace, 'the known part of a later version is used');
    for (const odd of [
      `ff-${trace}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `00-${trace}-${'0'.repeat(16)}-01`,
      `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
      'nonsense',
    ]) {
      const given = await of(odd);
      assert.match(given, /^[0-9a-f]{32}$/);
      assert.notEqual(given, trace, odd);
    }
  });
});

describe('ETag and If-Match', () => {
  test('the entity tag of a read is that of the last change, and protects the next change', async () => {
    const made = await chancery.folder(owner);
    const tag = (await get(`${folders}/${made.id}`)).headers.get('etag') ?? '';
    const put = (headers: Record<string, string>) =>
      chancery.call('PUT', `${folders}/${made.id}`, { token: owner.token, body: { color: 'red' }, headers });
    const first = await put({ 'if-match': tag });
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('etag'), (await get(`${folders}/${made.id}`)).headers.get('etag'));
    for (const stale of [tag, `W/${first.headers.get('etag')}`, '', '1'])
      await assertProblem(await put({ 'if-match': stale }), 412, 'precondition_failed');
    assert.equal((await put({})).status, 200, 'the header is optional');
    assert.equal((await put({ 'if-match': '*' })).status, 200);
  });
});

test('every response forbids sniffing, framing, referrers and caching, and enforces https if the service uses it', async () => {
  for (const path of [`${folders}/`, '/nothing', '/healthz', `${folders}/%ff`, '/openapi.json', '/problems/not_found', '/docs']) {
    const { headers } = await get(path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
    assert.equal(headers.get('strict-transport-security'), 'max-age=63072000; includeSubDomains', path);
    assert.equal(headers.get('server') ?? headers.get('x-powered-by'), null, path);
  }
  assert.equal((await get(`${folders}/`)).headers.get('cache-control'), 'no-store');
});

describe('the pages of problems', () => {
  test('exist for each code, with its status, title and next step', async () => {
    assert.ok(problemCatalogue.size > 40);
    const list = (await get('/problems/')).text;
    for (const [code, kind] of problemCatalogue) {
      const page = await get(`/problems/${code}`);
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'], code);
      assert.ok(page.text.includes(`Status ${kind.status}`), code);
      assert.ok(kind.status >= 400 && kind.status < 600 && kind.help.length > 30 && /[.]$/.test(kind.help), `${code} has a next step`);
      assert.ok(list.includes(`href="/problems/${code}"`), code);
    }
    assert.equal((await get('/problems/nonsense')).status, 404);
    const script = await get(`/problems/${encodeURIComponent('<script>alert(1)</script>')}`);
    assert.ok(!script.text.includes('<script>'));
  });

  test('error codes exist only in the problems files', () => {
    const declared = new Set(problemCatalogue.keys());
    const used = globSync('src/**/*.ts')
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b\w*[pP]roblems\.([a-z_]+)\(/g)].map(([, code = '']) => code));
    assert.ok(used.length > 100);
    assert.deepEqual(
      used.filter((code) => !declared.has(code)),
      [],
    );
    const byHand = globSync('src/platform/http/**/*.ts').filter(
      (file) => !file.endsWith('.test.ts') && /\bcode: '[a-z_]+'/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(byHand, []);
  });
});

describe('operation', () => {
  test('health and readiness respond 200 without caching', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await get(path);
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'], path);
    }
  });

  test('metrics count requests by route, never by identifier, and requests in flight drop to zero when clients disconnect', async () => {
    const made = await chancery.folder(owner);
    await get(`${folders}/${made.id}`);
    const { port, hostname } = new URL(chancery.url);
    const lock = await chancery.pool.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM folder WHERE id = $1 FOR UPDATE', [made.id]);
    const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
    for (const socket of sockets)
      socket.write(
        `PUT ${folders}/${made.id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${owner.token}\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"color":"a"}`,
      );
    const inFlight = async () => Number(/^chancery_http_requests_in_flight (\d+)/m.exec((await get('/metrics')).text)?.[1]);
    await eventually('they are counted', async () => (await inFlight()) >= 20);
    for (const socket of sockets) socket.destroy();
    await eventually('they are no longer counted', async () => (await inFlight()) === 1);
    await lock.query('ROLLBACK');
    lock.release();
    const metrics = await get('/metrics');
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/);
    assert.match(
      metrics.text,
      /chancery_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/smartdoc\/folders\/:id",status="2xx"\} \d/,
    );
    assert.ok(!metrics.text.includes(made.id));
  });

  test('a page of the reference loads with all its files, under a policy without external scripts', async () => {
    const page = await get('/docs/api/folders', { accept: 'text/html' });
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const named = [...page.text.matchAll(/(?:src|href|data-description)="([^"]+)"/g)].map(([, one = '']) => one);
    assert.ok(named.length >= 5, page.text);
    for (const one of named) {
      const url = new URL(one, `${chancery.url}/docs/api`);
      assert.equal(url.origin, chancery.url, 'nothing is loaded from other origins');
      assert.equal((await get(url.pathname)).status, 200, one);
    }
    for (const path of ['/docs/api/nothing', '/docs/api/nothing/openapi.json', '/docs/api/static/constructor'])
      assert.equal((await get(path)).status, 404, path);
  });

  test('the description has an entity tag and supports 304', async () => {
    const first = await get('/openapi.json');
    const tag = first.headers.get('etag') ?? '';
    assert.equal(first.headers.get('access-control-allow-origin'), '*');
    assert.equal((await get('/openapi.json', { 'if-none-match': tag })).status, 304);
    assert.equal((await get('/openapi.json', { 'if-none-match': '"other"' })).status, 200);
  });
});
