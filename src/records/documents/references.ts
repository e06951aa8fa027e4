import { isBehindBarrier } from '#access';
import { holdTrees, seesFolder } from '#folders';
import { isUuid } from '../../platform/identifiers.ts';
import type { AccessContext, Actor, Scope } from '../../platform/scope.ts';
import { reach, readable, readsDocuments } from './access.ts';
import { actorNow, type ActorNow } from './actor-queries.ts';
import { givenToOthers } from './policy.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';
import { copyStays, takenStays } from './reference-queries.ts';

/**
 * A document as another domain refers to it. `version` and `sha256` are of its newest file; absent where there is none. `barred`: whether it stands behind a barrier. `gives` is the right on it that whoever refers to it may pass on to others; absent where they hold it by a task,
 * and may read it themself alone. `emergencyOnly` where they read it by emergency access, and do nothing else with it.
 */
export type ReferredDocument = {
  id: string;
  title: string;
  userId: string;
  barred: boolean;
  version?: number;
  sha256?: string;
  gives?: 'read' | 'write';
  emergencyOnly?: true;
};

/**
 * A document that the actor may read, for putting it into something else: a reference is a use. Undefined for one that is
 * missing, in the bin, behind a barrier, of another team or not theirs to read, and for an identifier of another system: the
 * caller treats all of these as an external reference. So it is to an API client without the scope to read documents.
 */
export async function readableDocument(scope: AccessContext, id: string): Promise<ReferredDocument | undefined> {
  if (!isUuid(id) || !readsDocuments(scope.actor)) return undefined;
  const found = await reach(scope, id);
  if (!found) return undefined;
  const { document } = found;
  const { current } = document;
  const gives = givenToOthers(scope.actor, found.access);
  return {
    id: document.id,
    title: document.title,
    userId: document.user_id,
    barred: isBehindBarrier(document.barrier_id),
    ...(current === null ? {} : { version: current.number, sha256: current.sha256 }),
    ...(gives === undefined ? {} : { gives }),
    ...(document.outsider ? { emergencyOnly: true as const } : {}),
  };
}

/** The identifier of a document that the actor may read. Errors: 404. */
export const documentReadable = async (scope: AccessContext, id: string): Promise<string> => (await readable(scope, id)).document.id;

/** Whether a document is open to the actor now, by whatever scope they ask. */
export const documentStillOpen = async (scope: AccessContext, id: string): Promise<boolean> => (await reach(scope, id)) !== undefined;

/**
 * The same for what opens the document to others: undefined where it is an external reference. Errors: 403
 * `document_access_denied` where the actor may read it and not let others read it.
 */
export async function documentToOpen(scope: AccessContext, id: string): Promise<ReferredDocument | undefined> {
  const found = await readableDocument(scope, id);
  if (found && found.gives === undefined) throw notYoursToOpen();
  return found;
}

export const notYoursToOpen = () =>
  documentProblems.document_access_denied(
    'You may read this document for a task of yours, and not open it to others. Its owner may, or share it with you.',
  );

/**
 * A document as somebody may use it now: a person by what they are today, or an API client. For asking again at the start
 * of what was drafted earlier, about whoever put the document there. Undefined where they may not read it; nobody who has
 * left may.
 */
export async function documentReadableBy(scope: AccessContext, userId: string, documentId: string): Promise<ReferredDocument | undefined> {
  if (!isUuid(userId)) return undefined;
  const actor = await actorToday(scope, userId);
  return actor && readableDocument({ ...scope, actor }, documentId);
}

/** A person or API client of the team as what they are today; nobody who has left. Others that act, such as visitors, are nobody here. */
export async function actorToday({ db, team }: Pick<AccessContext, 'db' | 'team'>, id: string): Promise<Actor | undefined> {
  const now = await db.first(actorNow, { team, id });
  return now && actorOf(id, now);
}

function actorOf(id: string, { role, folder_ids: folderIds, scopes }: ActorNow): Actor {
  if (role !== 'client') return { type: 'user', id, role };
  return { type: 'client', id, scopes: new Set(scopes), ...(folderIds === null ? {} : { folderIds }) };
}

/** One version of a document's file, for who holds a reference to it; the newest without a number. */
export async function versionOfDocument(
  scope: AccessContext,
  documentId: string,
  number?: number,
): Promise<{ version: number; sha256: string; uploadedBy: string } | undefined> {
  const found = await scope.db.first(queries.versionOf, { team: scope.team, document: documentId, number: number ?? null });
  return found && { version: found.version, sha256: found.sha256, uploadedBy: found.created_by };
}

/**
 * Whether a copy of a document stands behind the barrier of the document, where there is one, when it goes into a folder, or outside of any:
 * who is outside of the barrier would read it there. A folder that the actor does not see is none: whether it stands there is not told.
 */
export async function copyStaysBehindBarrier(scope: AccessContext, document: string, folderId: string | undefined): Promise<boolean> {
  const { db, team } = scope;
  return (await db.first(copyStays, { team, id: document, folder: await folderSeen(scope, folderId) }))?.stays ?? false;
}

/** A folder that somebody names, as far as they see it. */
const folderSeen = async (scope: AccessContext, folderId: string | undefined): Promise<string | null> =>
  folderId !== undefined && (await seesFolder(scope, folderId)) ? folderId : null;

/** The same for the transaction that makes the copy: no barrier is put up meanwhile. */
export async function lockCopyBehindBarrier(scope: Scope, document: string, folderId: string | undefined): Promise<boolean> {
  holdTrees(scope);
  return copyStaysBehindBarrier(scope, document, folderId);
}

/** The same of a document that is made from what lives in the folder `from`. */
export async function lockMoveBehindBarrier(scope: Scope, from: string, folderId: string | undefined): Promise<boolean> {
  const { db, team } = scope;
  holdTrees(scope);
  return (await db.first(takenStays, { team, from, folder: await folderSeen(scope, folderId) }))?.stays ?? false;
}
