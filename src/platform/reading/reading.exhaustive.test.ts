import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { buildEntry } from '../../../scripts/build.ts';
import { plainPdf } from '../../../test/plain-pdf.ts';
import { zip } from '../../../test/zip.ts';
import { confined, type Limits, UnreadFile } from './sandbox.ts';
import { sandboxCommandOf } from './snapshot.ts';
import { type TextRequest, readText } from './text-reader.ts';
import { xmlText } from './xml-text.ts';

const read = (file: Buffer, kind: TextRequest['kind'], more: { limits?: Limits; signal?: AbortSignal; characters?: number } = {}) =>
  readText(Readable.from([file]), { kind, characters: more.characters ?? 10_000 }, more);
const unread = (reason: UnreadFile['reason']) => (error: unknown) => error instanceof UnreadFile && error.reason === reason;
const small: Limits = { cpuSeconds: 3, wallSeconds: 600, dataMb: 700, heapMb: 64 };

describe('the text of a file', () => {
  test('is read from a PDF, page by page, up to the requested length', async () => {
    const pdf = plainPdf(['Hello tamarind', 'World (of) pages']);
    assert.equal(await read(pdf, 'pdf'), 'Hello tamarind\nWorld (of) pages\n');
    assert.equal(await read(pdf, 'pdf', { characters: 5 }), 'Hello');
  });

  test('is not read if the storage breaks off before the first read, and nothing else ends', async () => {
    const file = new Readable({ read: () => undefined });
    setImmediate(() => file.destroy(new Error('the store broke off')));
    await assert.rejects(readText(file, { kind: 'pdf', characters: 10 }, { limits: small }), /the store broke off/);
    await assert.rejects(readText(file, { kind: 'pdf', characters: 10 }, { limits: small }), /the store broke off/);
  });

  test('is read from Word and OpenDocument, without deleted text, with headers and notes', async () => {
    const document =
      '<w:document><w:p><w:r><w:t>Tom &amp; J&#233;r</w:t><w:tab/><w:delText>gone</w:delText><w:instrText>PAGE</w:instrText></w:r></w:p><w:p><w:t>two</w:t></w:p></w:document>';
    const word = zip([
      { path: 'word/footnotes.xml', content: '<w:p><w:t>note</w:t></w:p>' },
      { path: 'word/document.xml', content: document },
      { path: 'word/header1.xml', content: '<w:p><w:t>head</w:t></w:p>' },
      { path: 'word/media/image1.png', content: 'no text' },
    ]);
    assert.equal(await read(word, 'office'), 'head\n\nTom & Jér\t\ntwo\n\nnote\n');
    const open = zip([
      {
        path: 'content.xml',
        content: '<text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:h>Title</text:h><text:p>a<text:s/>b</text:p>',
      },
    ]);
    assert.equal(await read(open, 'office'), 'Title\na b\n');
  });

  test('is not available for a broken file', async () => {
    await assert.rejects(read(Buffer.from('%PDF-1.7 and nothing'), 'pdf'), unread('unreadable'));
    await assert.rejects(read(Buffer.from('PK\u0003\u0004'), 'office'), unread('unreadable'));
    await assert.rejects(read(zip([{ path: 'a.txt', content: 'a' }]), 'office'), unread('unreadable'));
  });

  test('above the limits ends only its reader, and soon', async () => {
    // Empty pages, so that it continues with the next. A fast machine reads a single one within the limit.
    const page = deflateSync(Buffer.from('BT () Tj ET '.repeat(3_000_000)));
    const bomb = plainPdf(Array.from({ length: 30 }, () => page));
    await assert.rejects(read(bomb, 'pdf', { limits: small }), unread('limit'));
    const archive = zip([{ path: 'word/document.xml', content: `<w:t>${'a'.repeat(100_000_000)}</w:t>` }]);
    assert.equal(await read(archive, 'office'), 'a'.repeat(10_000));
  });

  test('is not read after an abort', async () => {
    const stopped = AbortSignal.timeout(50);
    await assert.rejects(
      readText(new Readable({ read: () => undefined }), { kind: 'pdf', characters: 10 }, { signal: stopped }),
      (error: Error) => error.name === 'TimeoutError',
    );
  });

  test('is closed after an abort before the start of its reader', async () => {
    const file = Readable.from(['%PDF-1.7']);
    await assert.rejects(readText(file, { kind: 'pdf', characters: 10 }, { signal: AbortSignal.abort(new Error('nobody')) }), /nobody/);
    assert.ok(file.destroyed);
  });
});

test('the reading process cannot open, write, start or reach anything else, and knows no secret', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const folder = await mkdtemp(join(tmpdir(), 'chancery-probe-'));
  const probe = join(folder, 'reading-probe.cjs');
  await buildEntry('test/fixtures/reading-probe.ts', probe);
  const old = join((await sandboxCommandOf(probe)).node[1] ?? '', '..', 'reading-probe-of-before.blob');
  await writeFile(old, '');
  await utimes(old, 0, 0);
  await rm((await sandboxCommandOf(probe)).node[1] ?? '');
  const snapshot = await sandboxCommandOf(probe);
  assert.deepEqual(
    [existsSync(snapshot.node[1] ?? ''), existsSync(old)],
    [true, false],
    'a missing snapshot is created again, and an old one is deleted',
  );
  assert.equal(snapshot.node[0], '--snapshot-blob');
  const denied = 'ERR_ACCESS_DENIED';
  const [command = '', ...args] = confined(snapshot, String(port));
  const execution = promisify(execFile)(command, args, { env: {}, cwd: '/' });
  execution.child.stdin?.end();
  assert.deepEqual(JSON.parse((await execution).stdout), {
    file: denied,
    written: denied,
    process: denied,
    thread: denied,
    network: denied,
    environment: [],
  });
  server.close();
  await rm(folder, { recursive: true });
});

test('all text of an XML document is read, and any broken markup terminates', () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#62;');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 20 })), (texts) => {
      const xml = texts.map((text) => `<w:p w:a="1"><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`).join('');
      assert.equal(xmlText(`<?xml version="1.0"?><!-- <w:t>no</w:t> -->${xml}`, 1_000_000), texts.map((text) => `${text}\n`).join(''));
    }),
  );
  const pieces = fc.constantFrom(
    '<',
    '>',
    '/',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    'w:t',
    'w:delText',
    '&amp;',
    '&#x110000;',
    '&',
    ' ',
    'é',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (broken) => {
      assert.ok(xmlText(broken.join(''), 50).length <= 50);
    }),
  );
});
