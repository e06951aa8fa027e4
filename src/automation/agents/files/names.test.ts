import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { anyText } from '../../../../test/arbitraries.ts';
import fc from 'fast-check';
import { readFileName } from './names.ts';

const name = (given: string) => {
  const read = readFileName(given);
  return 'nameError' in read ? undefined : read.name;
};

test('valid file names are stored as written', () => {
  for (const good of [
    'AGENTS.md',
    'playbooks/nda.md',
    'a/b/c/d/e/f/g/h',
    'Größe & Maß (2).txt',
    '日本語/契約.md',
    '.hidden',
    'a..b',
    '100%',
    'a'.repeat(255),
  ])
    assert.equal(name(good), good.normalize('NFC'), good);
  assert.equal(name('Gro\u0308ße'), 'Größe');
  assert.deepEqual(
    [readFileName('README.md'), readFileName('readme.MD')].map((one) => ('key' in one ? one.key : '')),
    ['readme.md', 'readme.md'],
  );
});

test('unsafe, misleading and empty names are rejected', () => {
  const bad = [
    '',
    '/',
    '/etc/passwd',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/./b',
    'a\\b',
    '..\\a',
    'C:a',
    'a\0b',
    'a\nb',
    'a\u202eb',
    'a\u200bb',
  ];
  bad.push(
    '..%2fa',
    '%2e%2e/a',
    'a%00',
    'a%5Cb',
    'CON',
    'nul.txt',
    'a/LPT1.md',
    'a ',
    ' a',
    'a.',
    '\ud800',
    '．．/a',
    'a／b',
    '‥',
    'ＣＯＮ',
    'a％2fb',
    'a：b',
  );
  bad.push('a'.repeat(256), 'é'.repeat(128), Array(9).fill('a').join('/'), Array(3).fill('a'.repeat(200)).join('/'));
  for (const one of bad) assert.equal(name(one), undefined, JSON.stringify(one));
});

test('property: an accepted name stays in its folder, can be read again, and does not change when it is decoded', () => {
  const pieces = fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '%2e',
    '%2f',
    '%',
    '\0',
    ' ',
    'a',
    'B',
    'é',
    'e\u0301',
    '．',
    '／',
    '‥',
    'con',
    ':',
    '\u202e',
    '\u00ad',
    '\ud83d',
    '😀',
  );
  const given = fc.oneof(
    anyText({ maxLength: 40 }),
    fc.array(pieces, { maxLength: 12 }).map((some) => some.join('')),
  );
  fc.assert(
    fc.property(given, (text) => {
      const read = readFileName(text);
      if ('nameError' in read) return;
      for (const one of [read.name, read.key, read.name.normalize('NFKC'), read.name.normalize('NFD')]) {
        const inside = posix.join('/root', one);
        assert.ok(inside.startsWith('/root/') && inside !== '/root/', JSON.stringify(text));
        assert.ok(!/[\\\p{Cc}]/u.test(one), JSON.stringify(text));
      }
      assert.deepEqual(readFileName(read.name), read);
      assert.ok(Buffer.byteLength(read.name) <= 500);
      let decoded = read.name;
      try {
        decoded = decodeURIComponent(read.name);
      } catch {
        // The name is not a valid encoding.
      }
      assert.equal(decoded, read.name);
    }),
    { numRuns: 3_000 },
  );
});
