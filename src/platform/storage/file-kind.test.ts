import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { createDiskStorage } from './disk.ts';
import { acceptedKind, kindOf, nameOfKind, unknownKind } from './file-kind.ts';
import type { FileStore } from './storage.ts';

let folder: string;
let storage: FileStore;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-kind-'));
  storage = await createDiskStorage({ folder });
});
after(() => rm(folder, { recursive: true }));

async function kind(bytes: string | Uint8Array) {
  const { key, size } = await storage.write(Readable.from([Buffer.from(bytes)]), { maxBytes: 1e8 });
  const found = await kindOf(storage, key, size);
  await storage.remove(key);
  return found;
}
const typeOf = async (bytes: string | Uint8Array) => (await kind(bytes)).mediaType;

/** A zip archive of one stored or deflated entry each, without its directory, as a stream writes it. */
function zip(entries: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(entries).map(([name, text]) => {
      const [data, plain] = [deflateRawSync(text), Buffer.from(text)];
      const head = Buffer.alloc(30);
      head.write('PK\u0003\u0004', 0, 'latin1');
      head.writeUInt16LE(20, 4);
      head.writeUInt16LE(8, 8);
      head.writeUInt32LE(data.length, 18);
      head.writeUInt32LE(plain.length, 22);
      head.writeUInt16LE(name.length, 26);
      return Buffer.concat([head, Buffer.from(name), data]);
    }),
  );
}
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test('the bytes say what a file is, whatever it is called', async () => {
  assert.equal(await typeOf('%PDF-1.7\n%âãÏÓ'), 'application/pdf');
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  assert.equal(await typeOf(png), 'image/png');
  assert.deepEqual(await kind(png.subarray(0, 20)), unknownKind, 'half of a picture is none');
  assert.equal(await typeOf(Buffer.from('ffd8ffe000104a46494600', 'hex')), 'image/jpeg');
  assert.equal(await typeOf(Buffer.concat([Buffer.from('MZ\u0090\0\u0003', 'latin1'), randomBytes(500)])), 'application/x-msdownload');
  assert.equal(await typeOf(Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(60)])), 'application/x-elf');
  const types = `<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="${word}.main+xml"/></Types>`;
  assert.equal(await typeOf(zip({ '[Content_Types].xml': types, 'word/document.xml': 'x' })), word);
});

test('text is text, whatever is written in it; what nothing is known of is nothing in particular', async () => {
  for (const text of [
    'name;amount\nÄrger;3',
    '<script>alert(1)</script>',
    '<svg onload=alert(1) xmlns="http://www.w3.org/2000/svg"/>',
    '{"a": 1}',
    'x',
  ])
    assert.deepEqual(await kind(text), { mediaType: 'text/plain', extension: 'txt' }, text);
  // A character that the sample cuts in two.
  assert.equal(await typeOf(`${'a'.repeat(65_535)}ä${'b'.repeat(10)}`), 'text/plain');
  for (const bytes of ['', 'a\0b', Buffer.from('c3', 'hex'), Buffer.from('ff00fe01', 'hex')])
    assert.deepEqual(await kind(bytes), unknownKind);
});

test('whatever a file holds, it is of some kind', async () => {
  const beginnings = ['', 'PK\u0003\u0004', '%PDF-', 'MZ', 'RIFF', 'ID3', '\u001f\u008b', 'GIF89a', '<?xml', 'ftyp', 'II*\0'].map((text) =>
    Buffer.from(text, 'latin1'),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 3_000 }), async (beginning, rest) => {
      assert.match(await typeOf(Buffer.concat([beginning, rest])), /^[\w.+-]+\/[\w.+;=, -]+$/);
    }),
    { numRuns: 60 },
  );
});

test('what is taken is taken by its kind; of texts the name says which, where that is asked for', () => {
  const pdf = { mediaType: 'application/pdf', extension: 'pdf' };
  const text = { mediaType: 'text/plain', extension: 'txt' };
  const exe = { mediaType: 'application/x-msdownload', extension: 'exe' };
  assert.equal(acceptedKind(pdf, 'a.exe', ['application/pdf']), pdf);
  assert.equal(acceptedKind(exe, 'invoice.pdf', ['application/pdf', 'image/*', 'text/plain']), undefined);
  assert.equal(acceptedKind({ mediaType: 'image/png', extension: 'png' }, 'a', ['image/*'])?.mediaType, 'image/png');
  assert.equal(acceptedKind({ mediaType: 'imagery/png', extension: 'png' }, 'a', ['image/*']), undefined);
  assert.deepEqual(acceptedKind(text, 'Report.CSV', ['text/csv']), { mediaType: 'text/csv', extension: 'csv' });
  assert.equal(acceptedKind(text, 'report.html', ['text/csv', 'text/html']), undefined);
  assert.deepEqual(acceptedKind(text, 'run.bat', ['text/plain']), text);
  assert.equal(acceptedKind(unknownKind, 'a.pdf', ['application/pdf']), undefined);
  assert.equal(acceptedKind(unknownKind, 'a.pdf', ['*/*']), unknownKind);
});

test('a name ends as the kind does', () => {
  for (const [name, extension, expected] of [
    ['photo.JPG', 'jpg', 'photo.JPG'],
    ['photo.jpeg', 'jpg', 'photo.jpeg'],
    ['invoice.pdf.exe', 'pdf', 'invoice.pdf.exe.pdf'],
    ['run.bat', 'txt', 'run.bat.txt'],
    ['notes', 'txt', 'notes.txt'],
    ['pdf', 'pdf', 'pdf.pdf'],
    ['.pdf', 'pdf', '.pdf'],
    ['a.pdf', 'exe', 'a.pdf.exe'],
  ] as const)
    assert.equal(nameOfKind(name, extension), expected);
});
