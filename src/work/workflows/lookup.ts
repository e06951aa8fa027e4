import { emergencyAccessReads, lockWorkflow } from '#tasks';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { problems } from '../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { listedFor, mayCancel, mayEdit } from './access.ts';
import * as locks from './lock-queries.ts';
import * as queries from './queries.ts';

/**
 * A workflow that the actor sees: by what they have to do with it, a task of it, or since it runs on a document of theirs. People outside of a
 * barrier around its document do not see it.
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

/** The same. Errors: the same 404 for one that is missing, another team's, or not theirs to see. */
export async function findRow(scope: ReadScope | Scope, id: string): Promise<queries.WorkflowRow> {
  const row = await seenWorkflow(scope, pathId(id, 'workflow'));
  if (!row) throw notFound('workflow');
  return row;
}

/** Takes the lock of a workflow, then reads it: what is decided on it is true until the transaction ends. */
export function loadWorkflowForUpdate(scope: Scope, workflow: string): Promise<queries.WorkflowRow | undefined> {
  const { db, team } = scope;
  return db.locked(lockWorkflow, { team, workflow }, () => db.first(queries.findWorkflow, { team, id: workflow }));
}

/**
 * A workflow that the actor sees, under its lock and read afterwards. Errors: 404, also for one that they do not see, of which nothing is locked:
 * they do not wait for who works on it, nor have those wait.
 *
 * @param withRoles with the members of the roles that its steps name, who are locked before it
 */
export async function holdSeen(scope: Scope, id: string, withRoles = false): Promise<queries.WorkflowRow> {
  const { db, team, actor } = scope;
  const workflow = pathId(id, 'workflow');
  const principalId = listedFor(actor);
  const lock = withRoles ? locks.lockSeenWorkflowWithRoles : locks.lockSeenWorkflow;
  const one = { team, workflow, user: userIdOf(actor) };
  const { locked, row } = await pipelined({
    locked: () => (principalId === null ? db.first(lock.all, one) : db.first(lock.related, { ...one, principalId })),
    row: () => seenWorkflow(scope, workflow),
  });
  // One that is read and not locked came to be theirs between the two: they asked before that.
  if (!row || !locked) throw notFound('workflow');
  return row;
}

type Holding = {
  /** Also one that runs on a document of theirs. */
  stopping?: boolean;
  /** With the members of the roles that its steps name, who are locked before it. */
  withRoles?: boolean;
};

/** A workflow under its lock that the actor may change. Errors: 404 for one they do not see, 403 for one they may only read, also by emergency access. */
export async function holdChangeable(scope: Scope, id: string, { stopping, withRoles }: Holding = {}): Promise<queries.WorkflowRow> {
  const { db, team, actor } = scope;
  const row = await holdSeen(scope, id, withRoles);
  if (mayEdit(actor, row)) return row;
  if (row.emergency) throw emergencyAccessReads();
  const owns = stopping && actor.type === 'user' && (await db.first(queries.runsOnOwn, { team, id: row.id, user: actor.id }))?.owns;
  if (owns && mayCancel(actor, row, owns)) return row;
  throw problems.forbidden('The owner of a workflow and administrators change it. Ask one of them.');
}
