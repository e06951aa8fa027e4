import { lockWorkflow } from '#tasks';
import { notFound, pathId } from '../platform/identifiers.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { mayChange, seesByRelation } from './policy.ts';
import * as queries from './queries.ts';

/** Whether the actor sees a workflow: by what they have to do with it, a task of it, or since it runs on a document of theirs. */
export async function sees(scope: ReadScope | Scope, row: queries.WorkflowRow): Promise<boolean> {
  if (seesByRelation(scope.actor, row)) return true;
  const standing = await standingTo(scope, row);
  return standing !== undefined && (standing.has_task || standing.owns_document);
}

async function standingTo(scope: ReadScope | Scope, { id }: queries.WorkflowRow) {
  const { team, actor } = scope;
  if (actor.type !== 'user') return undefined;
  const found = await scope.db.first(queries.standingTo, { team, id, user: actor.id });
  return found && { ...found, owns_document: found.owns_document && actor.role !== 'viewer' };
}

/** A workflow that the actor sees. Errors: the same 404 for one that is missing, another team's, or not theirs to see. */
export async function findRow(scope: ReadScope | Scope, id: string): Promise<queries.WorkflowRow> {
  const row = await scope.db.first(queries.findWorkflow, { team: scope.team, id: pathId(id, 'workflow') });
  if (!row || !(await sees(scope, row))) throw notFound('workflow');
  return row;
}

/** Takes the lock of a workflow, then reads it: what is decided on it is true until the transaction ends. */
export async function holdWorkflow(scope: Scope, workflow: string): Promise<queries.WorkflowRow | undefined> {
  // The database runs statements in the order they are sent: the row is read once the lock is held.
  const locked = scope.db.all(lockWorkflow, { team: scope.team, workflow });
  const read = scope.db.first(queries.findWorkflow, { team: scope.team, id: workflow });
  await locked;
  return read;
}

/**
 * A workflow under its lock that the actor may change; with `stopping` also one that runs on a document of theirs. Errors: 404
 * for one they do not see, 403 for one they may only read.
 */
export async function holdChangeable(scope: Scope, id: string, stopping = false): Promise<queries.WorkflowRow> {
  const row = await holdWorkflow(scope, pathId(id, 'workflow'));
  if (!row) throw notFound('workflow');
  if (mayChange(scope.actor, row)) return row;
  const standing = await standingTo(scope, row);
  if (stopping && standing?.owns_document) return row;
  if (!seesByRelation(scope.actor, row) && !standing?.has_task && !standing?.owns_document) throw notFound('workflow');
  throw problems.forbidden('This workflow is changed by who made it, and by owners and administrators. Ask one of them.');
}
