import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountKey, folded, instantKey, keyOf, numberKey } from './keys.ts';
import { searchedWords, wordsOf } from './words.ts';

const bytes = (text: string) => Buffer.from(text);
const order = (a: string, b: string) => Math.sign(Buffer.compare(bytes(a), bytes(b)));

test('number keys sort like the numbers, and equal numbers have equal keys', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, (a, b) => {
      assert.equal(order(numberKey(a), numberKey(b)), a === b ? 0 : a < b ? -1 : 1);
    }),
    { numRuns: 2_000 },
  );
  assert.equal(numberKey(-0), numberKey(0));
});

test('amount keys of a currency sort like the amounts, to the last decimal', () => {
  const amount = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 9_999 }))
    .map(([negative, whole, decimals]) => ({
      text: `${negative ? '-' : ''}${whole}.${String(decimals).padStart(4, '0')}`,
      exact: (negative ? -1n : 1n) * (whole * 10_000n + BigInt(decimals)),
    }));
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [left, right] = [amountKey({ amount: a.text, currency: 'EUR' }), amountKey({ amount: b.text, currency: 'EUR' })];
      assert.equal(order(left, right), a.exact === b.exact ? 0 : a.exact < b.exact ? -1 : 1);
    }),
  );
  assert.equal(amountKey({ amount: '1.5', currency: 'EUR' }), amountKey({ amount: '1.5000', currency: 'EUR' }));
});

test('time keys sort by instant', () => {
  assert.ok(order(instantKey('2026-03-01T10:00:00+02:00'), instantKey('2026-03-01T09:00:00Z')) < 0);
  assert.equal(instantKey('2026-03-01T10:00:00+01:00'), instantKey('2026-03-01T09:00:00Z'));
  assert.ok(order(instantKey('2026-03-01T10:00Z'), instantKey('9999-12-31T23:30:00-14:00')) < 0);
  assert.ok(order(instantKey('0001-01-01T00:00:00+14:00'), instantKey('0001-01-01T00:00Z')) < 0);
});

test('local times without an offset keep their order in every machine time zone, even in a skipped hour', () => {
  const zone = process.env.TZ;
  try {
    process.env.TZ = 'Europe/Berlin';
    assert.equal(instantKey('2026-03-10T00:30'), '2026-03-10T00:30:00.000Z');
    assert.ok(order(instantKey('2026-03-29T02:30'), instantKey('2026-03-29T03:30')) < 0);
    assert.equal(instantKey('2026-03-10T00:30:00.5'), '2026-03-10T00:30:00.500Z');
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test('a text key is short, equal only for texts that differ in case, and matched by every prefix of the text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 }).filter((one) => one.isWellFormed());
  const lower = (one: string) => one.normalize('NFKC').toLowerCase().normalize('NFC');
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [left, right] = [keyOf('text', a) ?? '', keyOf('text', b) ?? ''];
      assert.ok(Buffer.byteLength(left) <= 210 && left.isWellFormed());
      assert.equal(left === right, lower(a) === lower(b));
      // The key fits into a cursor, which is JSON in base64.
      assert.ok(Buffer.from(JSON.stringify([left, crypto.randomUUID()])).toString('base64url').length <= 400);
      assert.ok(left.startsWith(folded(a)));
    }),
    { numRuns: 1_000 },
  );
});

test('words are found by their prefixes, and by pairs in scripts without spaces', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((one) => one.isWellFormed());
  fc.assert(
    fc.property(text, fc.nat(), (words, at) => {
      const kept = wordsOf(words);
      const one = kept[at % Math.max(1, kept.length)];
      if (one === undefined) return;
      for (const search of searchedWords(one))
        assert.ok(
          kept.some((word) => word.startsWith(search)),
          `${search} in ${kept.join(' ')}`,
        );
    }),
  );
  assert.deepEqual(wordsOf('Zoë’s  ÉTÉ, r2d2@example.org'), ['zoe', 's', 'ete', 'r2d2', 'example', 'org']);
  assert.deepEqual(wordsOf('東京都'), ['東京', '京都', '都']);
  assert.deepEqual(searchedWords('東京都'), ['東京', '京都']);
  assert.deepEqual(searchedWords('都'), ['都']);
});
