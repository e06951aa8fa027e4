import { personsOf } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import { recordAct } from '../platform/journal/record.ts';
import { byRoleAlone } from '../platform/reasons.ts';
import { runsTeam, type Scope } from '../platform/scope.ts';
import { reach } from './access.ts';
import { accessEnded, accessGranted } from './events.ts';
import { deleteGrantsBy, deleteGrantsOf, deleteTaskGrants, type GrantReason, type GrantRow, insertGrant } from './grant-queries.ts';
import { inOrder } from '../platform/database/together.ts';

/** Whether an act was allowed by the actor's role alone, as an entry says it. */
type How = { via?: 'role' };

type Grant = {
  documentId: string;
  userId: string;
  access: 'read' | 'write';
  reason: GrantReason;
  reasonId: string;
  /** Who made the grant. */
  giverId: string | null;
  version?: number;
};

/**
 * Grants read access to a document to the assignee of a task about it. `giverId` put the document into the task and may let others
 * read it: the caller checks that. The grant is valid until the task ends or the grant is revoked, and gives nothing to the giver. A
 * second call for the same task and person changes nothing but the access.
 */
export async function grantForTask(
  scope: Scope,
  given: { documentId: string; userId: string; taskId: string; giverId: string; access?: 'read' | 'write' },
): Promise<void> {
  const { taskId, access = 'read', ...grant } = given;
  await give(scope, { ...grant, access, reason: 'task', reasonId: taskId }, await howGiven(scope, grant));
}

/** Whether it is their role alone that lets an administrator, who acts, give what they have put into a task. */
async function howGiven(scope: Scope, { documentId, giverId }: { documentId: string; giverId: string }): Promise<How> {
  if (!runsTeam(scope.actor) || ('id' in scope.actor && scope.actor.id !== giverId)) return {};
  const found = await reach(scope, documentId);
  return found?.access.via === 'role' ? byRoleAlone : {};
}

/**
 * Ends what these tasks had opened. `keepRecordFor` is who completed them: they keep reading the version they decided on, if
 * the task opened it to them.
 */
export async function endGrantsOfTask(
  scope: Scope,
  taskIds: readonly string[],
  options: { keepRecordFor?: { userId: string; version: number | null } } = {},
): Promise<void> {
  if (taskIds.length === 0) return;
  const ended = await scope.db.all(deleteTaskGrants, { team: scope.team, tasks: taskIds });
  await Promise.all(ended.map((grant) => journalEnd(scope, grant)));
  const { keepRecordFor } = options;
  if (keepRecordFor === undefined) return;
  await Promise.all(
    ended
      .filter((grant) => grant.user_id === keepRecordFor.userId)
      .map((grant) =>
        give(scope, {
          documentId: grant.document_id,
          userId: grant.user_id,
          access: 'read',
          reason: 'record',
          reasonId: grant.reason_id,
          giverId: grant.granted_by,
          version: keepRecordFor.version ?? 0,
        }),
      ),
  );
}

/** Ends the grants to a member who leaves the team. Grants by them stay. */
export async function endGrantsOfMember(scope: Scope, userId: string): Promise<void> {
  const ended = await scope.db.all(deleteGrantsOf, { team: scope.team, user: userId });
  await inOrder(ended.map((grant) => () => journalEnd(scope, grant)));
}

/** Ends the grants for tasks that the principal of a revoked share made: of a document, or of the documents in a folder and below it. */
export async function endGrantsBy(
  scope: Scope,
  principal: Parameters<typeof personsOf>[1],
  of: { document: string } | { folder: string },
): Promise<void> {
  const by = await personsOf(scope, principal);
  const ended = await scope.db.all(deleteGrantsBy, { team: scope.team, by, document: null, folder: null, ...of });
  await inOrder(ended.map((grant) => () => journalEnd(scope, grant)));
}

/** Makes a grant; undefined when the person has left, or has the very same already. */
export async function give(scope: Scope, grant: Grant, how: How = {}): Promise<GrantRow | undefined> {
  const { documentId, userId, access, reason, reasonId, giverId, version } = grant;
  const [made] = await scope.db.all(insertGrant, {
    team: scope.team,
    id: randomUUIDv7(),
    document: documentId,
    user: userId,
    access,
    reason,
    reasonId,
    by: giverId,
    version: version ?? null,
    at: scope.now,
  });
  if (made) await recordAct(scope, accessGranted, documentId, { ...about(made), ...how });
  return made;
}

export const journalEnd = (scope: Scope, grant: GrantRow, how: How = {}) =>
  recordAct(scope, accessEnded, grant.document_id, { ...about(grant), ...how });

function about({ user_id: userId, access, reason, reason_id: reasonId, granted_by: grantedBy, version }: GrantRow) {
  return {
    userId,
    access,
    reason,
    taskId: reasonId,
    ...(grantedBy === null ? {} : { grantedBy }),
    ...(version === null ? {} : { version }),
  };
}
