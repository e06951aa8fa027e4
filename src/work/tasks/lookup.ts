import { notFound, pathId } from '../../platform/identifiers.ts';
import { type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { barrierOfTask } from './barrier-queries.ts';
import { listedFor, mayView } from './access.ts';
import * as queries from './queries.ts';
import * as locks from './lock-queries.ts';

/** A task that the actor sees. Errors: the same 404 for one that is missing, another team's, or not theirs to see. */
export async function findTask(scope: ReadScope | Scope, id: string): Promise<queries.SeenTask> {
  const row = await scope.db.first(queries.findTask, { team: scope.team, id: pathId(id, 'task'), user: userIdOf(scope.actor) });
  return seen(scope, row);
}

/** A task that was found, if the actor sees it. Errors: 404, also for a person outside of the barrier around its document. */
async function seen({ db, team, actor }: ReadScope | Scope, row: queries.FoundTask | undefined): Promise<queries.SeenTask> {
  // Before anything else is asked: of a task that is not theirs to see an answer takes as long as of one that is not there.
  if (!row || !mayView(actor, { ...row, emergency: false })) throw notFound('task');
  if (!row.barred || actor.type === 'system') return { ...row, emergency: false };
  const barrier = await db.first(barrierOfTask, { team, id: row.id, user: userIdOf(actor) });
  if (!barrier || barrier.outside) throw notFound('task');
  return { ...row, emergency: barrier.emergency };
}

/**
 * The task under its lock: that of its workflow where it has one, and its own. What is decided on it is true until the
 * transaction ends. Errors: 404, also for a task that the actor does not see, of which nothing is locked: they do not wait for who works on it,
 * nor have those wait.
 */
export async function loadTaskForUpdate(scope: Scope, id: string): Promise<queries.SeenTask> {
  const { db, team, actor } = scope;
  const one = { team, id: pathId(id, 'task'), principalId: listedFor(actor), user: userIdOf(actor), system: actor.type === 'system' };
  const { workflow, task } = await pipelined({
    workflow: () => db.first(locks.lockWorkflowOfTask, one),
    task: () => db.first(locks.lockTask, one),
  });
  // It came to be theirs between the two: they asked before that. The workflow of a task that is over may be gone.
  if (task?.status === 'open' && task.workflow_id !== null && !workflow) throw notFound('task');
  return seen(scope, task);
}
