import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../test/arbitraries.ts';
import { open, seal } from './secretbox.ts';

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));

test('an encrypted value decrypts with the same key and context, byte for byte', () => {
  fc.assert(
    fc.property(key, bytes, anyText({ maxLength: 40 }), (k, plain, place) =>
      assert.deepEqual(open(k, seal(k, plain, place), place), plain),
    ),
  );
});

test('a text decrypts to its UTF-8 bytes', () => {
  const k = randomBytes(32);
  assert.equal(open(k, seal(k, 'Grüße 🔑', 'a'), 'a').toString(), 'Grüße 🔑');
});

test('a value with one changed bit is rejected, without secret material in the error', () => {
  fc.assert(
    fc.property(key, bytes, fc.nat(), fc.integer({ min: 0, max: 7 }), (k, plain, at, bit) => {
      const sealed = seal(k, plain, 'team 1');
      const index = at % sealed.length;
      sealed[index] = (sealed[index] ?? 0) ^ (1 << bit);
      assert.throws(
        () => open(k, sealed, 'team 1'),
        (error: Error) =>
          /^An encrypted secret (has an unknown format|was created with another master key|was changed or belongs to another row)\.$/.test(
            error.message,
          ),
      );
    }),
  );
});

test('a truncated or extended value is rejected', () => {
  const k = randomBytes(32);
  const sealed = seal(k, 'secret', 'x');
  for (let length = 0; length < sealed.length; length += 1)
    assert.throws(() => open(k, sealed.subarray(0, length), 'x'), /an encrypted secret/i);
  assert.throws(() => open(k, Buffer.concat([sealed, Buffer.of(0)]), 'x'), /was changed/);
});

test('a wrong key and a wrong context have different errors', () => {
  const [mine, theirs] = [randomBytes(32), randomBytes(32)];
  const sealed = seal(mine, 'secret', 'account 1');
  assert.throws(() => open(theirs, sealed, 'account 1'), /another master key/);
  assert.throws(() => open(mine, sealed, 'account 2'), /belongs to another row/);
});

test('the same secret never encrypts to the same bytes', () => {
  const k = randomBytes(32);
  const boxes = new Set(Array.from({ length: 500 }, () => seal(k, 'secret', 'x').subarray(5, 17).toString('hex')));
  assert.equal(boxes.size, 500);
});

test('a key of another length is rejected', () => {
  assert.throws(() => seal(randomBytes(16), 'secret', 'x'), /key length/i);
});
