import { lockSeen } from '../../platform/database/lock-tracking.ts';
import type { Reader } from '../../platform/database/database.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { Actor, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { accessTo, callerOf, type ResourceAccess } from '#access';
import { type ReachedRegistry, registries } from './queries.ts';

type RegistryScope = { db: Reader; team: string; actor: Actor };

/** A registry with what the actor may do with it. */
export type AccessibleRegistry = { registry: ReachedRegistry; access: ResourceAccess<'registry'> };

async function reach({ db, team, actor }: RegistryScope, id: string, where: 'kept' | 'binned'): Promise<AccessibleRegistry> {
  const registry = await db.first(registries.find, { team, id: pathId(id, 'registry'), ...callerOf(actor) });
  const access = registry && (registry.deleted_at === null) === (where === 'kept') ? accessTo(actor, 'registry', registry) : undefined;
  if (!registry || !access) throw notFound('registry');
  return { registry, access };
}

/** A registry whose records the actor may read; the same 404 for one that is missing, in the bin, or not theirs to see. */
export const readableRegistry = (scope: RegistryScope, id: string): Promise<AccessibleRegistry> => reach(scope, id, 'kept');

/**
 * The same for one that is named in something else. What a program may do with registries by their identifiers is what its scopes say,
 * whichever operation it names them in.
 */
export async function namedRegistry(scope: RegistryScope, id: string): Promise<AccessibleRegistry> {
  if ('scopes' in scope.actor && !scope.actor.scopes.has('registries:read')) throw notFound('registry');
  return readableRegistry(scope, id);
}

/** A registry whose records the actor may change, held as it is until the transaction ends. Errors: 403, 404. */
export async function writableRegistry(scope: Scope, id: string): Promise<AccessibleRegistry> {
  const at = { team: scope.team, id: pathId(id, 'registry') };
  return lockSeen(scope.db, registries.hold, at, () => registryToWrite(scope, id));
}

/** The same for what is prepared before a change, which asks again. Errors: 403, 404. */
export const registryToWrite = async (scope: RegistryScope, id: string): Promise<AccessibleRegistry> =>
  writable(await readableRegistry(scope, id));

function writable(found: AccessibleRegistry): AccessibleRegistry {
  if (!found.access.can('edit'))
    throw problems.forbidden('This registry is shared with you for reading only. Ask its owner for write access.');
  return found;
}

/** A registry that the actor may change, locked. Errors: 403, 404, 412. */
export async function manageableRegistry(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleRegistry> {
  const found = await lockedRegistry(scope, id, async () => {
    const kept = await readableRegistry(scope, id);
    if (kept.access.can('manage')) return kept;
    throw problems.forbidden('Only the owner of the registry and administrators can change the registry.');
  });
  expect(found.registry.version);
  return found;
}

/** A registry in the bin, for those who may manage it. */
export async function binnedRegistry(scope: Scope, id: string): Promise<AccessibleRegistry> {
  return lockedRegistry(scope, id, async () => {
    const binned = await reach(scope, id, 'binned');
    if (binned.access.can('manage')) return binned;
    throw notFound('registry');
  });
}

const lockedRegistry = (scope: Scope, id: string, look: () => Promise<AccessibleRegistry>): Promise<AccessibleRegistry> =>
  lockSeen(scope.db, registries.lock, { team: scope.team, id: pathId(id, 'registry') }, look);

/**
 * Whether the actor may let a form write into a registry, or show its public records to whoever has the form's link: its owner, and
 * those who run the team.
 */
export const mayBind = (actor: Actor, access: ResourceAccess<'registry'>): boolean => actor.type === 'user' && access.can('manage');
