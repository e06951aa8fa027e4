import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { askConfined, UnreadFile, type Within } from './sandbox.ts';
import type { Compared, Comparing } from './messages.ts';
import { sandboxCommandOf } from './snapshot.ts';

const script = fileURLToPath(new URL('compare-texts.ts', import.meta.url));

/** What differs between two texts: how many changes there are, and the first of them. */
export type Differences = Extract<Compared, { count: number }>;

/**
 * Compares two texts word by word (line by line, where that would take too long) in a confined process. Rejects with
 * {@link UnreadFile} where they differ too much for either, and with another error where it failed for a reason that may pass.
 */
export async function compareTexts(texts: readonly [string, string], options: Comparing, within: Within = {}): Promise<Differences> {
  const file = Readable.from([JSON.stringify(texts)]);
  const maxOutputBytes = options.maxChanges * 6 * 2 * (options.maxCharacters + options.around + 100) + 1_000;
  const compared = JSON.parse(
    (await askConfined(sandboxCommandOf(script), options, { file, maxOutputBytes }, within)).toString(),
  ) as Compared;
  if ('none' in compared) throw new UnreadFile('limit', 'the texts differ too much');
  return compared;
}
