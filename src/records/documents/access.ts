import { immediateAccessParamsOf, type ResourceName, viewable, viewerOf } from '#access';
import { lockImmediatelyVisible } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { accessToDocument, type DocumentAccess } from './policy.ts';
import * as queries from './queries.ts';

/** A document and the actor’s access to it. */
export type AccessibleDocument = { document: queries.ReachedDocument; access: DocumentAccess };

/** Returns a document and the actor’s access to it. Returns undefined if the document is missing, in the bin or not visible to the actor. */
export async function reach(scope: AccessContext, id: string): Promise<AccessibleDocument | undefined> {
  const { db, team, actor } = scope;
  const document = await db.first(queries.reachDocument, { team, id, ...viewerOf(actor) });
  const access = document && accessToDocument(scope.actor, document);
  return access && { document, access };
}

/** Whether the actor’s scopes allow reading documents. True for actors that have no scopes, such as users. */
export const readsDocuments = (actor: Actor): boolean => !('scopes' in actor) || actor.scopes.has('documents:read');

/** Returns a document that the actor may read. Errors: 404. */
export async function readable(scope: AccessContext, id: string): Promise<AccessibleDocument> {
  const found = await reach(scope, pathId(id, 'document'));
  if (!found) throw notFound('document');
  return found;
}

/** Returns the titles of the documents among these identifiers that the actor may read. */
export const documentNames = async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  viewable(actor, 'document', await db.all(queries.reachDocuments, { team, ids, ...viewerOf(actor) }));

/** Locks a document that the actor may change, and reads it under the lock. `expect` checks `If-Match`. Errors: 403, 404, 412. */
export async function changeable(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleDocument> {
  const of = { team: scope.team, id: pathId(id, 'document') };
  const found = await lockImmediatelyVisible(
    scope.db,
    { atOnce: [queries.lockDocumentDirectly, { ...of, ...immediateAccessParamsOf(scope.actor) }], lock: [queries.lockDocument, of] },
    () => writable(scope, of.id),
  );
  expect(found.document.version);
  return found;
}

/** Returns a document that the actor may change. Errors: 403, 404. */
async function writable(scope: AccessContext, id: string): Promise<AccessibleDocument> {
  const found = await readable(scope, id);
  if (found.access.can('edit')) return found;
  throw problems.forbidden('You may read this document but not change it. Ask its owner for write access.');
}

/** Locks a document that the actor may also move and delete. A share of only the document does not allow that. Errors: 403, 404, 412. */
export async function placeable(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleDocument> {
  const found = await changeable(scope, id, expect);
  if (!found.access.placed)
    throw problems.forbidden('The document itself is shared with you, so you may change it but not move or delete it. Ask its owner.');
  return found;
}
