import { Readable } from 'node:stream';
import { builtFile } from '../entry-points.ts';
import { askConfined, UnreadFile, type Within } from './sandbox.ts';
import type { Compared, Comparing } from './messages.ts';
import { sandboxCommandOf } from './snapshot.ts';

const script = builtFile(new URL('compare-texts.ts', import.meta.url), 'cjs');

/** The differences between two texts: the number of changes, and the first changes. */
export type Differences = Extract<Compared, { count: number }>;

/**
 * Compares two texts by words, or by lines if that takes too long, in a sandboxed process. Throws
 * {@link UnreadFile} if they differ too much, or another error if a retry can succeed.
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
