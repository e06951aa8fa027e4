import type { Scope } from '../../platform/scope.ts';
import { folderProblems } from './problems.ts';
import * as tree from './tree-queries.ts';

/** Refuses to take something out of a folder from under a legal hold; the caller holds the trees. Errors: 409 `legal_hold_active`. */
export async function refuseLeavingHold({ db, team }: Pick<Scope, 'db' | 'team'>, from: string | null, to: string | null): Promise<void> {
  if (from === null || from === to) return;
  const found = await db.first(tree.leavesHold, { team, from, to });
  if (found?.leaves === true)
    throw folderProblems.legal_hold_active(
      'A legal hold is active on a folder above it, and the move would leave that folder. An owner or administrator may place a hold on the target first, or lift this one.',
    );
}

/** Refuses to delete what lives in a folder that a legal hold stands on, as answers to a form do; the caller holds the trees. Errors: 409 `legal_hold_active`. */
export async function refuseUnderHold({ db, team }: Pick<Scope, 'db' | 'team'>, folder: string | null, what: string): Promise<void> {
  if (folder === null) return;
  const found = await db.first(tree.hasHoldAbove, { team, folder });
  if (found?.on_hold !== false) throw legalHoldError(what);
}

/** The refusal to delete what a legal hold stands on. */
export const legalHoldError = (what: string) =>
  folderProblems.legal_hold_active(
    `A legal hold is active on ${what} and prevents its deletion. Ask an owner or administrator of the team, who can read its reason.`,
  );
