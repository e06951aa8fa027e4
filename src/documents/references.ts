import { isUuid } from '../platform/identifiers.ts';
import type { Actor, ReadScope, Scope } from '../platform/scope.ts';
import { reach } from './access.ts';
import * as queries from './queries.ts';

type Asking = Pick<ReadScope, 'db' | 'team' | 'actor'> | Pick<Scope, 'db' | 'team' | 'actor'>;

/** A document as another domain refers to it. `version` and `sha256` are of the file that is the newest now; absent before the first. */
export type ReferredDocument = { id: string; title: string; userId: string; version?: number; sha256?: string };

/**
 * A document that the actor may read, for putting it into something else: a reference is a use. Undefined for one that is
 * missing, in the bin, behind a wall, of another team or not theirs to read, and for an identifier of another system: the
 * caller treats all of these as an external reference.
 */
export async function readableDocument(scope: Asking, id: string): Promise<ReferredDocument | undefined> {
  if (!isUuid(id)) return undefined;
  const found = await reach(scope, id);
  if (!found) return undefined;
  const { current, ...document } = found.document;
  return {
    id: document.id,
    title: document.title,
    userId: document.user_id,
    ...(current === null ? {} : { version: current.number, sha256: current.sha256 }),
  };
}

/**
 * A document as somebody may read it now: a person by what they are today, or an API client. For asking again at the start
 * of what was drafted earlier, about whoever put the document there. Undefined where they may not; nobody who has left may.
 */
export async function documentReadableBy(scope: Asking, userId: string, documentId: string): Promise<ReferredDocument | undefined> {
  if (!isUuid(userId)) return undefined;
  const now = await scope.db.first(queries.actorNow, { team: scope.team, id: userId });
  if (!now) return undefined;
  const actor: Actor =
    now.role === 'client'
      ? { type: 'client', id: userId, ...(now.folder_ids === null ? {} : { folderIds: now.folder_ids }) }
      : { type: 'user', id: userId, role: now.role };
  return readableDocument({ ...scope, actor }, documentId);
}

/** Whether somebody may read a document now. */
export async function mayReadDocument(scope: Asking, userId: string, documentId: string): Promise<boolean> {
  return (await documentReadableBy(scope, userId, documentId)) !== undefined;
}

/** One version of a document's file, for who holds a reference to it; the newest without a number. */
export async function versionOfDocument(
  scope: Asking,
  documentId: string,
  number?: number,
): Promise<{ version: number; sha256: string; uploadedBy: string } | undefined> {
  const found = await scope.db.first(queries.versionOf, { team: scope.team, document: documentId, number: number ?? null });
  return found && { version: found.version, sha256: found.sha256, uploadedBy: found.created_by };
}
