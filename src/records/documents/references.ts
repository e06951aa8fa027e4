import { isBehindBarrier } from '#access';
import { lockTreesShared, seesFolder } from '#folders';
import { isUuid } from '../../platform/identifiers.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import { reach, readable, readsDocuments } from './access.ts';
import { actorNow, type ActorNow } from './actor-queries.ts';
import { grantableAccess } from './policy.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';
import { copyStays, createdStaysBehindBarrier } from './reference-queries.ts';

/**
 * A document as another domain refers to it. `version` and `sha256` are of its newest file and absent without one. `barred`: it is inside a
 * barrier. `gives`: the access that the actor may pass on; absent if the actor reads it by a task. `emergencyOnly`: the actor reads it by emergency
 * access and may do nothing else with it.
 */
export type ReferredDocument = {
  id: string;
  title: string;
  userId: string;
  barred: boolean;
  /** The matter that the document is in. */
  matterId: string | null;
  version?: number;
  sha256?: string;
  gives?: 'read' | 'write';
  emergencyOnly?: true;
};

/**
 * Returns a document that the actor may read, to refer to it in another resource. Returns undefined if the document is missing, in the bin, of
 * another team or not readable, and for identifiers of other systems. Also undefined for an API client without the scope to read documents. The
 * caller treats all of these as an external reference.
 */
export async function readableDocument(scope: AccessContext, id: string): Promise<ReferredDocument | undefined> {
  if (!isUuid(id) || !readsDocuments(scope.actor)) return undefined;
  const found = await reach(scope, id);
  if (!found) return undefined;
  const { document } = found;
  const { current } = document;
  const gives = grantableAccess(scope.actor, found.access);
  return {
    id: document.id,
    title: document.title,
    userId: document.user_id,
    barred: isBehindBarrier(document.barrier_id),
    matterId: document.matter_id,
    ...(current === null ? {} : { version: current.number, sha256: current.sha256 }),
    ...(gives === undefined ? {} : { gives }),
    ...(document.outsider ? { emergencyOnly: true as const } : {}),
  };
}

/** Returns the identifier of a document that the actor may read. Errors: 404. */
export const documentReadable = async (scope: AccessContext, id: string): Promise<string> => (await readable(scope, id)).document.id;

/** Whether the actor may read a document now, regardless of scopes. */
export const documentStillOpen = async (scope: AccessContext, id: string): Promise<boolean> => (await reach(scope, id)) !== undefined;

/**
 * Returns a document to which the actor may give others access, or undefined for an external reference. Errors: 403 `document_access_denied` if the
 * actor may read it but not share it.
 */
export async function documentToOpen(scope: AccessContext, id: string): Promise<ReferredDocument | undefined> {
  const found = await readableDocument(scope, id);
  if (found && found.gives === undefined) throw documentAccessDenied();
  return found;
}

export const documentAccessDenied = () =>
  documentProblems.document_access_denied(
    'A task lets you read this document, but you may not share it. Ask its owner to share it with you, or to create the task or workflow.',
  );

/**
 * Returns a document that a person or API client may read now. Used when an earlier draft starts, for the actor who added the document. Returns
 * undefined if they may not read it or have left the team.
 */
export async function documentReadableBy(scope: AccessContext, userId: string, documentId: string): Promise<ReferredDocument | undefined> {
  if (!isUuid(userId)) return undefined;
  const actor = await actorToday(scope, userId);
  return actor && readableDocument({ ...scope, actor }, documentId);
}

/** Returns a person or API client with their current role. Undefined after they left the team, and for other actors such as visitors. */
export async function actorToday({ db, team }: Pick<AccessContext, 'db' | 'team'>, id: string): Promise<Actor | undefined> {
  const now = await db.first(actorNow, { team, id });
  return now && actorOf(id, now);
}

function actorOf(id: string, { role, folder_ids: folderIds, scopes }: ActorNow): Actor {
  if (role !== 'client') return { type: 'user', id, role };
  return { type: 'client', id, scopes: new Set(scopes), ...(folderIds === null ? {} : { folderIds }) };
}

/** Returns a version of a document’s file for the owner of a reference; without a number the newest. */
export async function versionOfDocument(
  scope: AccessContext,
  documentId: string,
  number?: number,
): Promise<{ version: number; sha256: string; uploadedBy: string } | undefined> {
  const found = await scope.db.first(queries.versionOf, { team: scope.team, document: documentId, number: number ?? null });
  return found && { version: found.version, sha256: found.sha256, uploadedBy: found.created_by };
}

/**
 * Whether a copy of a document stays inside the barrier of the document if it is created in a folder, or outside any folder. Otherwise excluded users
 * could read the copy. A folder that the actor cannot see counts as none, so its existence is not disclosed.
 */
export async function copyStaysBehindBarrier(scope: AccessContext, document: string, folderId: string | undefined): Promise<boolean> {
  const { db, team } = scope;
  return (await db.first(copyStays, { team, id: document, folder: await folderSeen(scope, folderId) }))?.stays ?? false;
}

/** Returns the given folder if the actor may see it. */
const folderSeen = async (scope: AccessContext, folderId: string | undefined): Promise<string | null> =>
  folderId !== undefined && (await seesFolder(scope, folderId)) ? folderId : null;

/** Like `copyStaysBehindBarrier`, inside the transaction that creates the copy. The lock prevents a new barrier until the transaction ends. */
export async function lockCopyBehindBarrier(scope: Scope, document: string, folderId: string | undefined): Promise<boolean> {
  lockTreesShared(scope);
  return copyStaysBehindBarrier(scope, document, folderId);
}

/** Like `lockCopyBehindBarrier`, for a document that is created from a resource in the folder `from`. */
export async function lockMoveBehindBarrier(scope: Scope, from: string, folderId: string | undefined): Promise<boolean> {
  const { db, team } = scope;
  lockTreesShared(scope);
  return (await db.first(createdStaysBehindBarrier, { team, from, folder: await folderSeen(scope, folderId) }))?.stays ?? false;
}
