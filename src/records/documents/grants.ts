import { endGrants, endTaskGrants, endTaskGrantsTo, grantByTask, type GrantRow, personsOf, presentGrant, principalOf } from '#access';
import { dependentGrants } from '#folders';
import { recordAudit } from '../../platform/journal/record.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import { isTeamManager, type Scope } from '../../platform/scope.ts';
import { reach } from './access.ts';
import { accessEnded, accessGranted } from './events.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * Grants read access to a document to the assignee of a task about it. `grantorId` put the document into the task and may let others
 * read it: the caller checks that. The grant is valid until the task ends or the grant is revoked, and gives nothing to the grantor. A
 * second call for the same task and person changes nothing.
 */
export async function grantForTask(
  scope: Scope,
  { documentId, userId, taskId, grantorId }: { documentId: string; userId: string; taskId: string; grantorId: string },
): Promise<void> {
  if (userId === grantorId) return;
  const made = await grantByTask(scope, { type: 'document', resource: documentId, user: userId, task: taskId, by: grantorId });
  if (made) await recordAudit(scope, accessGranted, documentId, { ...aboutGrant(made), ...(await howGiven(scope, documentId, grantorId)) });
}

/** Whether the role alone lets an administrator, who acts, give what they have put into a task. */
async function howGiven(scope: Scope, documentId: string, grantorId: string): Promise<{ via?: 'role' }> {
  if (!isTeamManager(scope.actor) || ('id' in scope.actor && scope.actor.id !== grantorId)) return {};
  const found = await reach(scope, documentId);
  return found?.access.via === 'role' ? roleOnly : {};
}

/**
 * Ends the grants by tasks. `completedBy` completed a task that gave them access: they read the version of that task from then on
 * ({@link versionOfTask}).
 */
export async function endGrantsOfTask(scope: Scope, taskIds: readonly string[], completedBy?: string): Promise<void> {
  if (taskIds.length > 0) await journalEnds(scope, await endTaskGrants(scope, taskIds, completedBy));
}

/** Ends the grants by tasks to a member who leaves the team. Grants by them stay. */
export const endGrantsOfMember = async (scope: Scope, userId: string): Promise<void> =>
  journalEnds(scope, await endTaskGrantsTo(scope, userId));

/** Ends the grants by tasks that the principal of a revoked share made: of a document, or of the documents in a folder and below it. */
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

/** A grant as the journal has it. */
export const aboutGrant = (row: GrantRow) => {
  const { access, reason, taskId } = presentGrant(row);
  return { ...principalOf(row), access, reason, ...(taskId === undefined ? {} : { taskId }), grantedBy: row.granted_by };
};
