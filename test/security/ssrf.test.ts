import assert from 'node:assert/strict';
import system from 'node:dns';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../arbitraries.ts';
import { createAddressPolicy } from '../../src/automation/webhooks/addresses/addresses.ts';
import { createResolver } from '../../src/automation/webhooks/addresses/resolver.ts';
import { createSender, type SenderOptions } from '../../src/automation/webhooks/sending/sender.ts';
import { checkEndpointUrl } from '../../src/automation/webhooks/addresses/urls.ts';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../dns-server.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';

/*
 * These tests connect only to loopback addresses. 127.0.0.2 is an allowed block and represents a public host. 127.0.0.1 represents an
 * internal host. A canary listens there and must receive nothing. The tests record each connection attempt of this process and throw
 * for addresses outside of loopback.
 */
const production = createAddressPolicy({ allowPrivate: false, allowCidrs: ['127.0.0.2/32'] });
const development = createAddressPolicy({ allowPrivate: true, allowCidrs: [] });

let dns: DnsServer;
let canary: Server;
let outside: Server;
let port = 0;
let answer: (response: ServerResponse) => void = (response) => void response.end();
let canaryConnections = 0;
let outsideRequests = 0;
const dialled: string[] = [];

const connect = Socket.prototype.connect as (...args: any[]) => Socket;
/** Resolves to false if another process uses the port. */
function listening(server: Server, at: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(at, host, () => resolve(true));
  });
}

before(async () => {
  dns = await startDnsServer();
  // Both servers need the same port, which another test file can use on one of the two addresses.
  for (let bound = false; !bound;) {
    outside = createServer((request, response) => {
      outsideRequests += 1;
      request.resume().on('end', () => answer(response));
    });
    await listening(outside, 0, '127.0.0.2');
    ({ port } = outside.address() as AddressInfo);
    canary = createServer((_, response) => response.end('credentials')).on('connection', () => (canaryConnections += 1));
    bound = await listening(canary, port, '127.0.0.1');
    if (!bound) outside.close();
  }
  Socket.prototype.connect = function spied(this: Socket, ...args: any[]) {
    // Node.js emits this with the resolved address, just before it connects.
    this.on('connectionAttempt', (address: string) => {
      dialled.push(address);
      if (!/^127\.|^::1$|^\//.test(address)) throw new Error(`the test tried to connect to ${address}`);
    });
    return connect.apply(this, args);
  } as typeof Socket.prototype.connect;
});
after(async () => {
  Socket.prototype.connect = connect as typeof Socket.prototype.connect;
  for (const server of [outside, canary]) {
    server.closeAllConnections();
    server.close();
  }
  await dns.close();
});
beforeEach(() => {
  answer = (response) => void response.end();
  dns.answer = () => ({ addresses: [] });
  dns.questions.length = 0;
  dialled.length = 0;
  canaryConnections = 0;
  outsideRequests = 0;
});

async function withSender<T>(
  work: (send: (url: string) => ReturnType<ReturnType<typeof createSender>['send']>) => Promise<T>,
  more: Partial<SenderOptions> = {},
): Promise<T> {
  const sender = createSender({ policy: production, timeoutMs: 1_500, resolve: createResolver([dns.address]), ...more });
  try {
    return await work((url) =>
      sender.send({ teamId: 'team', url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }),
    );
  } finally {
    await sender.close();
  }
}
const sendOnce = (url: string, more: Partial<SenderOptions> = {}) => withSender((send) => send(url), more);

/** Returns an address in all notations that a parser could accept. */
function spellings([a, b, c, d]: readonly [number, number, number, number]): string[] {
  const number = ((a << 24) >>> 0) + (b << 16) + (c << 8) + d;
  const hex = (value: number) => value.toString(16);
  const mapped = `${hex((a << 8) | b)}:${hex((c << 8) | d)}`;
  return [
    `${a}.${b}.${c}.${d}`,
    `${a}.${b}.${c}.${d}.`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${number}`,
    `0x${hex(number)}`,
    `0X${hex(number).toUpperCase()}`,
    `0${number.toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join('.'),
    `0x${hex(a)}.0${b.toString(8)}.${c}.${d}`,
    `${a}%2e${b}%2E${c}.${d}`,
    `${a}。${b}．${c}｡${d}`,
    Array.from(`${a}.${b}.${c}.${d}`, (sign) => (sign === '.' ? '.' : String.fromCodePoint(sign.codePointAt(0)! + 0xfee0))).join(''),
    `[::ffff:${a}.${b}.${c}.${d}]`,
    `[::ffff:${mapped}]`,
    `[0:0:0:0:0:FFFF:${mapped}]`,
    `[::${a}.${b}.${c}.${d}]`,
    `[::ffff:0:${mapped}]`,
    `[64:ff9b::${a}.${b}.${c}.${d}]`,
    `[64:ff9b::${mapped}]`,
    `[64:ff9b:1::${mapped}]`,
    `[2002:${mapped}::1]`,
  ];
}

const inside: (readonly [number, number, number, number])[] = [
  [127, 0, 0, 1],
  [127, 255, 0, 3],
  [10, 1, 2, 3],
  [172, 16, 0, 1],
  [192, 168, 7, 9],
  [100, 64, 0, 1],
  [169, 254, 169, 254],
  [100, 100, 100, 200],
  [0, 0, 0, 0],
  [192, 0, 0, 192],
  [198, 18, 0, 1],
  [224, 0, 0, 1],
  [255, 255, 255, 255],
];
const insideV6 = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[ff02::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[2001:db8::1]',
  '[2001:100::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
  '[2002:a9fe:a9fe::]',
];
const localNames = ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'local\u00adhost', 'ｌocalhost'].concat([
  'metadata.google.internal',
  'printer.local',
  'router.home.arpa',
]);
const everyHost = [...inside.flatMap(spellings), ...insideV6, ...localNames];

test('the registration of an endpoint rejects internal addresses in all notations', () => {
  for (const host of everyHost) {
    const checked = checkEndpointUrl(`https://${host}:8443/hook`, production);
    assert.ok(!checked.ok && ['public_address', 'url'].includes(checked.rule), host);
  }
});

test('deliveries never connect to an internal address in the URL', async () => {
  dns.answer = () => ({ addresses: ['127.0.0.1'] });
  await withSender(async (send) => {
    for (const host of everyHost) {
      for (const protocol of ['http', 'https']) {
        const url = `${protocol}://${host}:${port}/hook`;
        if (!URL.canParse(url)) continue;
        const result = await send(url);
        assert.deepEqual([result.ok, result.error], [false, 'blocked_address'], url);
        assert.doesNotMatch(result.errorDetail ?? '', /\d+\.\d+|::/, 'the log contains no internal address');
      }
    }
  });
  assert.deepEqual([canaryConnections, outsideRequests, dialled], [0, 0, []]);
});

test('metadata services and reserved ranges stay blocked if private addresses are allowed', async () => {
  const closed = [[169, 254, 169, 254] as const, [100, 100, 100, 200] as const, [0, 0, 0, 0] as const, [255, 255, 255, 255] as const];
  for (const host of [...closed.flatMap(spellings), '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[::]']) {
    const checked = checkEndpointUrl(`http://${host}/latest/meta-data`, development);
    assert.ok(!checked.ok && ['public_address', 'url'].includes(checked.rule), host);
    const url = `http://${host}:${port}/`;
    if (URL.canParse(url)) assert.equal((await sendOnce(url, { policy: development })).error, 'blocked_address', host);
  }
  assert.deepEqual(dialled, []);
});

test('a name that resolves to an internal address is rejected, also through a CNAME', async () => {
  const answers: DnsAnswer[] = [
    ...inside.map((parts) => ({ addresses: [parts.join('.')] })),
    ...insideV6.map((host) => ({ addresses: [host.slice(1, -1)] })),
    { addresses: ['::ffff:127.0.0.1'] },
    { addresses: ['64:ff9b::7f00:1'] },
    { addresses: ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254'] },
    { addresses: ['127.0.0.1'], cname: 'internal.example' },
    { addresses: ['::1'], cname: 'localhost' },
  ];
  await withSender(async (send) => {
    for (const [index, decided] of answers.entries()) {
      dns.answer = () => decided;
      for (const protocol of ['http', 'https']) {
        const result = await send(`${protocol}://name${index}.example:${port}/`);
        assert.equal(result.error, 'blocked_address', JSON.stringify(decided));
      }
    }
  });
  assert.deepEqual([canaryConnections, outsideRequests, dialled], [0, 0, []]);
});

test('if a name has several addresses, only the allowed ones get a connection', async () => {
  dns.answer = () => ({ addresses: ['127.0.0.1', '10.0.0.1', '127.0.0.2', '169.254.169.254', '::1'] });
  assert.equal((await sendOnce(`http://mixed.example:${port}/`)).ok, true);
  assert.deepEqual([canaryConnections, outsideRequests], [0, 1]);
  assert.deepEqual([...new Set(dialled)], ['127.0.0.2']);
});

test('DNS rebinding fails: one lookup per connection, and the connection uses the checked address', async () => {
  // A separate check before the connection would see the allowed address and connect to the internal one.
  let lookups = 0;
  dns.answer = ({ type }) => {
    if (type !== 'A') return { addresses: [] };
    lookups += 1;
    return { addresses: [lookups % 2 === 1 ? '127.0.0.2' : '127.0.0.1'] };
  };
  assert.equal((await sendOnce(`http://rebinding.example:${port}/`)).ok, true);
  assert.equal(dns.questions.filter(({ type }) => type === 'A').length, 1, 'one lookup per connection');
  assert.deepEqual([canaryConnections, outsideRequests], [0, 1]);
  // The second connection resolves the name again and is rejected.
  assert.equal((await sendOnce(`http://rebinding.example:${port}/`)).error, 'blocked_address');
  assert.deepEqual([canaryConnections, outsideRequests], [0, 1]);
});

test('each of 50 concurrent new connections is checked again after a name changes, even if kept-alive connections exist', async () => {
  await withSender(async (send) => {
    dns.answer = () => ({ addresses: ['127.0.0.2'] });
    assert.equal((await send(`http://turncoat.example:${port}/`)).ok, true);
    dns.answer = () => ({ addresses: ['127.0.0.1'] });
    answer = (response) => void setTimeout(() => response.writeHead(200, { connection: 'close' }).end(), 50);
    const results = await Promise.all(Array.from({ length: 50 }, () => send(`http://turncoat.example:${port}/`)));
    // At most the kept-alive connection to the checked address can succeed.
    assert.ok(results.filter(({ ok }) => ok).length <= 1);
    assert.ok(results.every(({ ok, error }) => ok || error === 'blocked_address'));
  });
  assert.equal(canaryConnections, 0);
});

test('the remote address of a connection is checked again before data is sent', async () => {
  dns.answer = () => ({ addresses: ['127.0.0.2'] });
  let lookups = 0;
  const changing = { allowPrivate: false, isPublic: () => false, allows: () => (lookups += 1) === 1 };
  const result = await sendOnce(`http://receiver.example:${port}/`, { policy: changing });
  assert.deepEqual([result.error, outsideRequests, lookups], ['blocked_address', 0, 2]);
});

test('a name server without a response, with a refusal or without the name causes a dns_error within the deadline', async () => {
  dns.answer = () => ({ addresses: [] });
  assert.equal((await sendOnce('http://nothing.example/')).error, 'dns_error');
  const refusing = createResolver(['127.0.0.1:9']);
  const refused = await sendOnce('http://refused.example/', { resolve: refusing });
  assert.ok(['dns_error', 'timeout'].includes(refused.error ?? ''), `${refused.error}`);
  dns.answer = () => undefined;
  const silent = await sendOnce('http://silent.example/');
  assert.ok(['dns_error', 'timeout'].includes(silent.error ?? ''), `${silent.error}`);
});

test('unanswered lookups do not block the resolver of the system: other names and names of the hosts file are still resolved', async () => {
  const [servers, lookup] = [system.getServers(), system.lookup];
  const waiting: string[] = [];
  const lookUpBy = (by: unknown) => {
    Object.assign(system, { lookup: by });
    syncBuiltinESMExports();
  };
  // Simulate a system resolver whose threads all wait for unanswered lookups.
  lookUpBy((name: string) => void waiting.push(name));
  system.setServers([dns.address]);
  const sender = createSender({ policy: production, timeoutMs: 1_500 });
  const send = (name: string) =>
    sender.send({ teamId: 'team', url: `http://${name}.example:${port}/`, headers: {}, body: Buffer.from('{}') });
  try {
    dns.answer = ({ name }) => (name.startsWith('silent') ? undefined : { addresses: name.startsWith('found') ? ['127.0.0.2'] : [] });
    const silent = Array.from({ length: 20 }, (_, n) => send(`silent${n}`));
    const found = await send('found');
    assert.deepEqual([found.ok, found.errorDetail], [true, undefined]);
    assert.ok((await Promise.all(silent)).every(({ error }) => error === 'timeout' || error === 'dns_error'));
    assert.deepEqual(waiting, []);
    // Only the system resolver knows the hosts file. It gets one such lookup at a time.
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(`hosts${n}`)));
    assert.equal(waiting.length, 1);
  } finally {
    lookUpBy(lookup);
    system.setServers(servers);
    await sender.close();
  }
});

test('redirects are never followed, for any status, target or number', async () => {
  dns.answer = () => ({ addresses: ['127.0.0.2'] });
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    for (const location of [
      `http://127.0.0.1:${port}/`,
      `//127.0.0.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      '/again',
      'http://169.254.169.254/',
    ]) {
      outsideRequests = 0;
      answer = (response) =>
        void response
          .writeHead(status, { location, refresh: `0; url=${location}`, 'content-location': location, link: `<${location}>` })
          .end();
      const result = await sendOnce(`http://redirecting.example:${port}/`);
      assert.deepEqual([result.ok, result.error, outsideRequests], [false, 'redirect_not_followed', 1], `${status} ${location}`);
    }
  }
  assert.equal(canaryConnections, 0);
});

test('URLs with credentials, other schemes, fragments or ports of other protocols are rejected with the name of the rule', () => {
  const cases: [string, string][] = [
    ['https://user:pass@receiver.example/', 'credentials'],
    ['https://user@receiver.example/', 'credentials'],
    ['https://:pass@receiver.example/', 'credentials'],
    ['https://receiver.example%23@127.0.0.1/', 'credentials'],
    ['https://receiver.example&@127.0.0.1/', 'credentials'],
    [String.raw`https://receiver.example\@127.0.0.1/`, ''],
    [String.raw`https://127.0.0.1\@receiver.example/`, 'public_address'],
    ['https://127.0.0.1/@receiver.example', 'public_address'],
    ['https://127.0.0.1?@receiver.example', 'public_address'],
    ['https://127.0.0.1#@receiver.example', 'fragment'],
    ['http://receiver.example/', 'https'],
    ['ftp://receiver.example/', 'https'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'https'],
    ['file:///etc/passwd', 'https'],
    ['unix:///var/run/docker.sock', 'https'],
    ['data:text/plain,x', 'url'],
    ['https:receiver.example', 'url'],
    ['https:///127.0.0.1/', 'public_address'],
    ['https://receiver.example:22/', 'port'],
    ['https://receiver.example:25/', 'port'],
    ['https://receiver.example:6667/', 'port'],
    ['https://receiver.example:0/', 'port'],
    ['https://receiver.example:65536/', 'url'],
    ['https://receiver.example:-1/', 'url'],
    ['https://receiver.example:8443/', ''],
    ['https://[fe80::1%25eth0]/', 'url'],
    ['https://[fe80::1%eth0]/', 'url'],
    ['https://[::1%25lo]/', 'url'],
    ['https://[::1]extra/', 'url'],
    ['https://[127.0.0.1]/', 'url'],
    ['https://127.0.0.1 .example/', 'url'],
    ['https://127.0.0.1\u0000.example/', 'url'],
    ['https://256.256.256.256/', 'url'],
    ['https://1.2.3.4.5/', 'url'],
    ['https://0x/', 'public_address'],
  ];
  for (const [url, rule] of cases) {
    const checked = checkEndpointUrl(url, production);
    assert.equal(checked.ok ? '' : checked.rule, rule, url);
  }
});

test('deliveries do not connect to a port of another protocol', async () => {
  dns.answer = () => ({ addresses: ['127.0.0.2'] });
  for (const bad of [22, 25, 587, 6667]) assert.equal((await sendOnce(`http://receiver.example:${bad}/`)).error, 'blocked_address');
  assert.deepEqual(dialled, []);
});

test('look-alike host names are stored in the form of the lookup, so that they are distinguishable', () => {
  const cases: [string, string][] = [
    ['https://аpple.example/', 'https://xn--pple-43d.example/'],
    ['https://RECEIVER。example/', 'https://receiver.example/'],
    ['https://rec\u200beiver.example/', 'https://receiver.example/'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
  ];
  for (const [given, kept] of cases) assert.deepEqual(checkEndpointUrl(given, production), { ok: true, url: kept });
});

test('addresses with a zone are rejected from all sources', async () => {
  for (const zone of ['fe80::1%eth0', 'fe80::1%25eth0', '::1%lo', '2606:4700::1111%eth0', '127.0.0.2%lo']) {
    assert.ok(!production.allows(zone) && !development.allows(zone), zone);
    const result = await sendOnce(`http://zoned.example:${port}/`, {
      resolve: (_, callback) => callback(null, [{ address: zone, family: 6 }]),
    });
    assert.equal(result.error, 'blocked_address', zone);
  }
  assert.deepEqual(dialled, []);
});

// An independent copy of the special-purpose registries of IANA, compared as numbers.
const specialV4: [number, number][] = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
)
  .split(' ')
  .map((block) => {
    const [text = '', bits] = block.split('/');
    const from = text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    return [from, from + 2 ** (32 - Number(bits)) - 1];
  });
const isPublicV4 = (number: number) => !specialV4.some(([from, to]) => number >= from && number <= to);
const dotted = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);

const hextets = (text: string, bits: number): [bigint, bigint] => {
  const groups = text.split(':').map((group) => BigInt(`0x${group}`));
  const from = groups.reduce((sum, group, index) => sum | (group << BigInt(112 - 16 * index)), 0n);
  return [from, from | ((1n << BigInt(128 - bits)) - 1n)];
};
const specialV6 = [hextets('2001', 23), hextets('2001:db8', 32), hextets('2002', 16), hextets('3fff', 20), hextets('2620:4f:8000', 48)];
const [unicastFrom, unicastTo] = hextets('2000', 3);
function isPublicV6(number: bigint): boolean {
  if (number >> 32n === 0xffffn) return isPublicV4(Number(number & 0xffff_ffffn));
  return number >= unicastFrom && number <= unicastTo && !specialV6.some(([from, to]) => number >= from && number <= to);
}

const anyV4 = fc.oneof(
  fc.nat(0xffff_ffff),
  fc
    .constantFrom(...specialV4.flat())
    .chain((edge) => fc.integer({ min: -2, max: 2 }).map((by) => Math.min(0xffff_ffff, Math.max(0, edge + by)))),
);
const anyV6 = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  fc.bigInt({ min: unicastFrom, max: unicastTo }),
  anyV4.map((number) => (0xffffn << 32n) | BigInt(number)),
  fc
    .tuple(fc.constantFrom(...specialV6.flat(), unicastFrom, unicastTo), fc.bigInt({ min: -2n, max: 2n }))
    .map(([edge, by]) => (edge + by > 0n ? edge + by : 0n)),
  fc
    .tuple(fc.constantFrom(0x2001n, 0x64n, 0xfe80n, 0x2002n, 0xfd00n), fc.bigInt({ min: 0n, max: (1n << 112n) - 1n }))
    .map(([head, rest]) => (head << 112n) | rest),
);

test('property: IPv4 addresses in all notations match the registries, and short notations are not addresses', () => {
  const strict = createAddressPolicy({ allowPrivate: false, allowCidrs: [] });
  fc.assert(
    fc.property(anyV4, (number) => {
      const parts = dotted(number) as [number, number, number, number];
      const text = parts.join('.');
      const expected = isPublicV4(number);
      assert.equal(strict.allows(text), expected, text);
      assert.equal(strict.isPublic(text), expected, text);
      for (const written of spellings(parts).slice(1)) {
        const bare = written.replaceAll(/^\[|\]$/g, '');
        const isMapped = /^(?:::|0:0:0:0:0:)ffff:/i.test(bare) && !/^::ffff:0:/i.test(bare);
        if (isMapped) assert.equal(strict.allows(bare), expected, bare);
        else assert.equal(strict.allows(bare), false, bare);
        const checked = checkEndpointUrl(`https://${written}/`, strict);
        // As a host, short notations mean the same address. An address embedded in IPv6 by a translation is never allowed.
        const asHost = written.startsWith('[') && !isMapped ? false : expected;
        assert.equal(checked.ok, asHost, written);
      }
    }),
    { numRuns: 600 },
  );
});

test('property: IPv6 addresses in all notations match the registries', () => {
  const strict = createAddressPolicy({ allowPrivate: false, allowCidrs: [] });
  fc.assert(
    fc.property(anyV6, (number) => {
      const groups = Array.from({ length: 8 }, (_, index) => Number((number >> BigInt(112 - 16 * index)) & 0xffffn));
      const plain = groups.map((group) => group.toString(16)).join(':');
      const low = `${groups[6]! >> 8}.${groups[6]! & 255}.${groups[7]! >> 8}.${groups[7]! & 255}`;
      const written = [
        plain,
        plain.toUpperCase(),
        groups.map((group) => group.toString(16).padStart(4, '0')).join(':'),
        new URL(`http://[${plain}]/`).hostname.slice(1, -1),
        [...groups.slice(0, 6).map((group) => group.toString(16)), low].join(':'),
      ];
      for (const text of written) {
        assert.equal(strict.allows(text), isPublicV6(number), text);
        assert.equal(checkEndpointUrl(`https://[${text}]/`, strict).ok, isPublicV6(number), text);
      }
    }),
    { numRuns: 1_500 },
  );
});

test('property: text that is not an address is never allowed and causes no exception', () => {
  const strict = createAddressPolicy({ allowPrivate: true, allowCidrs: ['0.0.0.0/0'] });
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdefx.:%[]/ ')) })), (text) => {
      const verdict = strict.allows(text);
      const canonical = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || /^[0-9a-f:.]+$/i.test(text);
      if (!canonical) assert.equal(verdict, false, JSON.stringify(text));
    }),
    { numRuns: 3_000 },
  );
});

test('with production settings the API rejects internal URLs, and deliveries to stored internal URLs are not sent', async () => {
  const chancery: Chancery = await startChancery({
    inProcess: true,
    settings: { WEBHOOKS_ALLOW_PRIVATE: 'false', WEBHOOKS_ALLOW_CIDRS: '127.0.0.2/32', WEBHOOKS_DNS_SERVERS: dns.address },
  });
  try {
    const { owner }: { owner: User } = await chancery.team();
    const call = (method: string, rest: string, body?: object) =>
      chancery.call(method, `/api/v1/webhooks/${rest}`, { token: owner.token, ...(body ? { body } : {}) });
    const good = { name: 'A', url: 'https://receiver.example/hook', events: ['folder.created'] };
    const { body: made } = await call('POST', '', good);
    for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:7f00:1]', '169.254.169.254', '[64:ff9b::a9fe:a9fe]', 'localhost', '2130706433']) {
      const url = `https://${host}/hook`;
      const refused = await call('POST', '', { ...good, url });
      assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].rule], [422, 'url_not_allowed', 'public_address'], host);
      assert.equal((await call('PATCH', made.id, { url })).body.code, 'url_not_allowed', host);
    }
    dialled.length = 0;
    const urls = [
      `https://127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}/`,
      `http://169.254.169.254:${port}/latest`,
      `http://named.example:${port}/`,
    ];
    dns.answer = () => ({ addresses: ['127.0.0.1', '169.254.169.254', '::1'] });
    for (const url of urls) {
      await chancery.pool.query('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [made.id, url]);
      const { body: sent } = await call('POST', `${made.id}/test`);
      const failed = await eventually(url, async () => {
        const { body } = await call('GET', `${made.id}/deliveries/${sent.id}`);
        return body.status === 'failed' ? body : undefined;
      });
      assert.deepEqual([failed.error, failed.responseStatus], ['blocked_address', undefined], url);
      const { text } = await call('GET', `${made.id}/deliveries/${sent.id}/attempts`);
      assert.doesNotMatch(text, /127\.0\.0\.1|169\.254/);
    }
    assert.equal(canaryConnections, 0);
    dns.answer = ({ type }) => ({ addresses: type === 'A' ? ['127.0.0.2'] : [] });
    await chancery.pool.query('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [made.id, `http://named.example:${port}/`]);
    await call('POST', `${made.id}/test`);
    await eventually('the allowed delivery', () => outsideRequests > 0);
  } finally {
    await chancery.stop();
  }
});
