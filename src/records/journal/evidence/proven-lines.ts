import type { Reader } from '../../../platform/database/database.ts';
import type { yieldToEventLoop } from '../../../platform/yield.ts';
import { addressOf, recordLeaf, recordOf } from '../tree/leaf.ts';
import { inclusionRanges, rootOfInclusion, type TreeHead } from '../tree/merkle.ts';
import { loadTiles } from '../tree/proofs.ts';
import type { SequencedRow } from '../tree/queries.ts';
import { rangeHasher, tilesOf } from '../tree/tiles.ts';

/**
 * Returns entries as JSON lines, each with the proof that it is a leaf of the tree. `addresses` adds the network addresses. Throws if an entry is
 * not a leaf: the journal was changed.
 */
export async function provenLines(
  db: Reader,
  rows: readonly SequencedRow[],
  head: TreeHead,
  turns: ReturnType<typeof yieldToEventLoop>,
  addresses = true,
): Promise<string[]> {
  const paths = rows.map(({ seq }) => inclusionRanges(seq, head.size));
  const hashOf = rangeHasher(await loadTiles(db, tilesOf(paths.flat())));
  const written: string[] = [];
  await turns.next();
  for (const [i, row] of rows.entries()) {
    if (turns.over) await turns.next();
    const record = recordOf(row, row.number);
    const address = addresses ? addressOf(row) : undefined;
    const path = (paths[i] ?? []).map(hashOf);
    if (!rootOfInclusion(row.seq, head.size, recordLeaf(record), path)?.equals(head.root))
      throw new Error(`the audit entry ${row.id} does not match leaf ${row.seq} of the tree: run \`audit verify\``);
    const inclusionPath = path.map((hash) => hash.toString('base64'));
    written.push(`${JSON.stringify({ index: row.seq, record, ...(address ? { address } : {}), inclusionPath })}\n`);
  }
  return written;
}
