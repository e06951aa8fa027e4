import type { Scope } from '../../platform/scope.ts';
import { folderProblems } from './problems.ts';
import * as tree from './tree-queries.ts';

/** Rejects a move out of a folder with a legal hold. The caller must hold the tree locks. Errors: 409 `legal_hold_active`. */
export async function refuseLeavingHold({ db, team }: Pick<Scope, 'db' | 'team'>, from: string | null, to: string | null): Promise<void> {
  if (from === null || from === to) return;
  const found = await db.first(tree.leavesHold, { team, from, to });
  if (found?.leaves === true)
    throw folderProblems.legal_hold_active(
      'A legal hold is active on a folder, and the move would leave that folder. The owner or an administrator may first place a hold on the target, or lift the active hold.',
    );
}

/**
 * Rejects the deletion of content in a folder with a legal hold, such as form submissions. The caller must hold the tree locks. Errors: 409
 * `legal_hold_active`.
 */
export async function refuseUnderHold({ db, team }: Pick<Scope, 'db' | 'team'>, folder: string | null, what: string): Promise<void> {
  if (folder === null) return;
  const found = await db.first(tree.hasHoldAbove, { team, folder });
  if (found?.on_hold !== false) throw legalHoldError(what);
}

/** Rejects a change in a closed matter. Errors: 409 `matter_closed`. */
export function refuseInClosedMatter({ db, team }: Pick<Scope, 'db' | 'team'>, container: string | null): void {
  if (container !== null) db.send(tree.refuseClosed, { team, container });
}

/** The error for a deletion that a legal hold prevents. */
export const legalHoldError = (what: string) =>
  folderProblems.legal_hold_active(
    `A legal hold is active on ${what} and prevents its deletion. Ask the owner or an administrator of the team, who can read the reason of the hold.`,
  );
