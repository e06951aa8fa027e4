import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { readingTurns } from '../../../platform/reading/reader-queue.ts';
import { compareTexts } from '../../../platform/reading/text-comparer.ts';
import { problems } from '../../../platform/problems.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { documentProblems } from '../problems.ts';
import type { DocumentVersionRow } from '../queries.ts';
import { maxCharacters as maxOfText, takeText } from '../search/index.ts';
import { around, type Comparison, maxChanges, maxCharacters } from './schemas.ts';

/** Concurrent comparisons of one node. Each runs three processes one after another. */
const turn = readingTurns({ atOnce: 2, maxWaiting: 20, maxOfOne: 5 });
const wallMs = 30_000;

/**
 * Compares the texts of two versions. The caller checks the access to both. Errors: 422 `no_text_to_compare`, `versions_too_different`, 503 if too
 * many comparisons wait.
 */
export function compareVersions(
  storage: Storage,
  team: string,
  versions: readonly [DocumentVersionRow, DocumentVersionRow],
): Promise<Omit<Comparison, 'documentId'>> {
  return turn(team, async () => {
    const signal = AbortSignal.timeout(wallMs);
    try {
      const [from, to] = versions;
      const texts = [await textOf(storage, from, signal), from.sha256 === to.sha256 ? '' : await textOf(storage, to, signal)] as const;
      const partial = texts.some((text) => text.length >= maxOfText) ? { partial: true as const } : {};
      const { count, changes } =
        from.sha256 === to.sha256
          ? { count: 0, changes: [] }
          : await compareTexts(texts, { maxChanges, maxCharacters, around }, { signal });
      return { from: from.number, to: to.number, changed: count, changes, ...partial };
    } catch (error) {
      if (error instanceof UnreadFile)
        throw documentProblems.versions_too_different(
          `Versions ${versions[0].number} and ${versions[1].number} differ too much to compare them by word or by line. Download and read both.`,
        );
      if (!signal.aborted) throw error;
      throw problems.unavailable('The service is busy and could not compare the versions in time. Send the request again in 10 seconds.', {
        headers: { 'retry-after': '10' },
      });
    }
  });
}

async function textOf(storage: Storage, version: DocumentVersionRow, signal: AbortSignal): Promise<string> {
  const text = await takeText(storage, version, signal);
  if (text.trim() !== '') return text;
  throw documentProblems.no_text_to_compare(
    `Version ${version.number}, a file of type ${version.media_type}, contains no text. Download both versions and compare them yourself.`,
  );
}
