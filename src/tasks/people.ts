import type { Transaction } from '../platform/database/database.ts';
import { isUuid } from '../platform/identifiers.ts';
import { taskProblems } from './problems.ts';
import { holdActiveMembers } from './queries.ts';

/**
 * Checks that people are active members of the team, in whatever spelling their identifiers are given, and holds them: they
 * stay members until the transaction ends. To be called before a workflow is locked. Errors: 422 `assignee_not_found`.
 */
export async function requireMembers(scope: { db: Transaction; team: string }, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) return;
  const found = wanted.every(isUuid) ? await scope.db.all(holdActiveMembers, { team: scope.team, ids: wanted }) : [];
  const missing = wanted.find((id) => !found.some((member) => member.id === id));
  if (missing === undefined) return;
  throw taskProblems.assignee_not_found(
    `“${missing.slice(0, 64)}” is no active member of your team. List the members and check the identifier.`,
  );
}
