import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { equalInConstantTime, hmac, newCode, newTeamToken, newToken, readTeamToken, tokenHash } from './tokens.ts';

test('a token is 32 bytes in URL-safe form, and never the same', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  assert.ok(tokens.every((token) => /^[\w-]{43}$/.test(token) && Buffer.from(token, 'base64url').length === 32));
  assert.equal(new Set(tokens).size, tokens.length);
});

test('the token of a team names the team, has 32 random bytes, and no other text is read as one', () => {
  fc.assert(
    fc.property(fc.uuid(), (team) => {
      const token = newTeamToken(team);
      assert.deepEqual(readTeamToken(token), { team, hash: tokenHash(token) });
      assert.equal(Buffer.from(token, 'base64url').length, 48);
      assert.match(token, /[A-Za-z0-9]$/, 'a link can end with it');
      assert.notEqual(newTeamToken(team), token);
      for (const other of [token.slice(1), `${token}A`, token.replace(/.$/, '='), token.replace(/^./, 'ä')])
        assert.equal(readTeamToken(other), undefined);
    }),
  );
});

test('only the SHA-256 of a token is stored', () => {
  assert.equal(tokenHash('abc').toString('hex'), createHash('sha256').update('abc').digest('hex'));
});

test('a code has its digits with leading zeros, and all codes are about equally likely', () => {
  const codes = Array.from({ length: 20_000 }, () => newCode(6));
  assert.ok(codes.every((code) => /^[0-9]{6}$/.test(code)));
  // 20 000 draws: each first digit 2 000 times with a standard deviation of 42. Six of these are practically impossible.
  for (let digit = 0; digit < 10; digit += 1) {
    const share = codes.filter((code) => code.startsWith(String(digit))).length;
    assert.ok(Math.abs(share - 2_000) < 260, `${digit} came first ${share} times`);
  }
});

test('no two lists of parts have the same keyed hash', () => {
  const key = randomBytes(32);
  const parts = fc.array(fc.string({ maxLength: 6 }), { maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      assert.equal(hmac(key, ...one).equals(hmac(key, ...other)), JSON.stringify(one) === JSON.stringify(other));
    }),
  );
  assert.notDeepEqual(hmac(key, 'ab', 'c'), hmac(key, 'a', 'bc'));
  assert.notDeepEqual(hmac(key, '1:a'), hmac(key, '', '1:a'));
  assert.notDeepEqual(hmac(key, 'a'), hmac(randomBytes(32), 'a'));
});

test('buffers are equal if all their bytes are, and different if their lengths differ', () => {
  const value = randomBytes(32);
  assert.equal(equalInConstantTime(value, Buffer.from(value)), true);
  assert.equal(equalInConstantTime(value, randomBytes(32)), false);
  assert.equal(equalInConstantTime(value, value.subarray(0, 31)), false);
  assert.equal(equalInConstantTime(Buffer.alloc(0), Buffer.alloc(0)), true);
});
