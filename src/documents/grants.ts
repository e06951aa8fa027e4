import { randomUUIDv7 } from 'node:crypto';
import { recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { accessEnded, accessGranted } from './events.ts';
import { deleteGrantsOf, deleteTaskGrants, type GrantReason, type GrantRow, insertGrant } from './grant-queries.ts';

type Grant = { documentId: string; userId: string; access: 'read' | 'write'; reason: GrantReason; reasonId: string | null };

/**
 * Opens a document to whoever holds a task about it, for as long as the task is open. A second call for the same task and
 * person changes nothing but the access. Whether the giver may read the document is asked before: see `mayReadDocument`.
 */
export async function grantForTask(
  scope: Scope,
  { documentId, userId, taskId, access = 'read' }: { documentId: string; userId: string; taskId: string; access?: 'read' | 'write' },
): Promise<void> {
  await give(scope, { documentId, userId, access, reason: 'task', reasonId: taskId });
}

/**
 * Ends what these tasks had opened. `keepRecordFor` is who completed them: they keep reading what they decided on, as far
 * as it was the task that had opened it to them.
 */
export async function endGrantsOfTask(scope: Scope, taskIds: readonly string[], options: { keepRecordFor?: string } = {}): Promise<void> {
  if (taskIds.length === 0) return;
  const ended = await scope.db.all(deleteTaskGrants, { team: scope.team, tasks: taskIds });
  await Promise.all(ended.map((grant) => journalEnd(scope, grant)));
  await Promise.all(
    ended
      .filter((grant) => grant.user_id === options.keepRecordFor)
      .map((grant) =>
        give(scope, {
          documentId: grant.document_id,
          userId: grant.user_id,
          access: 'read',
          reason: 'record',
          reasonId: grant.reason_id,
        }),
      ),
  );
}

/** What a task had opened goes with the task to another person; the one before loses it. Nothing happens where nothing was open. */
export async function moveGrantOfTask(scope: Scope, taskId: string, fromUser: string, toUser: string): Promise<void> {
  if (fromUser === toUser) return;
  const ended = await scope.db.all(deleteTaskGrants, { team: scope.team, tasks: [taskId] });
  await Promise.all(ended.map((grant) => journalEnd(scope, grant)));
  await Promise.all(ended.map((grant) => passOn(scope, grant, grant.user_id === fromUser ? toUser : grant.user_id)));
}

/** Somebody leaves the team: what their open tasks had opened goes with the tasks to the successor, and the rest ends. */
export async function endGrantsOfMember(scope: Scope, userId: string, successorId: string): Promise<void> {
  const ended = await scope.db.all(deleteGrantsOf, { team: scope.team, user: userId });
  await Promise.all(ended.map((grant) => journalEnd(scope, grant)));
  await Promise.all(ended.filter(({ reason }) => reason === 'task').map((grant) => passOn(scope, grant, successorId)));
}

const passOn = (scope: Scope, grant: GrantRow, userId: string) =>
  give(scope, { documentId: grant.document_id, userId, access: grant.access, reason: grant.reason, reasonId: grant.reason_id });

/** Makes a grant; undefined when the person has left, or has the very same already. */
export async function give(scope: Scope, { documentId, userId, access, reason, reasonId }: Grant): Promise<GrantRow | undefined> {
  const [made] = await scope.db.all(insertGrant, {
    team: scope.team,
    id: randomUUIDv7(),
    document: documentId,
    user: userId,
    access,
    reason,
    reasonId,
    by: scope.actor.type === 'system' ? null : scope.actor.id,
    at: scope.now,
  });
  if (made) await recordAct(scope, accessGranted, documentId, about(made));
  return made;
}

export const journalEnd = (scope: Scope, grant: GrantRow) => recordAct(scope, accessEnded, grant.document_id, about(grant));

function about({ user_id: userId, access, reason, reason_id: reasonId }: GrantRow) {
  return { userId, access, reason, ...(reasonId === null ? {} : { taskId: reasonId }) };
}
