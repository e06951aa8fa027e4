import { endGrants, endTaskGrants, endTaskGrantsTo, grantByTask, type GrantRow, personsOf, presentGrant, principalOf } from '#access';
import { dependentGrants } from '#folders';
import { recordAudit } from '../../platform/journal/record.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import { isTeamManager, type Scope } from '../../platform/scope.ts';
import { reach } from './access.ts';
import { accessEnded, accessGranted } from './events.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * Grants the assignee of a task, a member or a group, read access to its document. `grantorId` added the document to the task and must be allowed to share it. The caller
 * of this function checks that. The grant ends with the task or a revocation. The grantor gets no grant. A second call for the same task and person
 * changes nothing.
 */
export async function grantForTask(
  scope: Scope,
  {
    documentId,
    taskId,
    grantorId,
    ...to
  }: { documentId: string; taskId: string; grantorId: string } & ({ userId: string } | { groupId: string }),
): Promise<void> {
  if ('userId' in to && to.userId === grantorId) return;
  const principal = 'userId' in to ? { user: to.userId } : { group: to.groupId };
  const made = await grantByTask(scope, { type: 'document', resource: documentId, ...principal, task: taskId, by: grantorId });
  if (made) await recordAudit(scope, accessGranted, documentId, { ...aboutGrant(made), ...(await howGiven(scope, documentId, grantorId)) });
}

/** Returns whether an administrator gives access to the document only by role. */
async function howGiven(scope: Scope, documentId: string, grantorId: string): Promise<{ via?: 'role' }> {
  if (!isTeamManager(scope.actor) || ('id' in scope.actor && scope.actor.id !== grantorId)) return {};
  const found = await reach(scope, documentId);
  return found?.access.via === 'role' ? roleOnly : {};
}

/**
 * Ends the grants by tasks. `completedBy` completed a task that gave access, and may continue to read the version of that task ({@link
 * versionOfTask}).
 */
export async function endGrantsOfTask(scope: Scope, taskIds: readonly string[], completedBy?: string): Promise<void> {
  if (taskIds.length > 0) await journalEnds(scope, await endTaskGrants(scope, taskIds, completedBy));
}

/** Ends the grants by tasks to a member who leaves the team. Grants by this member stay. */
export const endGrantsOfMember = async (scope: Scope, userId: string): Promise<void> =>
  journalEnds(scope, await endTaskGrantsTo(scope, userId));

/** Ends the task grants that the principal of a revoked share made for a document, or for the documents in a folder and below it. */
export async function endGrantsBy(
  scope: Scope,
  principal: Parameters<typeof personsOf>[1],
  of: { document: string } | { folder: string },
): Promise<void> {
  const below = await dependentGrants(scope, principal, of);
  await journalEnds(
    scope,
    await endGrants(
      scope,
      below.map(({ id }) => id),
    ),
  );
}

const journalEnds = (scope: Scope, ended: readonly GrantRow[]) =>
  pipelined(ended.map((grant) => () => recordAudit(scope, accessEnded, grant.resource_id, aboutGrant(grant))));

/** A grant as the journal records it. */
export const aboutGrant = (row: GrantRow) => {
  const { access, reason, taskId } = presentGrant(row);
  return { ...principalOf(row), access, reason, ...(taskId === undefined ? {} : { taskId }), grantedBy: row.granted_by };
};
