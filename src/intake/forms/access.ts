import { viewerOf } from '#access';
import { holdTrees } from '#folders';
import { lockSeen } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { type BindableRegistries, holdRegistries } from './bindings.ts';
import { accessToInterface, holdsScope } from './policy.ts';
import * as queries from './queries.ts';

type Asking = Pick<ReadScope, 'db' | 'team' | 'actor'> | Pick<Scope, 'db' | 'team' | 'actor'>;

/** An interface that the actor may see. Errors: 404. */
export async function readableInterface(scope: Asking, id: string): Promise<queries.AccessibleForm> {
  const row = await scope.db.first(queries.reachInterface, {
    team: scope.team,
    id: pathId(id, 'interface'),
    ...viewerOf(scope.actor),
  });
  const access = row && accessToInterface(scope.actor, row);
  if (!access) throw notFound('interface');
  return { row, access };
}

/** An interface that the actor may change. Errors: 403, 404. */
export async function editableInterface(scope: Asking, id: string): Promise<queries.AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (!found.access.can('edit'))
    throw problems.forbidden('You may see this interface but not change it. Ask its owner to let you edit it.');
  return found;
}

/** The same for one whose link is to be given to others by something that names it. Errors: 403, 404. */
export async function interfaceToGive(scope: Asking, id: string): Promise<queries.AccessibleForm> {
  if (!holdsScope(scope.actor, 'interfaces:write')) throw notFound('interface');
  return editableInterface(scope, id);
}

/** One that the actor may change, locked and read under the lock. */
export async function lockedInterface(scope: Scope, id: string): Promise<queries.AccessibleForm> {
  const one = { team: scope.team, id: pathId(id, 'interface') };
  return lockSeen(scope.db, queries.lockInterface, one, () => editableInterface(scope, id));
}

/**
 * The same for what may put its submissions into a folder, or bind it to registries: the locks of the trees and of these come before
 * that of the interface.
 */
export async function lockedWithTrees(
  scope: Scope,
  id: string,
  wanted: readonly { id: string }[],
): Promise<queries.AccessibleForm & { registries: BindableRegistries }> {
  await editableInterface(scope, id);
  holdTrees(scope);
  const registries = await holdRegistries(scope, wanted);
  return { ...(await lockedInterface(scope, id)), registries };
}
