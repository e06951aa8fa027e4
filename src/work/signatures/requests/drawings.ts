import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { redrawPng } from '../../../platform/reading/pictures.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';

/** The largest drawing that is taken. */
export const maxOfDrawing = { bytes: 200 * 1024, width: 1_000, height: 400 } as const;

const turn = readingTurns({ atOnce: 2, maxWaiting: 30, maxOfOne: 4 });
/** What was drawn last, by the hash of what was sent: a page looks at it before it signs with it. */
const made = new LRUCache<string, Buffer>({ maxSize: 8 * 1024 * 1024, sizeCalculation: ({ length }) => length + 100 });

/**
 * A drawn signature, made anew of its pixels: what cannot be drawn would be met when all have signed, and the document could not be sealed.
 * Undefined where it is none that is taken. Errors: 503 where many wait.
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
