import type { ResourceName } from '#access';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { type AccessContext, type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { barrierOfTask } from './barrier-queries.ts';
import { listedFor, mayView } from './access.ts';
import * as queries from './queries.ts';
import * as locks from './lock-queries.ts';

/** Returns a task that the actor may see. Errors: the same 404 for a missing task, a task of another team and an invisible one. */
export async function findTask(scope: ReadScope | Scope, id: string): Promise<queries.SeenTask> {
  const row = await scope.db.first(queries.findTask, { team: scope.team, id: pathId(id, 'task'), user: userIdOf(scope.actor) });
  return seen(scope, row);
}

/** Returns the titles of the tasks among these identifiers that the actor may see. */
export const taskNames = ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  db.all(queries.tasksNamed, { team, ids, principalId: listedFor(actor), user: userIdOf(actor) });

/** Returns a task if the actor may see it. Errors: 404, also if a barrier around its document excludes the actor. */
async function seen({ db, team, actor }: ReadScope | Scope, row: queries.FoundTask | undefined): Promise<queries.SeenTask> {
  // The first check, so that the response for an invisible task takes as long as for a missing one.
  if (!row || !mayView(actor, { ...row, emergency: false })) throw notFound('task');
  if (!row.barred || actor.type === 'system') return { ...row, emergency: false };
  const barrier = await db.first(barrierOfTask, { team, id: row.id, user: userIdOf(actor) });
  if (!barrier || barrier.outside) throw notFound('task');
  return { ...row, emergency: barrier.emergency };
}

/**
 * Locks the workflow of a task, the approval round of a vote, and then the task. Returns the task, which cannot change until the transaction ends. Errors: 404. A task that the
 * actor cannot see is not locked, so the actor and its users do not wait for each other.
 */
export async function loadTaskForUpdate(scope: Scope, id: string): Promise<queries.SeenTask> {
  const { db, team, actor } = scope;
  const one = { team, id: pathId(id, 'task'), principalId: listedFor(actor), user: userIdOf(actor), system: actor.type === 'system' };
  const { workflow, task } = await pipelined({
    workflow: () => db.first(locks.lockWorkflowOfTask, one),
    round: () => db.first(locks.lockRoundOfTask, one),
    task: () => db.first(locks.lockTask, one),
  });
  // The task became visible to the actor between the two statements. The workflow of an ended task may be deleted.
  if (task?.status === 'open' && task.workflow_id !== null && !workflow) throw notFound('task');
  return seen(scope, task);
}
