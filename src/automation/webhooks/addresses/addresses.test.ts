import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressPolicy } from './addresses.ts';
import { checkEndpointUrl } from './urls.ts';

const strict = createAddressPolicy({ allowPrivate: false, allowCidrs: [] });
const local = createAddressPolicy({ allowPrivate: true, allowCidrs: [] });

const publicOnes = ['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111', '::ffff:1.1.1.1'];
const privateOnes = [
  '127.0.0.1',
  '127.9.9.9',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fc00::1',
  'fd12::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
];
const never = [
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '169.254.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '100.100.100.200',
  'fd00:ec2::254',
  '::',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  '::ffff:0:127.0.0.1',
  '::7f00:1',
  '::ffff:169.254.169.254',
  '4000::1',
  'fe80::1%eth0',
  '',
  'localhost',
  '0x7f.1',
  '2130706433',
  '127.1',
  '0177.0.0.1',
  '127.0.0.1.',
];

test('only addresses of the public internet are reached', () => {
  for (const address of publicOnes) assert.ok(strict.allows(address) && strict.isPublic(address), address);
  for (const address of [...privateOnes, ...never]) assert.ok(!strict.allows(address) && !strict.isPublic(address), address);
});

test('private ones are reached when that is switched on; link-local, metadata and reserved ones never', () => {
  for (const address of [...publicOnes, ...privateOnes]) assert.ok(local.allows(address), address);
  for (const address of never) assert.ok(!local.allows(address), address);
});

test('an allowed block opens just that block, also for addresses mapped into IPv6', () => {
  const policy = createAddressPolicy({ allowPrivate: false, allowCidrs: ['10.20.0.0/16', 'fd12:3456::/32'] });
  for (const address of ['10.20.3.4', '::ffff:10.20.3.4', 'fd12:3456::1']) assert.ok(policy.allows(address), address);
  for (const address of ['10.21.0.1', 'fd12:3457::1', '127.0.0.1']) assert.ok(!policy.allows(address), address);
  assert.throws(() => createAddressPolicy({ allowPrivate: false, allowCidrs: ['10.0.0.0'] }), /10\.0\.0\.0 is not an address block/);
});

test('a literal private address is refused at registration however it is written', () => {
  const hosts = [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '１２７.0.0.1',
    '127。0。0。1',
    'localhost',
    'LOCALHOST.',
    'api.localhost',
    'printer.local',
    'metadata.google.internal',
  ];
  for (const host of hosts) {
    const checked = checkEndpointUrl(`https://${host}/hook`, strict);
    assert.equal(checked.ok ? 'accepted' : checked.rule, 'public_address', host);
  }
});

test('a valid URL is normalized; a text that is not a URL is rejected as such', () => {
  assert.deepEqual(checkEndpointUrl(' https://Example.COM:443/a b?c=d ', strict), { ok: true, url: 'https://example.com/a%20b?c=d' });
  assert.deepEqual(checkEndpointUrl('http://127.0.0.1:9/x', local), { ok: true, url: 'http://127.0.0.1:9/x' });
  for (const text of [
    '',
    'example.com/hook',
    '//example.com',
    'https:example.com',
    'https://',
    'mailto:a@b.c',
    'javascript:alert(1)',
    `https://example.com/${'x'.repeat(2_048)}`,
  ]) {
    const checked = checkEndpointUrl(text, local);
    assert.equal(checked.ok ? 'accepted' : checked.rule, 'url', text.slice(0, 40));
  }
  const http = checkEndpointUrl('http://example.com/', strict);
  assert.equal(http.ok ? 'accepted' : http.rule, 'https');
});
