import { lockMembersAmong } from '#teams';
import type { Transaction } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { taskProblems } from './problems.ts';
import { viewersDo } from './access.ts';

/**
 * Requires that `ids` are active members of the team, in upper or lower case. Locks the members until the transaction ends, so call it before you
 * lock a workflow. Returns the viewers among them. Errors: 422 `assignee_not_found`.
 */
export async function requireMembers(scope: { db: Transaction; team: string }, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) return new Set();
  const found = wanted.every(isUuid) ? await scope.db.all(lockMembersAmong, { team: scope.team, ids: wanted }) : [];
  // An auditor has no tasks.
  const missing = wanted.find((id) => !found.some((member) => member.id === id && member.role !== 'auditor'));
  if (missing === undefined) return new Set(found.filter(({ role }) => role === 'viewer').map(({ id }) => id));
  throw taskProblems.assignee_not_found(
    `“${missing.slice(0, 64)}” is not an active member of your team. List the members and check the identifier.`,
  );
}

/** Rejects viewers as assignees of tasks that they may not complete. Errors: 422 `assignee_is_viewer`. */
export function refuseViewers(viewers: ReadonlySet<string>, type: string, people: readonly string[]): void {
  if (viewersDo(type) || !people.some((person) => viewers.has(person.toLowerCase()))) return;
  throw taskProblems.assignee_is_viewer(
    `Viewers can complete only tasks and acknowledgements, and this task is of type “${type.slice(0, 100)}”. Choose another member, or change the role of the viewer first.`,
  );
}
