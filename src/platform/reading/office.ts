import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import type { TextResponse } from './messages.ts';
import { xmlText } from './xml-text.ts';

/** The parts of a Word (OOXML) or OpenDocument file with visible text, in the order of a page. */
const parts = [/^word\/header\d*\.xml$/, /^(?:word\/document|content)\.xml$/, /^word\/(?:foot|end)notes\.xml$/, /^word\/footer\d*\.xml$/];
const maxEntries = 5_000;
const maxBytes = 16 * 1024 * 1024;

/** Returns the text of a Word or OpenDocument file, up to the requested length. */
export async function officeText(bytes: Buffer, most: number): Promise<TextResponse> {
  try {
    const archive = await fromBufferPromise(bytes, { validateEntrySizes: true });
    const found: { order: number; text: string }[] = [];
    let left = maxBytes;
    if (archive.entryCount > maxEntries) return { none: 'unreadable' };
    for await (const entry of archive.eachEntry()) {
      const order = parts.findIndex((part) => part.test(entry.fileName));
      if (order === -1) continue;
      const content = await contentOf(archive, entry, left);
      left -= content.length;
      found.push({ order, text: xmlText(content.toString(), most) });
    }
    if (found.length === 0) return { none: 'unreadable' };
    const texts = found.toSorted((one, other) => one.order - other.order).map(({ text }) => text);
    return { text: texts.join('\n').slice(0, most) };
  } catch {
    return { none: 'unreadable' };
  }
}

/** Returns the content of an archive entry, cut off after `most` bytes, because the rest is not needed. */
async function contentOf(archive: ZipFile, entry: Entry, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of await archive.openReadStreamPromise(entry)) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > most) break;
  }
  return Buffer.concat(chunks);
}
