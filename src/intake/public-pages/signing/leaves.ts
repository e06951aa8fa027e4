import { LRUCache } from 'lru-cache';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { drawPages, type Picture } from '../../../platform/reading/pictures.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';
import type { Storage } from '../../../platform/storage/storage.ts';

/** Pages that a view of a document shows, and that are drawn together. */
export const leafBatchSize = 8;
const width = 1_200;
/** Of one page, what is read out. */
const maxCharacters = 12_000;
const keptBytes = 64 * 1024 * 1024;
/** What is kept of a failure takes next to nothing. */
const little = 100;

/** Pages of documents as those see them who sign: by their numbers, those that could be drawn. */
export type Leaves = {
  /** The pages of the view that begins with this one. What a team’s signers open takes turns with that of other teams. */
  from(file: KeptFile, first: number, team: string): Promise<ReadonlyMap<number, Picture>>;
};

/** The first page of the view that shows this one. */
export const viewOf = (page: number): number => page - ((page - 1) % leafBatchSize);

/** What was drawn is kept in memory for whoever opens it next, and drawn once however many ask at once. */
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
      // The file itself can be downloaded: the page says so in the place of what could not be drawn.
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
