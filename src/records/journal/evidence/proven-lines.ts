import type { Reader } from '../../../platform/database/database.ts';
import type { yieldToEventLoop } from '../../../platform/yield.ts';
import { addressOf, recordLeaf, recordOf } from '../tree/leaf.ts';
import { inclusionRanges, rootOfInclusion } from '../tree/merkle.ts';
import { loadTiles } from '../tree/proofs.ts';
import type { LogSizes, SequencedRow } from '../tree/queries.ts';
import { rangeHasher, tilesOf } from '../tree/tiles.ts';
import type { Published } from './service.ts';

/** Returns the sizes of the trees as parameters of a statement. */
export function sizesOf(trees: readonly Published[]): LogSizes {
  return { logs: trees.map(({ log }) => log), sizes: trees.map(({ checkpoint }) => checkpoint.size) };
}

/** Returns the trees for the first line of a file. Each later line refers to its tree by its `log`. */
export function logsOf(trees: readonly Published[]): { log: number; checkpoint: string }[] {
  return trees.map(({ log, note: checkpoint }) => ({ log, checkpoint }));
}

/**
 * Returns entries as JSON lines, each with the proof that it is a leaf of its tree. `addresses` adds the network addresses. Throws if an entry is
 * not a leaf: the journal was changed.
 */
export async function provenLines(
  db: Reader,
  rows: readonly SequencedRow[],
  trees: readonly Published[],
  turns: ReturnType<typeof yieldToEventLoop>,
  addresses = true,
): Promise<string[]> {
  const heads = new Map(trees.map(({ log, checkpoint }) => [log, checkpoint]));
  const headOf = ({ log_id: log }: SequencedRow) => heads.get(log) ?? { size: 0, root: Buffer.alloc(0) };
  const paths = rows.map((row) => inclusionRanges(row.seq, headOf(row).size));
  const hashers = new Map<number, ReturnType<typeof rangeHasher>>();
  for (const log of new Set(rows.map(({ log_id }) => log_id))) {
    const ranges = rows.flatMap((row, i) => (row.log_id === log ? (paths[i] ?? []) : []));
    hashers.set(log, rangeHasher(await loadTiles(db, tilesOf(ranges), log)));
  }
  const written: string[] = [];
  await turns.next();
  for (const [i, row] of rows.entries()) {
    if (turns.over) await turns.next();
    const { record, body } = recordOf(row, row.number);
    const address = addresses ? addressOf(row) : undefined;
    const hashOf = hashers.get(row.log_id);
    const path = hashOf ? (paths[i] ?? []).map(hashOf) : [];
    const { size, root } = headOf(row);
    if (!rootOfInclusion(row.seq, size, recordLeaf(record), path)?.equals(root))
      throw new Error(`the audit entry ${row.id} does not match leaf ${row.seq} of the tree: run \`audit verify\``);
    const line = { log: row.log_id, index: row.seq, record, body, address, inclusionPath: path.map((hash) => hash.toString('base64')) };
    written.push(`${JSON.stringify(line)}\n`);
  }
  return written;
}
