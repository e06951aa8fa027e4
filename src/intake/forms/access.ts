import { relationsFor, type ResourceName, viewerOf, viewOf } from '#access';
import { lockTreesShared } from '#folders';
import { lockSeen } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import { type AccessContext, isTeamManager, type ReadScope, type Scope } from '../../platform/scope.ts';
import { formsOfView } from './list-queries.ts';
import { type BindableRegistries, lockRegistries } from './bindings.ts';
import { accessToInterface, holdsScope } from './policy.ts';
import * as queries from './queries.ts';

type Asking = Pick<ReadScope, 'db' | 'team' | 'actor'> | Pick<Scope, 'db' | 'team' | 'actor'>;

/** Returns a form that the actor can see. Throws 404. */
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

/** Returns the titles of the forms among these identifiers that the actor can see. */
export const interfaceNames = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  (await db.all(queries.interfacesNamed, { team, ids, ...viewerOf(actor) })).filter((row) => accessToInterface(actor, row));

/** Returns the titles of the forms among these identifiers whose submissions the actor can read. */
export const interfacesWithSubmissions = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  (await db.all(queries.interfacesNamed, { team, ids, ...viewerOf(actor) })).filter((row) =>
    accessToInterface(actor, row)?.can('view_submissions'),
  );

/** Returns the forms whose submissions the actor can read. A quota limits the forms of a team. */
export async function formsWithSubmissions(scope: ReadScope): Promise<string[]> {
  const viewing = relationsFor(scope.actor, 'form', 'view_submissions');
  const rows = await scope.db.all(formsOfView[viewOf(scope.actor)], { team: scope.team, ...viewerOf(scope.actor), viewing });
  return rows.map(({ id }) => id);
}

/** Returns the forms among these whose submissions the actor can read only by role. */
export async function readByRole(scope: ReadScope, forms: readonly string[]): Promise<string[]> {
  const { actor, team } = scope;
  if (!isTeamManager(actor) || forms.length === 0) return [];
  const rows = await scope.db.all(queries.interfacesNamed, { team, ids: forms, ...viewerOf(actor) });
  return rows.filter((row) => accessToInterface(actor, row)?.byRole('view_submissions').via === 'role').map(({ id }) => id);
}

/** Returns a form that the actor can edit. Throws 403, 404. */
export async function editableInterface(scope: Asking, id: string): Promise<queries.AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (!found.access.can('edit')) throw problems.forbidden('You can view this form but not edit it. Ask its owner for edit access.');
  return found;
}

/** Returns a form that the actor may use in another resource, such as a workflow step, and so give others access to. Throws 403, 404. */
export async function interfaceToGive(scope: Asking, id: string): Promise<queries.AccessibleForm> {
  if (!holdsScope(scope.actor, 'interfaces:write')) throw notFound('interface');
  return editableInterface(scope, id);
}

/** Locks a form and returns it if the actor can edit it. */
export async function lockedInterface(scope: Scope, id: string): Promise<queries.AccessibleForm> {
  const one = { team: scope.team, id: pathId(id, 'interface') };
  return lockSeen(scope.db, queries.lockInterface, one, () => editableInterface(scope, id));
}

/** Locks a form for a change of its folder or registries. Acquires the locks of folders and registries before the lock of the form. */
export async function lockedWithTrees(
  scope: Scope,
  id: string,
  wanted: readonly { id: string }[],
): Promise<queries.AccessibleForm & { registries: BindableRegistries }> {
  await editableInterface(scope, id);
  lockTreesShared(scope);
  const registries = await lockRegistries(scope, wanted);
  return { ...(await lockedInterface(scope, id)), registries };
}
