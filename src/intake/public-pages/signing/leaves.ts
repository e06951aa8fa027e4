import { LRUCache } from 'lru-cache';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { drawPages, type Picture } from '../../../platform/reading/pictures.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';
import type { Storage } from '../../../platform/storage/storage.ts';

/** The number of pages in a view of a document. They are rendered together. */
export const leafBatchSize = 8;
const width = 1_200;
/** Maximum characters of the text of a page for screen readers. */
const maxCharacters = 12_000;
const keptBytes = 64 * 1024 * 1024;
/** The number of bytes that an empty result counts in the cache. */
const little = 100;

/** Rendered pages of documents for signers, by page number. Pages that could not be rendered are missing. */
export type Leaves = {
  /** Returns the pages of the view that begins with `first`. Teams take turns. */
  from(file: KeptFile, first: number, team: string): Promise<ReadonlyMap<number, Picture>>;
};

/** Returns the first page of the view that contains this page. */
export const viewOf = (page: number): number => page - ((page - 1) % leafBatchSize);

/** Caches rendered pages in memory, and renders them once for concurrent requests. */
export function openLeaves(storage: Storage): Leaves {
  const kept = new LRUCache<string, ReadonlyMap<number, Picture>>({ maxSize: keptBytes, sizeCalculation: sizeOf });
  const inFlight = new Map<string, Promise<ReadonlyMap<number, Picture>>>();
  const turn = readingTurns({ atOnce: 2, maxWaiting: 30, maxOfOne: 8 });

  async function draw(file: KeptFile, first: number): Promise<ReadonlyMap<number, Picture>> {
    try {
      const request = { first, last: first + leafBatchSize - 1, width, characters: maxCharacters };
      const { pictures } = await drawPages(await storage.read(file.storage_key), request);
      return new Map(pictures.map((picture) => [picture.page, picture]));
    } catch (error) {
      // The signer can still download the file. The page shows a notice in place of each missing image.
      if (error instanceof UnreadFile) return new Map();
      throw error;
    }
  }

  return {
    async from(file, first, team) {
      const key = `${file.sha256} ${first}`;
      const found = kept.get(key) ?? inFlight.get(key);
      if (found) return found;
      const drawing = turn(team, () => draw(file, first));
      inFlight.set(key, drawing);
      try {
        const leaves = await drawing;
        kept.set(key, leaves);
        return leaves;
      } finally {
        inFlight.delete(key);
      }
    },
  };
}

function sizeOf(leaves: ReadonlyMap<number, Picture>): number {
  return [...leaves.values()].reduce((sum, { bytes, text }) => sum + bytes.length + 2 * text.length, little);
}
