import { documentStillOpen } from '#documents';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { mayManage, maySee, seerOf, viewerOf } from './policy.ts';
import * as queries from './queries.ts';

const thing = 'request for signatures';

/** A request that the actor sees. Errors: the same 404 for one that is missing, another team's, or not theirs to see. */
export async function seen(scope: ReadScope | Scope, id: string): Promise<queries.SeenRequest> {
  const row = await scope.db.first(queries.seenRequest, { team: scope.team, id: pathId(id, thing), user: viewerOf(scope.actor) });
  if (!row || !maySee(scope.actor, row)) throw notFound(thing);
  // Who lost the document is shown nothing of it by having asked: those who have it, or run the team, go on with the request or end it.
  if (seerOf(scope.actor) !== null && !row.own && !(await documentStillOpen(scope, row.document_id))) throw notFound(thing);
  return row;
}

/** A request that the actor manages, under its lock and read afterwards. Errors: 403, 404. */
export async function held(scope: Scope, id: string): Promise<queries.SeenRequest> {
  const { id: request } = await seen(scope, id);
  const row = await scope.db.locked(queries.lockRequest, { team: scope.team, id: request }, () => seen(scope, request));
  if (row.glass)
    throw problems.forbidden(
      'You read this request through the broken glass of a wall, and do nothing else with it. Ask somebody inside of the wall.',
    );
  if (!mayManage(scope.actor, row))
    throw problems.forbidden('A program changes the requests for signatures that it has made itself. Ask whoever made this one.');
  return row;
}
