import { lockWorkflow } from '#tasks';
import { notFound, pathId } from '../platform/identifiers.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import * as queries from './queries.ts';

/** A workflow of the team. Errors: 404. */
export async function findRow(scope: ReadScope | Scope, id: string): Promise<queries.WorkflowRow> {
  const row = await scope.db.first(queries.findWorkflow, { team: scope.team, id: pathId(id, 'workflow') });
  if (!row) throw notFound('workflow');
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

/** The same for an identifier of a request. Errors: 404. */
export async function holdRow(scope: Scope, id: string): Promise<queries.WorkflowRow> {
  const row = await holdWorkflow(scope, pathId(id, 'workflow'));
  if (!row) throw notFound('workflow');
  return row;
}
