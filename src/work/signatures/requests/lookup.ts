import { can, type ResourceName } from '#access';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import { type AccessContext, type Actor, type ReadScope, type Scope, userIdOf } from '../../../platform/scope.ts';
import * as queries from './queries.ts';

type RequestFacts = Pick<queries.SeenRequest, 'owner_id' | 'excluded' | 'outsider'>;

/** Whether the actor has a permission on a request. */
export const mayDo = (actor: Actor, permission: 'view' | 'manage', { owner_id: owner, excluded, outsider }: RequestFacts): boolean =>
  can(actor, 'signature_request', permission, { relations: 'id' in actor && actor.id === owner ? ['owner'] : [], excluded, outsider });

/**
 * Returns which requests a list contains before barriers apply: all requests of the team, the requests that the actor
 * owns, or none.
 */
export function listedTo(actor: Actor): 'all' | 'own' | undefined {
  if (can(actor, 'signature_request', 'view', { relations: [] })) return 'all';
  return can(actor, 'signature_request', 'view', { relations: ['owner'] }) ? 'own' : undefined;
}

const thing = 'signature request';

/**
 * Returns a request that the actor may view. Throws the same 404 if the request is missing, belongs to another team or is not visible to the actor.
 */
export async function seen(scope: ReadScope | Scope, id: string): Promise<queries.SeenRequest> {
  const row = await scope.db.first(queries.seenRequest, { team: scope.team, id: pathId(id, thing), user: userIdOf(scope.actor) });
  if (!row || !mayDo(scope.actor, 'view', row)) throw notFound(thing);
  return row;
}

/** Returns the titles of the requests among these identifiers that the actor may view. */
export const requestNames = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  (await db.all(queries.requestsNamed, { team, ids, user: userIdOf(actor) })).filter((row) => mayDo(actor, 'view', row));

/** Locks a request that the actor manages and returns it. Throws 403 or 404. */
export async function loadRequestForUpdate(scope: Scope, id: string): Promise<queries.SeenRequest> {
  const { id: request } = await seen(scope, id);
  const row = await scope.db.locked(queries.lockRequest, { team: scope.team, id: request }, () => seen(scope, request));
  if (mayDo(scope.actor, 'manage', row)) return row;
  throw problems.forbidden(
    row.outsider
      ? 'Emergency access is read-only. Ask a member of the barrier.'
      : 'Only the owner of a signature request and administrators can change it. An API client or agent can change its own requests.',
  );
}
