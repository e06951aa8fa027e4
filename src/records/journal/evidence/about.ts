import type { ReadScope } from '../../../platform/scope.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';
import { logVerifierKeys, type WitnessKeys } from '../tree/checkpoint.ts';
import * as queries from '../tree/queries.ts';
import { logsOf, provenLines, sizesOf } from './proven-lines.ts';
import { publishedCheckpoints } from './service.ts';

const page = 500;

/** Entries about some resources as JSON lines with proofs to the checkpoints of `logs`. */
export type JournalAbout = { logs: { log: number; checkpoint: string }[]; verifierKeys: string[]; lines: string[]; leftOut: boolean };

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
  const trees = await publishedCheckpoints(db);
  const scopeParams = { team, ...sizesOf(trees) };
  const last = await db.all(queries.leavesAbout, { ...scopeParams, targets: targets.slice(-1), after: 0, limit: page });
  if (!last.some(({ type }) => type === until)) return undefined;
  const turns = yieldToEventLoop(team);
  const lines: string[] = [];
  let after = 0;
  for (;;) {
    const limit = Math.min(page, most - lines.length);
    const rows = await db.all(queries.leavesAbout, { ...scopeParams, targets: targets.slice(0, -1), after, limit: limit + 1 });
    const leftOut = rows.length > limit && limit < page;
    const taken = rows.slice(0, limit);
    lines.push(...(await provenLines(db, taken, trees, turns, addresses)));
    after = taken.at(-1)?.number ?? after;
    if (rows.length > limit && !leftOut) continue;
    // The entries that prove the pack itself come last, even if others are left out.
    lines.push(...(await provenLines(db, last, trees, turns, addresses)));
    const verifierKeys = logVerifierKeys(keys.publicKeys('witness'), trees[0].checkpoint.origin);
    return { logs: logsOf(trees), verifierKeys, lines, leftOut };
  }
}
