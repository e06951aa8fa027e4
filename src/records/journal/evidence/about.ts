import type { ReadScope } from '../../../platform/scope.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';
import { logVerifierKeys, type WitnessKeys } from '../tree/checkpoint.ts';
import * as queries from '../tree/queries.ts';
import { provenLines } from './proven-lines.ts';
import { publishedCheckpoint } from './service.ts';

const page = 500;

/** Entries about some resources as JSON lines with proofs to one checkpoint. */
export type JournalAbout = { checkpoint: string; verifierKeys: string[]; lines: string[]; leftOut: boolean };

/**
 * Returns the entries about `targets`, oldest first, at most `limit`, each with the proof that it is a leaf of the published tree. Returns undefined
 * until the published checkpoint covers the entry of the type `until` about the last target. Throws `checkpoint_missing` before the first checkpoint.
 */
export async function journalAbout(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  {
    keys,
    targets,
    until,
    most,
    addresses,
  }: { keys: WitnessKeys; targets: readonly string[]; until: string; most: number; addresses: boolean },
): Promise<JournalAbout | undefined> {
  const { checkpoint, note } = await publishedCheckpoint(db);
  const scopeParams = { team, size: checkpoint.size };
  const last = await db.all(queries.leavesAbout, { ...scopeParams, targets: targets.slice(-1), after: -1, limit: page });
  if (!last.some(({ type }) => type === until)) return undefined;
  const turns = yieldToEventLoop(team);
  const lines: string[] = [];
  let after = -1;
  for (;;) {
    const limit = Math.min(page, most - lines.length);
    const rows = await db.all(queries.leavesAbout, { ...scopeParams, targets: targets.slice(0, -1), after, limit: limit + 1 });
    const leftOut = rows.length > limit && limit < page;
    const taken = rows.slice(0, limit);
    lines.push(...(await provenLines(db, taken, checkpoint, turns, addresses)));
    after = taken.at(-1)?.seq ?? after;
    if (rows.length > limit && !leftOut) continue;
    // The entries that prove the pack itself come last, even if others are left out.
    lines.push(...(await provenLines(db, last, checkpoint, turns, addresses)));
    return { checkpoint: note, verifierKeys: logVerifierKeys(keys.publicKeys('witness'), checkpoint.origin), lines, leftOut };
  }
}
