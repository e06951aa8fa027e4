import type { ReadScope } from '../../platform/scope.ts';
import { logVerifierKeys, type WitnessKeys } from '../tree/checkpoint.ts';
import { publishedCheckpoint } from './service.ts';
import { addressOf, recordLeaf, recordOf } from '../tree/leaf.ts';
import { inclusionRanges, rootOfInclusion } from '../tree/merkle.ts';
import { loadTiles } from '../tree/proofs.ts';
import { rangeHasher, tilesOf } from '../tree/tiles.ts';
import * as queries from '../tree/queries.ts';
import { workInTurns } from '../../platform/turns.ts';

/** The first line of an export names its format. */
export const exportFormat = 'chancery-audit-export@1';

const page = 500;

/**
 * A team's journal as lines of JSON: a head with the checkpoint, one line an entry with its inclusion proof, and an end
 * that says how many there were, so that a file cut short shows it. All proofs are of the one checkpoint of the head.
 */
export async function exportJournal(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  { keys, after, now }: { keys: WitnessKeys; after: number; now: Date },
): Promise<AsyncGenerator<string>> {
  const { checkpoint, note } = await publishedCheckpoint(db);
  const head = {
    format: exportFormat,
    teamId: team,
    after,
    exportedAt: now.toISOString(),
    checkpoint: note,
    verifierKeys: logVerifierKeys(keys.publicKeys('witness'), checkpoint.origin),
  };
  return (async function* lines() {
    yield `${JSON.stringify(head)}\n`;
    const turns = workInTurns(team);
    let last = after;
    let entries = 0;
    for (;;) {
      const rows = await db.all(queries.leavesOfTeam, { team, after: last, size: checkpoint.size, limit: page });
      const paths = rows.map(({ seq }) => inclusionRanges(seq, checkpoint.size));
      const hashOf = rangeHasher(await loadTiles(db, tilesOf(paths.flat())));
      const written: string[] = [];
      await turns.next();
      for (const [i, row] of rows.entries()) {
        if (turns.over) await turns.next();
        const record = recordOf(row, row.number);
        const address = addressOf(row);
        const path = (paths[i] ?? []).map(hashOf);
        if (!rootOfInclusion(row.seq, checkpoint.size, recordLeaf(record), path)?.equals(checkpoint.root))
          throw new Error(`the audit entry ${row.id} does not match leaf ${row.seq} of the tree: run \`audit verify\``);
        const inclusionPath = path.map((hash) => hash.toString('base64'));
        written.push(`${JSON.stringify({ index: row.seq, record, ...(address ? { address } : {}), inclusionPath })}\n`);
      }
      entries += rows.length;
      last = rows.at(-1)?.number ?? last;
      if (written.length > 0) yield written.join('');
      if (rows.length < page) break;
    }
    yield `${JSON.stringify({ end: true, entries })}\n`;
  })();
}
