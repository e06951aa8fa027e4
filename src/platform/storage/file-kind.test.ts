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

/** Creates a zip archive with one stored or deflated entry each, without its directory, like a stream. */
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

test('the bytes determine the kind of a file, not its name', async () => {
  assert.equal(await typeOf('%PDF-1.7\n%âãÏÓ'), 'application/pdf');
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  assert.equal(await typeOf(png), 'image/png');
  assert.deepEqual(await kind(png.subarray(0, 20)), unknownKind, 'half an image is unknown');
  assert.equal(await typeOf(Buffer.from('ffd8ffe000104a46494600', 'hex')), 'image/jpeg');
  assert.equal(await typeOf(Buffer.concat([Buffer.from('MZ\u0090\0\u0003', 'latin1'), randomBytes(500)])), 'application/x-msdownload');
  assert.equal(await typeOf(Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(60)])), 'application/x-elf');
  const types = `<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="${word}.main+xml"/></Types>`;
  assert.equal(await typeOf(zip({ '[Content_Types].xml': types, 'word/document.xml': 'x' })), word);
});

test('text is text with any content; unknown data have the unknown kind', async () => {
  for (const text of [
    'name;amount\nÄrger;3',
    '<script>alert(1)</script>',
    '<svg onload=alert(1) xmlns="http://www.w3.org/2000/svg"/>',
    '{"a": 1}',
    'x',
  ])
    assert.deepEqual(await kind(text), { mediaType: 'text/plain', extension: 'txt' }, text);
  // A character that the end of the sample splits.
  assert.equal(await typeOf(`${'a'.repeat(65_535)}ä${'b'.repeat(10)}`), 'text/plain');
  for (const bytes of ['', 'a\0b', Buffer.from('c3', 'hex'), Buffer.from('ff00fe01', 'hex')])
    assert.deepEqual(await kind(bytes), unknownKind);
});

const der = (tag: number, ...content: (Buffer | Uint8Array)[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 0xff), body]);
};
const oid = (last: number) => Buffer.from(`06092a864886f70d0107${last.toString(16).padStart(2, '0')}`, 'hex');
/** Creates signed data with the parts that determine their kind. */
const signedData = (digests: Buffer, ...content: Buffer[]) =>
  der(0x30, oid(2), der(0xa0, der(0x30, Buffer.from('020101', 'hex'), der(0x31, digests), der(0x30, oid(1), ...content), der(0x31))));
const digest = der(0x30, Buffer.from('0609608648016503040201', 'hex'));

/** Creates a compound file with a root class and one entry. */
function compound(rootClass: string, entry = ''): Buffer {
  const file = Buffer.alloc(512 * 4);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(2, 48);
  for (const [at, name] of ['Root Entry', entry].entries()) {
    file.write(name, 512 * 3 + at * 128, 'utf16le');
    file.writeUInt16LE((name.length + 1) * 2, 512 * 3 + at * 128 + 64);
  }
  file.write(rootClass, 512 * 3 + 80, 'hex');
  return file;
}

test('mail, signed mail, Outlook messages and files of older Office programs are recognized', async () => {
  const mail =
    'Received: from a.example\r\n\tby b.example\r\nFrom: Ada <ada@example.org>\r\nDate: Tue, 1 Dec 2026 09:00:00 +0100\r\n\r\nHello';
  const signedMail = mail.replace('\r\n\r\n', '\r\nContent-Type: multipart/signed; protocol="application/pkcs7-signature"\r\n\r\n');
  const latin = Buffer.from(`${mail}, M\xfcller\0`, 'latin1');
  for (const bytes of [mail, signedMail, latin, `\ufeff${mail}`, mail.replaceAll('\r', '')])
    assert.equal(await typeOf(bytes), 'message/rfc822');
  for (const text of ['From: me\nSubject: no mail\n\nHello', 'Dear Ada,\nFrom: x\nDate: y\n', 'Note\n\nFrom: a\nDate: b'])
    assert.equal(await typeOf(text), 'text/plain', text);
  const attached = signedData(digest, der(0xa0, der(0x04, Buffer.from('contract'))));
  assert.deepEqual(await kind(attached), { mediaType: 'application/pkcs7-mime', extension: 'p7m' });
  assert.deepEqual(await kind(signedData(digest)), { mediaType: 'application/pkcs7-signature', extension: 'p7s' });
  assert.equal((await kind(signedData(Buffer.alloc(0)))).extension, 'p7c');
  assert.equal(await typeOf(der(0x30, oid(3), der(0xa0))), 'application/pkcs7-mime');
  const pem = `-----BEGIN PKCS7-----\n${attached.toString('base64')}\n-----END PKCS7-----\n`;
  for (const text of [pem, attached.toString('base64')]) assert.equal(await typeOf(text), 'application/pkcs7-mime');
  // A certificate is neither.
  assert.equal(await typeOf(der(0x30, der(0x30, Buffer.from('020101', 'hex')))), unknownKind.mediaType);
  const none = '00'.repeat(16);
  for (const [file, expected] of [
    [compound('0b0d020000000000c000000000000046'), 'application/vnd.ms-outlook'],
    [compound(none, '__properties_version1.0'), 'application/vnd.ms-outlook'],
    [compound('0609020000000000c000000000000046'), 'application/msword'],
    [compound(none, 'WordDocument'), 'application/msword'],
    [compound(none, 'Workbook'), 'application/vnd.ms-excel'],
    [compound('108d81649b4fcf1186ea00aa00b929e8'), 'application/vnd.ms-powerpoint'],
    [compound(none, 'Other'), 'application/x-cfb'],
    [compound(none).subarray(0, 600), 'application/x-cfb'],
  ] as const)
    assert.equal(await typeOf(file), expected);
});

test('a mail is accepted as mail, or as text if only text is accepted; image types of one family are equal', async () => {
  const mail = await kind('From: a@example.org\nDate: Tue, 1 Dec 2026 09:00:00 +0100\n\nHello');
  assert.equal(acceptedKind(mail, 'a.eml', ['message/rfc822', 'text/plain'])?.extension, 'eml');
  assert.equal(acceptedKind(mail, 'a.eml', ['text/plain'])?.extension, 'txt');
  assert.equal(acceptedKind(mail, 'a.eml', ['application/pdf']), undefined);
  const heif = { mediaType: 'image/heif', extension: 'heic' };
  assert.equal(acceptedKind(heif, 'a.heic', ['image/heic']), heif);
  assert.equal(acceptedKind(heif, 'a.heic', ['image/jpeg']), undefined);
});

test('any file has a kind', async () => {
  const beginnings = [
    '',
    'PK\u0003\u0004',
    '%PDF-',
    'MZ',
    'RIFF',
    'ID3',
    '\u001f\u008b',
    'GIF89a',
    '<?xml',
    'ftyp',
    'II*\0',
    '0\u0080\u0006',
    '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1',
    'From: a\nDate: b\n',
  ].map((text) => Buffer.from(text, 'latin1'));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 3_000 }), async (beginning, rest) => {
      assert.match(await typeOf(Buffer.concat([beginning, rest])), /^[\w.+-]+\/[\w.+;=, -]+$/);
    }),
    { numRuns: 60 },
  );
});

test('files are accepted by kind; for texts the name determines the type, if it is accepted', () => {
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

test('a name gets the extension of its kind', () => {
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
