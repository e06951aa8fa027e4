import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../../test/arbitraries.ts';
import { fileNameOf, safeName, uniqueNames } from './names.ts';

/** Texts that are dangerous in archives: paths, devices, invisible and direction characters, long names, other scripts. */
const odd = fc.array(
  fc.oneof(
    fc.constantFrom(
      '..',
      '/',
      '\\',
      'con',
      'CON.txt',
      'Nul',
      'com1',
      '.',
      ' ',
      ':',
      '\0',
      '\n',
      '\u202e',
      '\u200b',
      '\ufeff',
      '\ud800',
      'é',
      'e\u0301',
      'İ',
      'ß',
      'ﬁ',
      'नि',
      '👩‍⚖️',
    ),
    anyText({ maxLength: 20 }),
    fc.string({ unit: fc.constantFrom('a', 'é'), minLength: 200, maxLength: 300 }),
  ),
  { maxLength: 6 },
);

test('no name leaves its folder, is reserved, changes the direction of writing, or is too long', () => {
  fc.assert(
    fc.property(odd, (parts) => {
      const name = safeName(parts.join(''));
      assert.ok(name.isWellFormed() && name.length > 0 && Buffer.byteLength(name) <= 152, JSON.stringify(name));
      assert.doesNotMatch(name, /[/\\:*?"<>|\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u);
      assert.doesNotMatch(name, /^\.|[\s.]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
    }),
    { numRuns: 300 },
  );
  assert.deepEqual(['../../etc/passwd', 'CON.pdf', '..', 'con .txt', 'Vertrag\u202egpj.exe', 'a:b', ' NDA . ', ''].map(safeName), [
    '_.._etc_passwd',
    '_CON.pdf',
    '_',
    '_con .txt',
    'Vertraggpj.exe',
    'a_b',
    'NDA',
    '_',
  ]);
  assert.equal(safeName(`${'é'.repeat(300)}.pdf`), `${'é'.repeat(73)}.pdf`);
});

test('no two names are equal on any file system, and a folder differs from the files beside it', () => {
  fc.assert(
    fc.property(fc.array(odd, { minLength: 2, maxLength: 12 }), (all) => {
      const name = uniqueNames(['errors.txt']);
      const given = all.map((parts) => name('', parts.join('')));
      assert.equal(new Set(given.map((one) => one.normalize('NFKC').toLowerCase())).size, given.length, JSON.stringify(given));
      assert.ok(!given.some((one) => one.toLowerCase() === 'errors.txt'));
    }),
    { numRuns: 100 },
  );
  const name = uniqueNames(['errors.txt']);
  assert.deepEqual(
    ['NDA.pdf', 'nda.PDF', 'NDA (2).pdf', 'Errors.txt', 'NDA.pdf'].map((one) => name('a/', one)),
    ['a/NDA.pdf', 'a/nda (2).PDF', 'a/NDA (2) (2).pdf', 'a/Errors.txt', 'a/NDA (3).pdf'],
  );
  assert.equal(name('', 'Errors.txt'), 'Errors (2).txt');
  const many = Array.from({ length: 20_000 }, () => name('b/', 'NDA.pdf'));
  assert.equal(many.at(-1), 'b/NDA (20000).pdf', 'many equal names need no search for each');
});

test('a document’s file name is its title with the extension of its file', () => {
  assert.equal(fileNameOf('NDA with Acme', 'scan 4.pdf'), 'NDA with Acme.pdf');
  assert.equal(fileNameOf('NDA.PDF', 'scan.pdf'), 'NDA.PDF');
  assert.equal(fileNameOf('Version 1.2', 'noending'), 'Version 1.2');
});
