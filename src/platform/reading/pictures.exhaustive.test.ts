import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { before, describe, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import decode, { init } from '@jsquash/webp/decode.js';
import { plainPdf } from '../../../test/plain-pdf.ts';
import { type Limits, UnreadFile } from './sandbox.ts';
import type { Drawing } from './messages.ts';
import { drawPages, redrawPng } from './pictures.ts';
import { onWhite, readPng, writePng } from './png.ts';

const draw = (file: Buffer, options: Partial<Drawing> = {}, limits?: Limits) =>
  drawPages(Readable.from([file]), { first: 1, last: 1, width: 200, characters: 1_000, ...options }, limits && { limits });
const unread = (reason: UnreadFile['reason']) => (error: unknown) => error instanceof UnreadFile && error.reason === reason;

/** Returns the colour at a position of an image, in fractions of its width and height. */
async function seen(picture: Buffer, across: number, down: number): Promise<string> {
  const { data, width, height } = (await decode(new Uint8Array(picture).buffer)) as unknown as {
    data: Uint8Array;
    width: number;
    height: number;
  };
  const at = (Math.floor(height * down) * width + Math.floor(width * across)) * 4;
  const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
  if (Math.min(red, green, blue) > 200) return 'white';
  if (Math.max(red, green, blue) < 60) return 'black';
  return red > green && red > blue ? 'red' : green > blue ? 'green' : 'blue';
}

before(async () => {
  const wasm = createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm');
  await init({ wasmBinary: readFileSync(wasm) } as never);
});

describe('pages as images', () => {
  test('are rendered in the requested width, with their texts', async () => {
    const square = deflateSync(Buffer.from('0 0 0 rg 0 396 306 396 re f'));
    const { pages, pictures } = await draw(plainPdf(['Hello (tamarind)', square, 'three']), { first: 1, last: 9 });
    assert.equal(pages, 3);
    assert.deepEqual(
      pictures.map(({ page, width, height, text }) => [page, width, height, text]),
      [
        [1, 200, 259, 'Hello (tamarind)'],
        [2, 200, 259, ''],
        [3, 200, 259, 'three'],
      ],
    );
    const [, second] = pictures;
    assert.ok(second);
    assert.deepEqual([await seen(second.bytes, 0.2, 0.2), await seen(second.bytes, 0.8, 0.8)], ['black', 'white']);
  });

  test('are bounded for any declared page size', async () => {
    const tall = Buffer.from(plainPdf(['a']).toString('latin1').replace('[0 0 612 792]', '[0 0 2 14000]'), 'latin1');
    const { pictures } = await draw(tall, { width: 1_600 });
    assert.ok(pictures.every(({ width, height }) => width * height <= 4_100_000));
  });

  test('show a PNG on white and a JPEG in its orientation, and never enlarge them', async () => {
    const data = Buffer.alloc(40 * 20 * 4);
    for (let at = 0; at < data.length; at += 4) data.set((at / 4) % 40 < 20 ? [255, 0, 0, 255] : [0, 0, 0, 0], at);
    const { pictures } = await draw(writePng({ width: 40, height: 20, data }), { width: 500 });
    const [picture] = pictures;
    assert.ok(picture);
    assert.deepEqual([picture.width, picture.height], [40, 20]);
    assert.deepEqual([await seen(picture.bytes, 0.2, 0.5), await seen(picture.bytes, 0.8, 0.5)], ['red', 'white']);

    // Its upper half is black. The orientation says that its right side is up (6) or that it is upside down (3).
    const photo = readFileSync(new URL('../../../test/fixtures/half-black.jpg', import.meta.url));
    const turned = (orientation: number) => {
      const tiff = Buffer.from(`4d4d002a0000000800010112000300000001${orientation.toString(16).padStart(4, '0')}000000000000`, 'hex');
      const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
      return Buffer.concat([photo.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif, photo.subarray(2)]);
    };
    for (const [orientation, dark, light] of [
      [1, [0.5, 0.2], [0.5, 0.8]],
      [3, [0.5, 0.8], [0.5, 0.2]],
      [6, [0.8, 0.5], [0.2, 0.5]],
      [8, [0.2, 0.5], [0.8, 0.5]],
    ] as const) {
      const [drawn] = (await draw(turned(orientation))).pictures;
      assert.ok(drawn);
      assert.equal(drawn.width > drawn.height, orientation < 5);
      assert.deepEqual(
        [await seen(drawn.bytes, dark[0], dark[1]), await seen(drawn.bytes, light[0], light[1])],
        ['black', 'white'],
        `orientation ${orientation}`,
      );
    }
  });

  test('do not exist for a broken or locked file, or one above the limits', async () => {
    await assert.rejects(draw(Buffer.from('%PDF-1.7 and nothing')), unread('unreadable'));
    await assert.rejects(draw(Buffer.from('\x89PNG\r\n\x1a\n and nothing', 'latin1')), unread('unreadable'));
    await assert.rejects(draw(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0])), unread('unreadable'));
    const bomb = plainPdf([deflateSync(Buffer.from('0 0 600 700 re f '.repeat(400_000)))]);
    const little: Limits = { cpuSeconds: 1, wallSeconds: 600, dataMb: 1_200, heapMb: 256 };
    assert.equal((await draw(plainPdf(['small']), {}, little)).pages, 1);
    await assert.rejects(draw(bomb, {}, little), unread('limit'));
  });
});

test('an uploaded PNG is re-encoded from its pixels, within its size', async () => {
  const data = Buffer.alloc(30 * 10 * 4, 0x80);
  const sent = writePng({ width: 30, height: 10, data });
  const text = Buffer.from('tEXtComment\0<script>hidden</script>');
  const chunk = Buffer.alloc(text.length + 8);
  chunk.writeUInt32BE(text.length - 4);
  text.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(text), text.length + 4);
  const hidden = Buffer.concat([sent.subarray(0, -12), chunk, sent.subarray(-12)]);
  const options = { maxWidth: 1_000, maxHeight: 400 };
  const made = await redrawPng(Readable.from([hidden]), options);
  assert.ok(!made.includes('script'));
  assert.deepEqual(
    readPng(made, () => true),
    { width: 30, height: 10, data },
  );
  assert.equal(onWhite({ width: 30, height: 10, data }).length, 900);
  await assert.rejects(redrawPng(Readable.from([sent]), { maxWidth: 29, maxHeight: 400 }), unread('unreadable'));
  await assert.rejects(redrawPng(Readable.from([Buffer.from('<svg/>')]), options), unread('unreadable'));
  // White on white, and fully transparent black: both are invisible on the page.
  for (const blank of [Buffer.alloc(data.length, 255), Buffer.alloc(data.length)])
    await assert.rejects(redrawPng(Readable.from([writePng({ width: 30, height: 10, data: blank })]), options), unread('unreadable'));
});
