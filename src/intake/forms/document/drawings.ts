import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { Answers, Field } from '#fields';
import type { Storage } from '../../../platform/storage/storage.ts';
import { pictureOf } from '../branding/index.ts';
import { drawingIn } from './answers.ts';
import type { UploadRow } from './queries.ts';

const inflated = promisify(inflate);
/** Limits far above the size of a signature drawn on a page. */
const most = { bytes: 512 * 1024, pixels: 4_000_000, drawings: 20 };

/**
 * Returns the drawn signatures as PNG, by the id of the upload. Leaves out invalid images, because they would make the whole document
 * fail. The document then lists them as files.
 */
export async function drawingsOf(
  storage: Storage,
  fields: readonly Field[],
  values: Answers,
  uploads: readonly UploadRow[],
): Promise<ReadonlyMap<string, Buffer>> {
  const wanted = new Set(fields.flatMap(({ id, type }) => (type === 'signature' ? [drawingIn(values[id])] : [])));
  const drawn = uploads.filter(({ id, media_type: type, size }) => wanted.has(id) && type === 'image/png' && size <= most.bytes);
  const found = new Map<string, Buffer>();
  for (const { id, storage_key: key } of drawn.slice(0, most.drawings)) {
    const bytes = await drawable(await buffer(await storage.read(key)));
    if (bytes) found.set(id, bytes);
  }
  return found;
}

/** The number of 8-bit channels for each PNG colour type (ISO/IEC 15948, 11.2.2). */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Returns the drawing chunks of a PNG, if its pixel data is complete. */
async function drawable(bytes: Buffer): Promise<Buffer | undefined> {
  const picture = pictureOf(bytes);
  if (picture?.mediaType !== 'image/png' || picture.width * picture.height > most.pixels) return undefined;
  const [depth, colour, interlaced] = [picture.bytes[24], picture.bytes[25] ?? -1, picture.bytes[28]];
  const perPixel = channels[colour];
  if (depth !== 8 || perPixel === undefined || interlaced !== 0) return undefined;
  const line = 1 + picture.width * perPixel;
  const size = line * picture.height;
  const lines = await inflated(dataOf(picture.bytes), { maxOutputLength: size + 1 }).catch(() => undefined);
  if (lines?.length !== size) return undefined;
  for (let at = 0; at < size; at += line) if ((lines[at] ?? 5) > 4) return undefined;
  return picture.bytes;
}

/** Returns the concatenated data of the IDAT chunks. */
function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
}
