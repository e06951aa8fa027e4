import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Challenge, createChallenge as signV2, type Solution, solveChallenge as solveV2, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { solveChallenge as solveV1 } from 'altcha-lib/v1';
import type { Challenge as ChallengeV1 } from 'altcha-lib/v1/types';
import * as fc from 'fast-check';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { createChallenge, verifyProof } from './altcha.ts';

const key = 'a key of the service';
const now = new Date('2026-03-01T12:00:00.500Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

type Proof = Record<string, unknown>;
type ProofV2 = {
  challenge: { parameters: Record<string, unknown>; signature: string };
  solution: { counter: number; derivedKey: string; time: number };
};

const encoded = (proof: unknown) => Buffer.from(JSON.stringify(proof)).toString('base64');
const check = (proof: unknown, changes: Partial<{ key: string; action: string; now: Date }> = {}) =>
  verifyProof(proof, { key, action: 'register', now, ...changes });

async function codeOf(proof: unknown, changes?: Parameters<typeof check>[1]): Promise<string> {
  const result = await check(proof, changes);
  return result.ok ? 'ok' : result.code;
}

async function proofV1(action?: string): Promise<Proof & { salt: string; number: number; challenge: string }> {
  const challenge = (await createChallenge({ version: 1, action, key, now })) as ChallengeV1;
  const solution = await solveV1(challenge.challenge, challenge.salt, 'SHA-256', challenge.maxnumber).promise;
  assert.ok(solution);
  const { algorithm, challenge: hash, salt, signature } = challenge;
  return { algorithm, challenge: hash, number: solution.number, salt, signature, took: solution.took };
}

async function proofV2(action?: string): Promise<ProofV2> {
  const challenge = (await createChallenge({ version: 2, action, key, now })) as Challenge;
  const solution = (await solveV2({ challenge, deriveKey })) as Solution;
  assert.ok(solution);
  return { challenge, solution } as unknown as ProofV2;
}

// Solving takes a moment, so each kind is solved once.
const [v1, v1Register, v1Reset, v2, v2Reset] = await Promise.all([
  proofV1(),
  proofV1('register'),
  proofV1('reset'),
  proofV2(),
  proofV2('reset'),
]);

describe('a challenge', () => {
  test('of version 1 has the members that every release of the widget accepts', async () => {
    const challenge = (await createChallenge({ version: 1, action: 'register', key, now })) as ChallengeV1;
    assert.deepEqual(Object.keys(challenge).toSorted(), ['algorithm', 'challenge', 'maxnumber', 'salt', 'signature']);
    assert.equal(challenge.algorithm, 'SHA-256');
    assert.equal(challenge.maxnumber, 50_000);
    assert.match(challenge.salt, /^[0-9a-f]{24}\?action=register&expires=1772367000&$/);
  });

  test('of version 2 has a key to find, ten minutes to do it, and the action', async () => {
    const { parameters, signature } = (await createChallenge({ version: 2, action: 'reset', key, now })) as Challenge;
    const { algorithm, cost, keyLength, expiresAt, data } = parameters;
    assert.deepEqual(
      { algorithm, cost, keyLength, expiresAt, data },
      { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyLength: 32, expiresAt: 1_772_367_000, data: { action: 'reset' } },
    );
    assert.ok(parameters.keySignature && signature);
  });

  test('is never issued twice', async () => {
    const challenges = await Promise.all(Array.from({ length: 50 }, () => createChallenge({ version: 1, action: undefined, key, now })));
    assert.equal(new Set(challenges.map((challenge) => (challenge as ChallengeV1).salt)).size, 50);
  });
});

describe('a solved challenge is accepted', () => {
  for (const [name, proof] of Object.entries({ v1, v2 })) {
    test(`${name}, as base64 of JSON and as an object`, async () => {
      const [text, object] = await Promise.all([check(encoded(proof)), check(proof)]);
      assert.ok(text.ok && object.ok);
      assert.equal(text.id.length, 32);
      assert.deepEqual(text.id, object.id);
      assert.equal(text.expiresAt.toISOString(), '2026-03-01T12:10:00.000Z');
    });

    test(`${name}, for either action if it was created without one`, async () => {
      assert.equal(await codeOf(proof, { action: 'register' }), 'ok');
      assert.equal(await codeOf(proof, { action: 'reset' }), 'ok');
    });
  }

  test('for the action it was created for, and no other', async () => {
    assert.equal(await codeOf(v1Register), 'ok');
    assert.equal(await codeOf(v1Register, { action: 'reset' }), 'altcha_invalid');
    assert.equal(await codeOf(v1Reset), 'altcha_invalid');
    assert.equal(await codeOf(v2Reset), 'altcha_invalid');
    assert.equal(await codeOf(v2Reset, { action: 'reset' }), 'ok');
  });

  test('until its ten minutes end, by the given clock', async () => {
    for (const proof of [v1, v2]) {
      assert.equal(await codeOf(proof, { now: later(599) }), 'ok');
      assert.equal(await codeOf(proof, { now: later(600) }), 'altcha_expired');
      assert.equal(await codeOf(proof, { now: later(86_400) }), 'altcha_expired');
    }
  });

  test('v2 with the same result as the library', async () => {
    const challenge = (await createChallenge({ version: 2, action: 'register', key, now: new Date() })) as Challenge;
    const solution = (await solveV2({ challenge, deriveKey })) as Solution;
    const theirs = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: key });
    assert.equal(theirs.verified, true);
    assert.equal(await codeOf({ challenge, solution }, { now: new Date() }), 'ok');
  });
});

describe('no proof', () => {
  for (const proof of [undefined, null, ''])
    test(JSON.stringify(proof) ?? 'undefined', async () => assert.equal(await codeOf(proof), 'altcha_required'));

  const garbage = {
    'no base64': '!!!',
    'base64 of invalid JSON': Buffer.from('{"challenge":').toString('base64'),
    'base64 of an array': encoded([v1]),
    'base64 of null': encoded(null),
    'an array': [v1],
    'a number': 7,
    true: true,
    'an empty object': {},
    'the test payload of the widget': encoded({ challenge: null, solution: null, test: true }),
    'the test payload as an object': { challenge: null, solution: null, test: true },
    'the challenge alone': { ...v1, number: undefined },
    'a very long text': 'A'.repeat(1_000_000),
    'a valid proof in a very long text': encoded({ ...v1, extra: 'x'.repeat(8_192) }),
    'deeply nested': encoded({
      challenge: { parameters: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)), signature: 'x' },
      solution: {},
    }),
    'nested too deeply to serialize': {
      challenge: { parameters: { a: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) }, signature: 'x' },
      solution: {},
    },
    '__proto__ for members': JSON.parse(`{"__proto__": ${JSON.stringify(v1)}}`),
  };
  for (const [name, proof] of Object.entries(garbage))
    test(`${name} is invalid`, async () => assert.equal(await codeOf(proof), 'altcha_invalid'));

  test('any other input is invalid and throws nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), fc.string({ minLength: 1 })),
        async (value) => value === null || value === '' || (await codeOf(value)) === 'altcha_invalid',
      ),
    );
  });
});

/** The used proof in other encodings. Each is the same proof with the same ID, or invalid. */
describe('another encoding of a used proof', () => {
  const { salt, number } = v1;
  const text = JSON.stringify(v1);
  const same: Record<string, unknown> = {
    'further members': { ...v1, extra: 1, took: -5 },
    'another order': Object.fromEntries(Object.entries(v1).toReversed()),
    base64url: Buffer.from(text).toString('base64url'),
    'base64 without padding': encoded(v1).replace(/=+$/, ''),
    'base64 with line breaks': encoded(v1).replace(/.{20}/g, '$&\n'),
    'white space in the JSON': Buffer.from(JSON.stringify(v1, undefined, 3)).toString('base64'),
    'a number with a zero fraction': Buffer.from(text.replace(`"number":${number}`, `"number":${number}.0`)).toString('base64'),
    'a duplicate member': Buffer.from(text.replace('{', '{"number":1,')).toString('base64'),
    'version 2: additional members': { ...v2, extra: 1, challenge: { ...v2.challenge, extra: 1 } },
    'version 2: another order': {
      solution: v2.solution,
      challenge: {
        signature: v2.challenge.signature,
        parameters: Object.fromEntries(Object.entries(v2.challenge.parameters).toReversed()),
      },
    },
    'version 2: another counter, which proves nothing': { ...v2, solution: { ...v2.solution, counter: 199 } },
  };
  for (const [name, proof] of Object.entries(same)) {
    test(`${name}: the same id`, async () => {
      const [first, again] = await Promise.all([check(name.startsWith('version 2') ? v2 : v1), check(proof)]);
      assert.ok(first.ok && again.ok);
      assert.deepEqual(again.id, first.id);
    });
  }

  const digits = String(number);
  const none: Record<string, unknown> = {
    'the number as a string': { ...v1, number: digits },
    'the number in an array': { ...v1, number: [number] },
    'the salt without its end': { ...v1, salt: salt.slice(0, -1) },
    'a negative number': { ...v1, number: -1 },
    'a number with a fraction': { ...v1, number: number + 0.5 },
    'the number out of range': { ...v1, number: 1e21 },
    'another algorithm': { ...v1, algorithm: 'SHA-1' },
    'the algorithm in another case': { ...v1, algorithm: 'sha-256' },
    'the challenge in upper case': { ...v1, challenge: v1.challenge.toUpperCase() },
    'digits moved into the salt': { ...v1, salt: salt + digits.slice(0, 1), number: Number(digits.slice(1)) },
    'digits moved out of the salt': { ...v1, salt: salt.replace(/\d&$/, ''), number },
    'version 2: an additional parameter': { ...v2, challenge: { ...v2.challenge, parameters: { ...v2.challenge.parameters, extra: 1 } } },
    'version 2: the signature in upper case': { ...v2, challenge: { ...v2.challenge, signature: v2.challenge.signature.toUpperCase() } },
    'version 2: the key in upper case': { ...v2, solution: { ...v2.solution, derivedKey: v2.solution.derivedKey.toUpperCase() } },
    'version 2: the counter as a string': { ...v2, solution: { ...v2.solution, counter: '1' } },
  };
  for (const [name, proof] of Object.entries(none))
    test(`${name}: invalid`, async () => assert.equal(await codeOf(proof), 'altcha_invalid'));

  test('two proofs have two ids', async () => {
    const results = await Promise.all([check(v1), check(v2), check(v1Register), check(v2Reset, { action: 'reset' })]);
    assert.ok(results.every(({ ok }) => ok));
    assert.equal(new Set(results.map((result) => (result.ok ? result.id.toString('hex') : ''))).size, 4);
  });
});

describe('a forged proof', () => {
  test('with an expiry extended by moving digits between salt and number is invalid', async () => {
    // Without a delimiter, the text `…expires=1772367000` + `123` is also `…expires=1772367000123` + ``: a known weakness of old libraries.
    const bare = 'abcdef?expires=1772367000';
    const challenge = createHash('sha256').update(`${bare}123`).digest('hex');
    const signature = createHmac('sha256', key).update(challenge).digest('hex');
    for (const [salt, number] of [
      [bare, 123],
      [`${bare}1`, 23],
      [`${bare}12`, 3],
    ] as const) {
      assert.equal(await codeOf({ algorithm: 'SHA-256', challenge, salt, number, signature }), 'altcha_invalid');
    }
  });

  test('of another key is invalid', async () => {
    for (const proof of [v1, v2]) assert.equal(await codeOf(proof, { key: 'another' }), 'altcha_invalid');
  });

  test('without the work is invalid', async () => {
    assert.equal(await codeOf({ ...v1, number: (v1.number + 1) % 50_000 }), 'altcha_invalid');
    assert.equal(
      await codeOf({ ...v2, solution: { ...v2.solution, derivedKey: `${String(v2.challenge.parameters.keyPrefix)}${'0'.repeat(32)}` } }),
      'altcha_invalid',
    );
  });

  const easier = {
    cost: 1,
    keyPrefix: '00',
    expiresAt: 4_000_000_000,
    nonce: '00',
    salt: '00',
    keyLength: 1,
    keySignature: undefined,
    data: { action: 'register' },
    algorithm: 'SCRYPT',
  };
  for (const [member, value] of Object.entries(easier)) {
    test(`with an edited ${member} is invalid`, async () => {
      const challenge = { ...v2.challenge, parameters: { ...v2.challenge.parameters, [member]: value } };
      assert.equal(await codeOf({ ...v2, challenge }), 'altcha_invalid');
    });
  }

  test('with a malformed or missing signature is invalid', async () => {
    for (const signature of [undefined, null, '', 'x', 7, [v2.challenge.signature], v2.challenge.signature.slice(0, 63)]) {
      assert.equal(await codeOf({ ...v2, challenge: { ...v2.challenge, signature } }), 'altcha_invalid');
      assert.equal(await codeOf({ ...v1, signature }), 'altcha_invalid');
    }
  });

  test('of version 2 with a huge cost is rejected before any key is derived', async () => {
    const { parameters } = v2.challenge;
    const costly = { ...v2, challenge: { ...v2.challenge, parameters: { ...parameters, cost: 2_000_000_000, keySignature: undefined } } };
    const used = await cpuTimeOf(async () => assert.equal(await codeOf(costly), 'altcha_invalid'));
    // Deriving the keys would take minutes.
    assert.ok(used < 10_000, `${used} ms`);
  });

  test('that expires between two reads of the clock is invalid, because an expired challenge needs a valid signature too', async () => {
    const solution = { counter: 1, derivedKey: '00'.repeat(32), time: 1 };
    const forged = (expiresAt: number) => ({
      challenge: { parameters: { ...v2.challenge.parameters, expiresAt }, signature: 'x' },
      solution,
    });
    // By the clock of the machine these expired long ago, by the clock of the request not yet.
    assert.equal(await codeOf(forged(later(1).getTime() / 1000)), 'altcha_invalid');
    assert.equal(await codeOf(forged(Date.now() / 1000 - 0.001), { now: new Date(Date.now() - 50) }), 'altcha_invalid');
    assert.equal(await codeOf(forged(1)), 'altcha_invalid');
  });

  test('made by the library with another secret is invalid', async () => {
    const theirs = await signV2({
      algorithm: 'PBKDF2/SHA-256',
      cost: 5_000,
      counter: 3,
      deriveKey,
      hmacSignatureSecret: 'theirs',
      expiresAt: later(60),
    });
    const solution = await solveV2({ challenge: theirs, deriveKey });
    assert.equal(await codeOf({ challenge: theirs, solution }), 'altcha_invalid');
  });
});
