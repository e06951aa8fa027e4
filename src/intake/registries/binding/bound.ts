import { lockSeen } from '../../../platform/database/lock-tracking.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';
import { namedRegistry, type RegistryScope } from '../access.ts';
import { accessTo } from '#access';
import { registryProblems } from '../problems.ts';
import { registries, type RegistryRow } from '../queries.ts';
import type { RegistryField } from '../schemas.ts';
import { type BinderRow, binderSince } from './queries.ts';

/** The view of a registry for a form that is bound to it. */
export type BoundRegistry = { id: string; name: string; fields: readonly RegistryField[] };

const known = ({ id, name, fields }: RegistryRow): BoundRegistry => ({ id, name, fields });

const unreadable = (id: string) =>
  registryProblems.registry_not_found(
    `No registry that you can read has the identifier “${id.slice(0, 64)}”. List the registries and check it.`,
  );

/** Returns a registry that the actor can bind a form to, without a lock. Throws 403, and 422 `registry_not_found` if the actor cannot see it. */
export async function bindableRegistry(scope: RegistryScope, registryId: string): Promise<BoundRegistry> {
  if (!isUuid(registryId)) throw unreadable(registryId);
  const { registry, access } = await namedRegistry(scope, registryId).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? unreadable(registryId) : error;
  });
  const { actor } = scope;
  if (!access.can('bind') || ('scopes' in actor && !actor.scopes.has('registries:write')))
    throw problems.forbidden(
      'Only the owner of the registry or an administrator can bind a form to it. An API client needs a share of the registry (`access: bind`) and `registries:write`. Everyone with the link of the form can read the public values.',
    );
  return known(registry);
}

/** Like {@link bindableRegistry}, but the fields of the registry cannot change until the transaction ends. */
export async function requireBindable(scope: Scope, registryId: string): Promise<BoundRegistry> {
  if (!isUuid(registryId)) throw unreadable(registryId);
  const at = { team: scope.team, id: registryId.toLowerCase() };
  return lockSeen(scope.db, registries.hold, at, () => bindableRegistry(scope, registryId));
}

/** The registry of a form, the member or API client that bound the form to it, and the time of the binding. */
export type Bound = { registryId: string; boundBy: string; boundAt: string };

/**
 * Returns the registry of a form if the member or API client that bound the form may still do so. Returns undefined if the registry was deleted, or if
 * they may no longer bind it. A member who left the team loses the binding, even after joining again.
 */
export async function boundRegistry(
  { db, team }: { db: Reader; team: string },
  { registryId, boundBy, boundAt }: Bound,
): Promise<(BoundRegistry & { former: readonly string[]; matter: string | null }) | undefined> {
  if (!isUuid(registryId) || !isUuid(boundBy)) return undefined;
  const { registry, binder } = await pipelined({
    registry: () => db.first(registries.find, { team, id: registryId, caller: boundBy, person: true }),
    binder: () => db.first(binderSince, { team, id: boundBy, since: boundAt }),
  });
  if (!registry || !binder || registry.deleted_at !== null) return undefined;
  return accessTo(actorOf(binder), 'registry', registry)?.can('bind')
    ? { ...known(registry), former: registry.former_fields, matter: registry.container_id }
    : undefined;
}

function actorOf({ id, role, scopes }: BinderRow): Actor {
  return role === null ? { type: 'client', id, scopes: new Set(scopes) } : { type: 'user', id, role };
}
