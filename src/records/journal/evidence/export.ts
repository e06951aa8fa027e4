import type { ReadScope } from '../../../platform/scope.ts';
import { auditorOf } from '../auditor.ts';
import { logVerifierKeys, type WitnessKeys } from '../tree/checkpoint.ts';
import { provenLines } from './proven-lines.ts';
import { publishedCheckpoint } from './service.ts';
import { exportFormat } from './verify-export.ts';
import * as queries from '../tree/queries.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';

const page = 500;

/**
 * Exports a team’s journal as JSON lines: a head with the checkpoint, one line for each entry with its inclusion proof, and an end line. The number
 * of entries in the end line shows whether the file is truncated. All proofs lead to the checkpoint in the head.
 */
export async function exportJournal(
  { db, team, actor }: Pick<ReadScope, 'db' | 'team' | 'actor'>,
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
    const turns = yieldToEventLoop(team);
    let last = after;
    let entries = 0;
    for (;;) {
      const rows = await db.all(queries.leavesOfTeam, {
        team,
        after: last,
        size: checkpoint.size,
        auditor: auditorOf({ actor }),
        limit: page,
      });
      const written = await provenLines(db, rows, checkpoint, turns);
      entries += rows.length;
      last = rows.at(-1)?.number ?? last;
      if (written.length > 0) yield written.join('');
      if (rows.length < page) break;
    }
    yield `${JSON.stringify({ end: true, entries })}\n`;
  })();
}
