import { can } from '#access';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import { type Actor, type ReadScope, type Scope, userIdOf } from '../../../platform/scope.ts';
import * as queries from './queries.ts';

type RequestFacts = Pick<queries.SeenRequest, 'owner_id' | 'excluded' | 'outsider'>;

/** Whether the actor has a permission on a request. */
export const mayDo = (actor: Actor, permission: 'view' | 'manage', { owner_id: owner, excluded, outsider }: RequestFacts): boolean =>
  can(actor, 'signature_request', permission, { relations: 'id' in actor && actor.id === owner ? ['owner'] : [], excluded, outsider });

/** The requests that a list shows to the actor before barriers: all of the team, those that the actor owns, or none. */
export function listedTo(actor: Actor): 'all' | 'own' | undefined {
  if (can(actor, 'signature_request', 'view', { relations: [] })) return 'all';
  return can(actor, 'signature_request', 'view', { relations: ['owner'] }) ? 'own' : undefined;
}

const thing = 'request for signatures';

/** A request that the actor may view. Errors: the same 404 for one that is missing, of another team, or not visible to the actor. */
export async function seen(scope: ReadScope | Scope, id: string): Promise<queries.SeenRequest> {
  const row = await scope.db.first(queries.seenRequest, { team: scope.team, id: pathId(id, thing), user: userIdOf(scope.actor) });
  if (!row || !mayDo(scope.actor, 'view', row)) throw notFound(thing);
  return row;
}

/** A request that the actor manages, under its lock and read afterwards. Errors: 403, 404. */
export async function loadRequestForUpdate(scope: Scope, id: string): Promise<queries.SeenRequest> {
  const { id: request } = await seen(scope, id);
  const row = await scope.db.locked(queries.lockRequest, { team: scope.team, id: request }, () => seen(scope, request));
  if (mayDo(scope.actor, 'manage', row)) return row;
  throw problems.forbidden(
    row.outsider
      ? 'You read this request by emergency access, which lets you change nothing. Ask a person inside of the barrier.'
      : 'Only the owner of a request for signatures and administrators change it. A client or agent changes the requests that it made.',
  );
}
