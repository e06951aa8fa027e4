import { lockSeen } from '../../../platform/database/lock-tracking.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { mayBind, namedRegistry } from '../access.ts';
import { accessTo } from '#access';
import { registryProblems } from '../problems.ts';
import { registries, type RegistryRow } from '../queries.ts';
import type { RegistryField } from '../schemas.ts';
import { memberSince } from './queries.ts';

/** A registry as a form that is bound to it knows it. */
export type BoundRegistry = { id: string; name: string; fields: readonly RegistryField[] };

const known = ({ id, name, fields }: RegistryRow): BoundRegistry => ({ id, name, fields });

/**
 * The registry that the actor lets a form write into, or look up in: it is theirs, or they run the team. Its fields stay as they are
 * until the transaction ends. Errors: 403, 422 `registry_not_found` for one that they may not see.
 */
export async function requireBindable(scope: Scope, registryId: string): Promise<BoundRegistry> {
  const notFound = () =>
    registryProblems.registry_not_found(
      `“${registryId.slice(0, 64)}” names no registry that you can read. List the registries and check it.`,
    );
  if (!isUuid(registryId)) throw notFound();
  const at = { team: scope.team, id: registryId.toLowerCase() };
  const { registry, access } = await lockSeen(scope.db, registries.hold, at, () => namedRegistry(scope, registryId)).catch(
    (error: unknown) => {
      throw error instanceof Problem && error.status === 404 ? notFound() : error;
    },
  );
  if (!mayBind(scope.actor, access))
    throw problems.forbidden(
      'Only the owner of the registry or an administrator can bind a form to it. Everyone with the link of the form can read the public values.',
    );
  return known(registry);
}

/** What a form is bound to: by whose right, and since when. */
export type Bound = { registryId: string; boundBy: string; boundAt: string };

/**
 * The registry that a form was bound to, if whoever bound it may still do so; nothing where it is gone, or where they have left, also
 * when they have come back, own it no more or run the team no more.
 */
export async function boundRegistry(
  { db, team }: { db: Reader; team: string },
  { registryId, boundBy, boundAt }: Bound,
): Promise<(BoundRegistry & { former: readonly string[] }) | undefined> {
  if (!isUuid(registryId) || !isUuid(boundBy)) return undefined;
  const { registry, member } = await pipelined({
    registry: () => db.first(registries.find, { team, id: registryId, caller: boundBy, person: true }),
    member: () => db.first(memberSince, { team, id: boundBy, since: boundAt }),
  });
  if (!registry || !member || registry.deleted_at !== null) return undefined;
  const actor = { type: 'user', id: member.id, role: member.role } as const;
  const access = accessTo(actor, 'registry', registry);
  return access && mayBind(actor, access) ? { ...known(registry), former: registry.former_fields } : undefined;
}
