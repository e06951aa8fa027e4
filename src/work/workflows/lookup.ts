import type { ResourceName } from '#access';
import { emergencyAccessReads, lockWorkflow } from '#tasks';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { problems } from '../../platform/problems.ts';
import { type AccessContext, type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { listedFor, mayCancel, mayEdit } from './access.ts';
import * as locks from './lock-queries.ts';
import * as queries from './queries.ts';

/**
 * Returns a workflow that the actor may see: they are related to it, have a task of it, or own its document. Returns nothing if a barrier around its
 * document excludes the actor.
 */
export async function seenWorkflow({ db, team, actor }: ReadScope | Scope, id: string): Promise<queries.WorkflowRow | undefined> {
  const principalId = listedFor(actor);
  const row = await (principalId === null
    ? db.first(queries.findWorkflow, { team, id })
    : db.first(queries.findRelatedWorkflow, { team, id, principalId }));
  if (!row || !row.barred || actor.type === 'system') return row;
  const barrier = await db.first(queries.barrierOfWorkflow, { team, id, user: userIdOf(actor) });
  return barrier && !barrier.outside ? { ...row, emergency: barrier.emergency } : undefined;
}

/** Returns a workflow that the actor may see. Errors: the same 404 for a missing workflow, a workflow of another team and an invisible one. */
export async function findRow(scope: ReadScope | Scope, id: string): Promise<queries.WorkflowRow> {
  const row = await seenWorkflow(scope, pathId(id, 'workflow'));
  if (!row) throw notFound('workflow');
  return row;
}

/** Returns the names of the workflows among these identifiers that the actor may see. */
export const workflowNames = ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  db.all(queries.workflowsNamed, { team, ids, principalId: listedFor(actor), user: userIdOf(actor) });

/** Puts a workflow without a document of the team into a matter, or out of it. Errors: 403, 404. */
export async function setMatterOfWorkflow(scope: Scope, id: string, matter: string | null): Promise<void> {
  const row = await lockEditableWorkflow(scope, id);
  scope.db.send(queries.setMatter, { team: scope.team, id: row.id, matter, at: scope.now });
}

/** Locks a workflow and reads it. It cannot change until the transaction ends. */
export function loadWorkflowForUpdate(scope: Scope, workflow: string): Promise<queries.WorkflowRow | undefined> {
  const { db, team } = scope;
  return db.locked(lockWorkflow, { team, workflow }, () => db.first(queries.findWorkflow, { team, id: workflow }));
}

/**
 * Locks a workflow that the actor may see, and reads it. Errors: 404. A workflow that the actor cannot see is not locked, so the actor and its users
 * do not wait for each other.
 *
 * @param withRoles whether to lock the members with the roles of its steps first
 */
export async function lockVisibleWorkflow(scope: Scope, id: string, withRoles = false): Promise<queries.WorkflowRow> {
  const { db, team, actor } = scope;
  const workflow = pathId(id, 'workflow');
  const principalId = listedFor(actor);
  const lock = withRoles ? locks.lockSeenWorkflowWithRoles : locks.lockSeenWorkflow;
  const one = { team, workflow, user: userIdOf(actor) };
  const { locked, row } = await pipelined({
    locked: () => (principalId === null ? db.first(lock.all, one) : db.first(lock.related, { ...one, principalId })),
    row: () => seenWorkflow(scope, workflow),
  });
  // If the workflow was read but not locked, it became visible between the two statements.
  if (!row || !locked) throw notFound('workflow');
  return row;
}

type Holding = {
  /** Whether the owner of the document may do the operation too, for example a cancellation. */
  stopping?: boolean;
  /** Whether to lock the members with the roles of the steps before the workflow. */
  withRoles?: boolean;
};

/**
 * Locks a workflow that the actor may change. Errors: 404 for an invisible workflow, 403 for one that the actor may only read, also with emergency
 * access.
 */
export async function lockEditableWorkflow(scope: Scope, id: string, { stopping, withRoles }: Holding = {}): Promise<queries.WorkflowRow> {
  const { db, team, actor } = scope;
  const row = await lockVisibleWorkflow(scope, id, withRoles);
  if (mayEdit(actor, row)) return row;
  if (row.emergency) throw emergencyAccessReads();
  const owns = stopping && actor.type === 'user' && (await db.first(queries.runsOnOwn, { team, id: row.id, user: actor.id }))?.owns;
  if (owns && mayCancel(actor, row, owns)) return row;
  throw problems.forbidden('Only the owner of the workflow and administrators can change it. Ask one of them.');
}
