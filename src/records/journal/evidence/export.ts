import type { ReadScope } from '../../../platform/scope.ts';
import { auditorOf } from '../auditor.ts';
import { logVerifierKeys, type WitnessKeys } from '../tree/checkpoint.ts';
import { logsOf, provenLines, sizesOf } from './proven-lines.ts';
import { publishedCheckpoints } from './service.ts';
import { exportFormat } from './verify-export.ts';
import * as queries from '../tree/queries.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';

const page = 500;

/**
 * Exports a team’s journal as JSON lines. The head has the checkpoint of each tree. Each entry is a line with its inclusion proof.
 * The number of entries in the last line shows whether the file is truncated. All proofs lead to the checkpoints in the head.
 */
export async function exportJournal(
  { db, team, actor }: Pick<ReadScope, 'db' | 'team' | 'actor'>,
  { keys, after, now }: { keys: WitnessKeys; after: number; now: Date },
): Promise<AsyncGenerator<string>> {
  const trees = await publishedCheckpoints(db);
  const head = {
    format: exportFormat,
    teamId: team,
    after,
    exportedAt: now.toISOString(),
    logs: logsOf(trees),
    verifierKeys: logVerifierKeys(keys.publicKeys('witness'), trees[0].checkpoint.origin),
  };
  return (async function* lines() {
    yield `${JSON.stringify(head)}\n`;
    const turns = yieldToEventLoop(team);
    let last = after;
    let entries = 0;
    for (;;) {
      const rows = await db.all(queries.leavesOfTeam, {
        team,
        after: last,
        ...sizesOf(trees),
        auditor: auditorOf({ actor }),
        limit: page,
      });
      const written = await provenLines(db, rows, trees, turns);
      entries += rows.length;
      last = rows.at(-1)?.number ?? last;
      if (written.length > 0) yield written.join('');
      if (rows.length < page) break;
    }
    yield `${JSON.stringify({ end: true, entries })}\n`;
  })();
}
