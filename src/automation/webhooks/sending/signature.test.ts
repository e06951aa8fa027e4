import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecret, signedHeaders } from './signature.ts';

const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const body = Buffer.from('{"id":"evt_1","name":"Zoë"}');
const nowSeconds = 1_763_683_200;
const signing = { eventId: 'evt_1', eventType: 'task.created', body, secret, nowSeconds };

test('the signatures of a known delivery match the expected values', () => {
  // Computed with OpenSSL: `openssl dgst -sha256 -hmac <secret>`, and `-mac HMAC -macopt hexkey:000102…1f -binary | base64`.
  const headers = signedHeaders(signing);
  assert.equal(headers['x-service-signature'], 'v1=7ef702726585f74e0dc7bffa458ed2688adb83fdb6c4eb69178281da2c40be93');
  assert.equal(headers['webhook-signature'], 'v1,z5tO6gdLnptA4MActTvW3inzHAjML8pI+WVq0CZS9XU=');
  assert.equal(headers['x-service-timestamp'], '1763683200');
  assert.equal(headers['webhook-id'], 'evt_1');
  assert.ok(!('x-service-signature-previous' in headers));
});

test('a secret is whsec_ and 32 bytes, never twice the same', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  assert.equal(new Set(secrets).size, 100);
  for (const one of secrets) assert.equal(Buffer.from(one.slice('whsec_'.length), 'base64').length, 32);
});
