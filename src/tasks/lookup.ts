import { notFound, pathId } from '../platform/identifiers.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { maySee, viewerOf } from './policy.ts';
import { factsOf } from './present.ts';
import * as queries from './queries.ts';

/** A task that the actor sees. Errors: the same 404 for one that is missing, another team's, or not theirs to see. */
export async function findTask(scope: ReadScope | Scope, id: string): Promise<queries.SeenTask> {
  const row = await scope.db.first(queries.findTask, { team: scope.team, id: pathId(id, 'task'), user: viewerOf(scope.actor) });
  if (!row || !maySee(scope.actor, factsOf(row))) throw notFound('task');
  return row;
}

/**
 * The task under its lock: that of its workflow where it has one, and its own. What is decided on it is true until the
 * transaction ends. Errors: 404.
 */
export async function holdTask(scope: Scope, id: string): Promise<queries.SeenTask> {
  const { id: task, workflow_id: workflow } = await findTask(scope, id);
  if (workflow !== null) await scope.db.all(queries.lockWorkflow, { team: scope.team, workflow });
  const held = await scope.db.first(queries.lockTask, { team: scope.team, id: task, user: viewerOf(scope.actor) });
  if (!held || !maySee(scope.actor, factsOf(held))) throw notFound('task');
  return held;
}
