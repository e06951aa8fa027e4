import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import * as kit from '@chancery/webhooks';
import { anyText } from '../../../test/arbitraries.ts';
import { newSecret, signedHeaders } from './sending/signature.ts';
import { verify, verifyWithKeys } from '@chancery/webhooks';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const nowSeconds = 1_763_683_200;
const body = Buffer.from('{"id":"evt_1","type":"task.created","name":"Zoë"}');
const signing = { eventId: 'evt_1', eventType: 'task.created', body, secret, nowSeconds };
const headers = signedHeaders(signing);

const errorCode = (code: string) => (error: unknown) => error instanceof Error && 'code' in error && error.code === code;

test('a delivery verifies with its current or previous secret, but not with another secret, another body or an old time', () => {
  fc.assert(
    fc.property(anyText(), fc.integer({ min: 0, max: 2 ** 33 }), fc.nat(), (name, at, flip) => {
      const [current, previous, other] = [newSecret(), newSecret(), newSecret()];
      const sent = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'a.b', name }));
      const signed = signedHeaders({ ...signing, body: sent, secret: current, previousSecret: previous, nowSeconds: at });
      const one = { nowSeconds: at };
      for (const good of [current, previous, [other, current]]) assert.equal(verify(sent, signed, good, one).id, 'evt_1');
      assert.equal(verify(sent.toString(), signed, current, { nowSeconds: at + 300 }).type, 'a.b');
      assert.throws(() => verify(sent, signed, other, one), errorCode('signature_mismatch'));
      const changed = Buffer.from(sent);
      changed[flip % sent.length]! ^= 1;
      assert.throws(() => verify(changed, signed, current, one), errorCode('signature_mismatch'));
      assert.throws(
        () => verify(sent, { ...signed, 'x-service-timestamp': String(at + 1) }, current, one),
        errorCode('signature_mismatch'),
      );
      for (const late of [at + 301, at - 301])
        assert.throws(() => verify(sent, signed, current, { nowSeconds: late }), errorCode('timestamp_out_of_tolerance'));
    }),
    { numRuns: 25 },
  );
});

test('headers of Node, fetch and frameworks are accepted; the caller sets the tolerance', () => {
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const form of [headers, new Headers(headers), upper]) assert.equal(verify(body, form, secret, { nowSeconds }).id, 'evt_1');
  assert.ok(verify(body, headers, secret, { nowSeconds: nowSeconds + 900, toleranceSeconds: 900 }));
  assert.throws(
    () => verify(body, headers, secret, { nowSeconds: nowSeconds + 1, toleranceSeconds: 0 }),
    errorCode('timestamp_out_of_tolerance'),
  );
  assert.throws(() => verify(body, headers, secret), errorCode('timestamp_out_of_tolerance'), 'by the clock by default');
});

test('missing, repeated and malformed headers, and signed bodies that are not events, are rejected with their code', () => {
  const cases: [object, string][] = [
    [{ 'x-service-timestamp': undefined }, 'missing_header'],
    [{ 'x-service-timestamp': 'now' }, 'malformed_header'],
    [{ 'x-service-timestamp': '-1763683200' }, 'malformed_header'],
    [{ 'x-service-timestamp': ['1', '2'] }, 'malformed_header'],
    [{ 'x-service-signature': ['v1=a', 'v1=b'] }, 'malformed_header'],
    [{ 'x-service-signature': '' }, 'signature_mismatch'],
    [{ 'x-service-signature': 'v1=' }, 'signature_mismatch'],
    [{ 'x-service-signature': `v2=${'0'.repeat(64)}` }, 'signature_mismatch'],
    [{ 'x-service-signature': headers['x-service-signature']?.toUpperCase() }, 'signature_mismatch'],
    [{ 'x-service-signature': undefined, 'webhook-signature': undefined }, 'missing_header'],
    [{ 'x-service-signature': undefined, 'webhook-id': 'evt_2' }, 'signature_mismatch'],
  ];
  for (const [change, code] of cases)
    assert.throws(() => verify(body, { ...headers, ...change }, secret, { nowSeconds }), errorCode(code), JSON.stringify(change));
  for (const text of ['', 'x', '[]', '{}', '{"id":1,"type":"a.b"}', 'null']) {
    const signed = signedHeaders({ ...signing, body: Buffer.from(text) });
    assert.throws(() => verify(text, signed, secret, { nowSeconds }), errorCode('malformed_body'), text);
  }
});

test('wrong use throws instead of accepting anything', () => {
  for (const empty of ['', [], ['']]) assert.throws(() => verify(body, headers, empty, { nowSeconds }), TypeError);
  assert.throws(() => verify(undefined as never, headers, undefined as never), TypeError);
  assert.throws(() => verify(JSON.parse(body.toString()), headers, secret, { nowSeconds }), /raw body/);
  assert.throws(() => verify(body, headers, secret, { nowSeconds, toleranceSeconds: Number.NaN }), TypeError);
});

test('it agrees with the public Standard Webhooks library in both directions', () => {
  const library = new Webhook(secret);
  const now = new Date();
  const signature = library.sign('evt_1', now, body.toString());
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const standard = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  assert.equal(verify(body, standard, secret).id, 'evt_1');
  assert.throws(() => verify(body, standard, newSecret()), errorCode('signature_mismatch'));
  const ours = signedHeaders({ ...signing, nowSeconds: Math.floor(now.getTime() / 1_000), previousSecret: newSecret() });
  assert.deepEqual(library.verify(body.toString(), ours), JSON.parse(body.toString()));
});

test('an Ed25519 signature verifies with a published key of the set, and with no other', () => {
  const [pair, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const signed = signedHeaders({ ...signing, signPublicly: (content) => sign(null, content, pair.privateKey) });
  const jwk = (key: typeof pair) => key.publicKey.export({ format: 'jwk' });
  const at = { nowSeconds };
  assert.equal(verifyWithKeys(body, signed, { keys: [jwk(other), jwk(pair)] }, at).id, 'evt_1');
  assert.throws(() => verifyWithKeys(body, signed, { keys: [jwk(other)] }, at), errorCode('signature_mismatch'));
  assert.throws(() => verifyWithKeys(body, headers, { keys: [jwk(pair)] }, at), errorCode('signature_mismatch'), 'no v1a signature');
  assert.throws(() => verifyWithKeys(`${body.toString()} `, signed, { keys: [jwk(pair)] }, at), errorCode('signature_mismatch'));
  assert.throws(
    () => verifyWithKeys(body, signed, { keys: [jwk(pair)] }, { nowSeconds: nowSeconds + 301 }),
    errorCode('timestamp_out_of_tolerance'),
  );
});

test('the vectors in docs/tutorials/receive-a-webhook.md are correct', () => {
  const text = readFileSync('docs/tutorials/receive-a-webhook.md', 'utf8');
  const block = /```json vectors\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const vectors: { secret: string; body: string; headers: Record<string, string>; publicKey?: object; verifies: boolean }[] =
    JSON.parse(block);
  assert.ok(vectors.filter(({ verifies }) => verifies).length >= 3 && vectors.some(({ verifies }) => !verifies));
  for (const vector of vectors) {
    const at = { nowSeconds: Number(vector.headers['x-service-timestamp'] ?? vector.headers['webhook-timestamp']) };
    const work = () =>
      vector.publicKey
        ? verifyWithKeys(vector.body, vector.headers, { keys: [vector.publicKey] }, at)
        : verify(vector.body, vector.headers, vector.secret, at);
    if (vector.verifies) assert.equal(work().id, JSON.parse(vector.body).id);
    else assert.throws(work, errorCode('signature_mismatch'));
  }
});

test('installed as a package it works as `@chancery/webhooks`, without the rest of the product', async () => {
  assert.equal(kit.verify(body, headers, secret, { nowSeconds }).id, 'evt_1');
  const folder = mkdtempSync(join(tmpdir(), 'chancery-kit-'));
  try {
    const installed = join(folder, 'node_modules/@chancery/webhooks');
    mkdirSync(installed, { recursive: true });
    for (const file of ['package.json', 'dist']) cpSync(join('packages/webhooks', file), join(installed, file), { recursive: true });
    const from = join(folder, 'index.mjs');
    cpSync(new URL('./verify-installed.mjs', pathToFileURL(`${process.cwd()}/test/fixtures/`)), from);
    const { check } = await import(pathToFileURL(from).href);
    assert.equal(check(body, headers, secret, { nowSeconds }), 'evt_1');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
