import { lockSeen } from '../../platform/database/lock-tracking.ts';
import type { Reader } from '../../platform/database/database.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { refuseInClosedMatter } from '#folders';
import { accessTo, callerOf, type ResourceName, type ResourceAccess, viewable } from '#access';
import { type ReachedRegistry, registries, registriesNamed, setMatter } from './queries.ts';

export type RegistryScope = { db: Reader; team: string; actor: Actor };

/** A registry with the access of the actor. */
export type AccessibleRegistry = { registry: ReachedRegistry; access: ResourceAccess<'registry'> };

async function reach({ db, team, actor }: RegistryScope, id: string, where: 'kept' | 'binned'): Promise<AccessibleRegistry> {
  const registry = await db.first(registries.find, { team, id: pathId(id, 'registry'), ...callerOf(actor) });
  const access =
    registry && (registry.deleted_at === null) === (where === 'kept')
      ? accessTo(actor, 'registry', { ...registry, from: { parent: registry.inherited } })
      : undefined;
  if (!registry || !access) throw notFound('registry');
  return { registry, access };
}

/** Returns a registry whose records the actor can read. Throws the same 404 if it is missing, in the bin or not accessible. */
export const readableRegistry = (scope: RegistryScope, id: string): Promise<AccessibleRegistry> => reach(scope, id, 'kept');

/** Returns the names of the registries among these identifiers whose records the actor can read. */
export const registryNames = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  viewable(actor, 'registry', await db.all(registriesNamed, { team, ids, ...callerOf(actor) }));

/**
 * Like {@link readableRegistry}, for a registry that another resource refers to. An API client needs the scope `registries:read`
 * in every operation that refers to a registry.
 */
export async function namedRegistry(scope: RegistryScope, id: string): Promise<AccessibleRegistry> {
  if ('scopes' in scope.actor && !scope.actor.scopes.has('registries:read')) throw notFound('registry');
  return readableRegistry(scope, id);
}

/** Returns a registry whose records the actor can change, and prevents changes of the registry until the transaction ends. Throws 403 and 404. */
export async function writableRegistry(scope: Scope, id: string): Promise<AccessibleRegistry> {
  const at = { team: scope.team, id: pathId(id, 'registry') };
  const found = await lockSeen(scope.db, registries.hold, at, () => registryToWrite(scope, id));
  refuseInClosedMatter(scope, found.registry.container_id);
  return found;
}

/** Like {@link writableRegistry}, but without a lock, for preparations before the transaction. The transaction checks again. Throws 403 and 404. */
export const registryToWrite = async (scope: RegistryScope, id: string): Promise<AccessibleRegistry> =>
  writable(await readableRegistry(scope, id));

function writable(found: AccessibleRegistry): AccessibleRegistry {
  if (!found.access.can('edit'))
    throw problems.forbidden('This registry is shared with you for reading only. Ask its owner for write access.');
  return found;
}

/** Locks a registry that the actor can change. Throws 403, 404 and 412. */
export async function manageableRegistry(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleRegistry> {
  const found = await lockedRegistry(scope, id, async () => {
    const kept = await readableRegistry(scope, id);
    if (kept.access.can('manage')) return kept;
    throw problems.forbidden('Only the owner of the registry and administrators can change the registry. Ask one of them.');
  });
  expect(found.registry.version);
  return found;
}

/** Puts a locked registry into a matter, or out of it. */
export function setMatterOfRegistry({ db, team, now: at }: Scope, id: string, matter: string | null): void {
  db.send(setMatter, { team, id, matter, at });
}

/** Locks a registry in the bin that the actor can manage. Throws 404. */
export async function binnedRegistry(scope: Scope, id: string): Promise<AccessibleRegistry> {
  return lockedRegistry(scope, id, async () => {
    const binned = await reach(scope, id, 'binned');
    if (binned.access.can('manage')) return binned;
    throw notFound('registry');
  });
}

const lockedRegistry = (scope: Scope, id: string, look: () => Promise<AccessibleRegistry>): Promise<AccessibleRegistry> =>
  lockSeen(scope.db, registries.lock, { team: scope.team, id: pathId(id, 'registry') }, look);
