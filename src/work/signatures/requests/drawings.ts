import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { redrawPng } from '../../../platform/reading/pictures.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';

/** Maximum size of a drawing. */
export const maxOfDrawing = { bytes: 200 * 1024, width: 1_000, height: 400 } as const;

const turn = readingTurns({ atOnce: 2, maxWaiting: 30, maxOfOne: 4 });
/** Cache of recent drawings by the hash of the upload, because a page checks a drawing before the signer signs with it. */
const made = new LRUCache<string, Buffer>({ maxSize: 8 * 1024 * 1024, sizeCalculation: ({ length }) => length + 100 });

/**
 * Redraws a signature from its pixels, so that an invalid image is rejected now and not when the document is sealed. Returns undefined if the image
 * is not accepted. Throws 503 if too many drawings wait.
 */
export async function redrawn(png: Buffer, team: string): Promise<Buffer | undefined> {
  const key = createHash('sha256').update(png).digest('base64');
  const found = made.get(key);
  if (found) return found;
  const limits = { maxWidth: maxOfDrawing.width, maxHeight: maxOfDrawing.height };
  try {
    const drawn = await turn(team, () => redrawPng(Readable.from([png]), limits));
    made.set(key, drawn);
    return drawn;
  } catch (error) {
    if (error instanceof UnreadFile) return undefined;
    throw error;
  }
}
