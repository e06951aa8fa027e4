import { immediateAccessParamsOf, viewerOf } from '#access';
import { lockImmediatelyVisible } from '../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { accessToDocument, type DocumentAccess } from './policy.ts';
import * as queries from './queries.ts';

/** A document with what the actor may do with it. */
export type AccessibleDocument = { document: queries.ReachedDocument; access: DocumentAccess };

/** A document and the actor's access to it; undefined for one that is missing, binned, or not theirs to see. */
export async function reach(scope: AccessContext, id: string): Promise<AccessibleDocument | undefined> {
  const { db, team, actor } = scope;
  const document = await db.first(queries.reachDocument, { team, id, ...viewerOf(actor) });
  const access = document && accessToDocument(scope.actor, document);
  return access && { document, access };
}

/** Whether the scopes of a program let it read documents, whichever operation it names them in. */
export const readsDocuments = (actor: Actor): boolean => !('scopes' in actor) || actor.scopes.has('documents:read');

/** A document the actor may read. Errors: 404. */
export async function readable(scope: AccessContext, id: string): Promise<AccessibleDocument> {
  const found = await reach(scope, pathId(id, 'document'));
  if (!found) throw notFound('document');
  return found;
}

/** A document the actor may change, locked and read under the lock; `expect` compares `If-Match`. Errors: 403, 404, 412. */
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

/** A document the actor may change. Errors: 403, 404. */
async function writable(scope: AccessContext, id: string): Promise<AccessibleDocument> {
  const found = await readable(scope, id);
  if (found.access.can('edit')) return found;
  throw problems.forbidden('You may read this document but not change it. Ask its owner for write access.');
}

/** A document the actor may also move and bin, which takes more than a document that was shared by itself. */
export async function placeable(scope: Scope, id: string, expect: VersionCheck): Promise<AccessibleDocument> {
  const found = await changeable(scope, id, expect);
  if (!found.access.placed)
    throw problems.forbidden('This document alone was given to you: you may change it, and its owner may move or delete it.');
  return found;
}
