import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { type Chancery, startChancery, type User } from '../../../test/harness.ts';
import { plainPdf } from '../../../test/plain-pdf.ts';
import { addressBlock } from './client-ip.ts';

const folders = '/api/v1/smartdoc/folders';
const at50 = Array.from({ length: 50 });

describe('the limit of an IP address', () => {
  let chancery: Chancery;
  before(async () => {
    chancery = await startChancery({ role: 'api', settings: { RATE_LIMIT_PER_MINUTE: '10', TRUSTED_PROXIES: '127.0.0.1' } });
  });
  after(() => chancery.stop());
  const from = (ip: string, path = '/api/v1/security/auth/altcha') => chancery.call('GET', path, { headers: { 'x-forwarded-for': ip } });

  test('is in each response, counts down, and leads to 429 with the time to wait', async () => {
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await from('203.0.113.1');
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=10;w=60');
      assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"default";r=${left};t=([1-9]|[1-5]\\d|60)$`));
    }
    const refused = await from('203.0.113.1');
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited']);
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait >= 1 && wait <= 60);
    assert.match(refused.headers.get('ratelimit') ?? '', /r=0/);
  });

  test('accepts exactly the allowed number of 50 concurrent requests, and other IP addresses are not affected', async () => {
    const answers = await Promise.all(at50.map(() => from('203.0.113.2')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    assert.equal(answers.filter(({ status }) => status === 429).length, 40);
    assert.equal((await from('203.0.113.3')).status, 200);
  });

  test('does not apply to health and metrics, but to unknown paths', async () => {
    // From other machines, metrics require their token on every request.
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 200],
      ['/metrics', 401],
    ] as const)
      for (const answer of await Promise.all(Array.from({ length: 12 }, () => from('203.0.113.4', path))))
        assert.equal(answer.status, status);
    const answers = await Promise.all(Array.from({ length: 12 }, () => from('203.0.113.5', '/nothing')));
    assert.equal(answers.filter(({ status }) => status === 429).length, 2);
  });

  test('counts an IPv6 client by its /64, and an IP address in any spelling once', async () => {
    const answers = await Promise.all(at50.map((_, n) => from(`2001:db8:1:2::${n.toString(16)}`)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 10);
    assert.equal((await from('2001:db8:1:3::1')).status, 200);
    const spelled = [];
    for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '203.0.113.9:4711']) for (let n = 0; n < 4; n += 1) spelled.push(await from(ip));
    assert.equal(spelled.filter(({ status }) => status === 200).length, 10);
  });
});

test('IP addresses of one /64 are one block, of two are two', () => {
  const group = fc.integer({ min: 0, max: 0xff_ff }).map((n) => n.toString(16));
  fc.assert(
    fc.property(fc.array(group, { minLength: 12, maxLength: 12 }), (g) => {
      const net = g.slice(0, 4).join(':');
      assert.equal(addressBlock(`${net}:${g.slice(4, 8).join(':')}`), addressBlock(`${net}:${g.slice(8, 12).join(':')}`));
    }),
  );
  assert.notEqual(addressBlock('2001:db8:0:1::1'), addressBlock('2001:db8:0:2::1'));
  assert.equal(addressBlock('::ffff:10.0.0.1'), '10.0.0.1');
});

describe('the IP address of the client', () => {
  let alone: Chancery;
  let proxied: Chancery;
  before(async () => {
    alone = await startChancery({ role: 'api' });
    proxied = await startChancery({ role: 'api', settings: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48' } });
  });
  after(() => Promise.all([alone.stop(), proxied.stop()]));

  /** Returns the IP address that the journal records for a change with this header. */
  async function journalled(chancery: Chancery, owner: User, forwarded: string): Promise<string> {
    const made = await chancery.call('POST', `${folders}/`, {
      token: owner.token,
      body: { name: `From ${Math.random()}` },
      headers: { 'x-forwarded-for': forwarded, 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6', 'cf-connecting-ip': '6.6.6.6' },
    });
    assert.equal(made.status, 201, `${forwarded}: ${made.text}`);
    const { rows } = await chancery.pool.query('SELECT host(ip) AS ip FROM audit_entry WHERE target_id = $1', [made.body.id]);
    return rows[0].ip;
  }

  test('is that of the socket if no proxy is trusted', async () => {
    const { owner } = await alone.team();
    for (const claim of ['6.6.6.6', '127.0.0.2, 6.6.6.6', 'nonsense', ''])
      assert.equal(await journalled(alone, owner, claim), '127.0.0.1', claim);
  });

  for (const [forwarded, expected, why] of [
    ['203.0.113.7', '203.0.113.7', 'named by the proxy'],
    ['6.6.6.6, 203.0.113.7', '203.0.113.7', 'entries to the left of an untrusted address are ignored'],
    ['6.6.6.6, 203.0.113.7, 10.1.2.3, 10.9.9.9', '203.0.113.7', 'trusted proxies are skipped from the right'],
    ['127.0.0.1, 203.0.113.7', '203.0.113.7', 'a claimed proxy address is not reached'],
    ['203.0.113.7, 2001:db8:ffff::5', '203.0.113.7', 'a trusted IPv6 block'],
    ['2001:db8:1::1', '2001:db8:1::1', 'IPv6'],
    ['::ffff:203.0.113.7', '203.0.113.7', 'one spelling'],
    ['203.0.113.7:52000', '203.0.113.7', 'with a port'],
    ['[2001:db8:1::1]:52000', '2001:db8:1::1', 'IPv6 with a port'],
    ['10.1.1.1', '10.1.1.1', 'all are trusted: the farthest'],
    ['nonsense', '127.0.0.1', 'no address'],
    ['nonsense, 10.1.2.3', '10.1.2.3', 'an invalid entry behind a trusted one'],
    ['203.0.113.7, unknown', '127.0.0.1', 'no valid entry nearer than the client'],
    ["1'; DROP TABLE audit_entry; --", '127.0.0.1', 'SQL'],
    ['1', '127.0.0.1', 'a number that could be parsed as an IP address'],
    ['', '127.0.0.1', 'an empty header'],
  ] as const) {
    test(`behind trusted proxies, "${forwarded}" is ${expected}: ${why}`, async () => {
      const { owner } = await proxied.team();
      assert.equal(await journalled(proxied, owner, forwarded), expected);
    });
  }

  test('any header value leads to a change with a valid IP address', async () => {
    const { owner } = await proxied.team();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 60 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
        async (forwarded) => {
          assert.match(await journalled(proxied, owner, forwarded), /^[\d.:a-f]+$/);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('pages of other origins', () => {
  const listed = 'https://app.example.org';
  let chancery: Chancery;
  let owner: User;
  before(async () => {
    chancery = await startChancery({
      role: 'api',
      settings: { CORS_ORIGINS: `${listed}, https://second.example.org`, RATE_LIMIT_PER_MINUTE: '100' },
    });
    owner = (await chancery.team()).owner;
  });
  after(() => chancery.stop());
  const preflight = (origin: string, method: string, path = `${folders}/x`) =>
    chancery.call('OPTIONS', path, {
      unchecked: true,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,if-match,idempotency-key',
      },
    });

  test('a listed origin can send credentials, all methods and all headers of operations', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await preflight(listed, method);
      assert.deepEqual(
        [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')],
        [204, listed, 'true'],
      );
      assert.ok(headers.get('access-control-allow-methods')?.split(/, ?/).includes(method), method);
      assert.match(headers.get('access-control-allow-headers') ?? '', /authorization.*if-match.*idempotency-key/);
      assert.equal(headers.get('access-control-max-age'), '600');
      assert.match(headers.get('vary') ?? '', /origin/i);
    }
  });

  test('an origin that is not listed gets no CORS headers, even if it is similar', async () => {
    for (const origin of [
      'https://evil.example',
      'http://app.example.org',
      'https://app.example.org.evil.example',
      'https://sub.app.example.org',
      'null',
      `${listed}:8443`,
    ]) {
      for (const answer of [
        await preflight(origin, 'POST'),
        await chancery.call('GET', `${folders}/`, { token: owner.token, headers: { origin } }),
      ]) {
        assert.equal(answer.headers.get('access-control-allow-origin'), null, origin);
        assert.match(answer.headers.get('vary') ?? '', /origin/i);
      }
    }
  });

  test('an OPTIONS request that is not a preflight lists the methods', async () => {
    const answer = await chancery.call('OPTIONS', `${folders}/`, { unchecked: true, headers: { origin: listed } });
    assert.equal(answer.status, 204, answer.text);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  });

  test('a listed origin can read the name and the range of a download', async () => {
    const form = new FormData();
    form.set('title', 'Agreement');
    form.set('file', new Blob([new Uint8Array(plainPdf(['Agreement']))], { type: 'application/pdf' }), 'agreement.pdf');
    const made = await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: owner.token, body: form });
    assert.equal(made.status, 201, made.text);
    const answer = await chancery.call('GET', `/api/v1/smartdoc/documents/${made.body.id}/content`, {
      token: owner.token,
      unchecked: true,
      headers: { origin: listed, range: 'bytes=0-9' },
    });
    assert.equal(answer.status, 206, answer.text);
    const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    for (const name of ['content-disposition', 'content-range', 'accept-ranges'])
      assert.deepEqual([answer.headers.has(name), exposed.includes(name)], [true, true], name);
  });

  test('a listed origin can read responses and their headers, including errors', async () => {
    const read = (path: string, headers: Record<string, string> = {}) =>
      chancery.call('GET', path, { token: owner.token, headers: { origin: listed, ...headers } });
    const answers = [
      await read(`${folders}/`),
      await read('/nothing'),
      await chancery.call('GET', `${folders}/`, { headers: { origin: listed } }),
      await read(`${folders}/`, { accept: 'text/csv' }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 404, 401, 406],
    );
    const limited = (await Promise.all(Array.from({ length: 150 }, () => read('/nothing')))).find(({ status }) => status === 429);
    assert.ok(limited);
    for (const { status, headers } of [...answers, limited]) {
      assert.equal(headers.get('access-control-allow-origin'), listed, String(status));
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      for (const name of ['ETag', 'Link', 'Location', 'Retry-After', 'X-Request-Id', 'Idempotency-Replayed'])
        assert.ok(headers.get('access-control-expose-headers')?.includes(name), name);
    }
  });
});
