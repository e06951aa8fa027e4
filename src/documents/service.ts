import { randomUUIDv7 } from 'node:crypto';
import { holdFolderFor, mergeMetadata, viewerOf } from '#folders';
import type { ListPage } from '../platform/database/json-page.ts';
import type { Reader } from '../platform/database/database.ts';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { record, recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import {
  documentCreated,
  documentDeleted,
  documentMoved,
  documentRead,
  documentShared,
  documentUpdated,
  documentVersionAdded,
} from './events.ts';
import { give } from './grants.ts';
import { presentDocument, presentVersion } from './present.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { CreateDocument, Document, UpdateDocument, Version } from './schemas.ts';

/** A file that storage has taken, not yet referred to by any document. */
export type Upload = { key: string; size: number; sha256: string; fileName: string; mediaType: string };
export type Versioned<T> = { value: T; version: number };

const ownMembers = ['id', 'title', 'description', 'folderId', 'userId', 'status', 'currentVersion', 'createdAt', 'updatedAt'];

type Filters = { folderId?: string | undefined; status?: string | undefined; q?: string | undefined };

/** A page of the documents the actor may see, by age, as JSON text; undefined where there are none. */
export async function listDocuments(
  scope: ReadScope,
  filters: Filters,
  page: { after: string; limit: number },
): Promise<ListPage | undefined> {
  if (filters.folderId !== undefined && !isUuid(filters.folderId)) return undefined;
  return scope.db.first(queries.listDocuments, {
    team: scope.team,
    user: viewerOf(scope.actor),
    folder: filters.folderId ?? null,
    status: filters.status ?? null,
    q: filters.q ?? null,
    ...page,
  });
}

/** One document the actor may read. Errors: 404. */
export async function getDocument(scope: ReadScope, id: string): Promise<Versioned<Document>> {
  const row = await readable(scope, id);
  return { value: presentDocument(row), version: row.version };
}

/** Creates a document, with its first version when a file came along. Errors: 422 `parent_not_found`. */
export async function createDocument(scope: Scope, input: CreateDocument, upload: Upload | undefined): Promise<Versioned<Document>> {
  const title = cleanName(input.title, 'title');
  const metadata = mergeMetadata({}, input, ownMembers);
  const folder = input.folderId ?? null;
  const [user] = await Promise.all([ownerForActor(scope), folder === null ? undefined : holdFolderFor(scope, folder)]);
  const id = randomUUIDv7();
  await Promise.all([
    scope.db.all(queries.insertDocument, {
      team: scope.team,
      id,
      folder,
      user,
      title,
      description: input.description ?? null,
      metadata: JSON.stringify(metadata),
      at: scope.now,
    }),
    record(scope, documentCreated, id, announced(title, folder)),
    upload && addFile(scope, { id, title, number: 1, user }, upload),
  ]);
  return getDocument(scope, id);
}

/** Adds a file as the newest version; `expect` compares `If-Match` with the document's version. */
export async function addVersion(scope: Scope, id: string, upload: Upload, expect: (version: number) => void): Promise<Version> {
  const found = await writable(scope, id);
  const [locked, user] = await Promise.all([
    scope.db.first(queries.lockDocument, { team: scope.team, id: found.id }),
    ownerForActor(scope),
  ]);
  if (!locked) throw notFound('document');
  expect(locked.version);
  const number = locked.current_version + 1;
  await addFile(scope, { id: found.id, title: found.title, number, user }, upload);
  const added = await scope.db.first(queries.findVersion, { team: scope.team, document: found.id, number });
  if (!added) throw notFound('version');
  return presentVersion(added);
}

async function addFile(scope: Scope, document: { id: string; title: string; number: number; user: string }, upload: Upload): Promise<void> {
  const { id, title, number, user } = document;
  await Promise.all([
    scope.db.all(queries.insertVersion, {
      team: scope.team,
      document: id,
      number,
      key: upload.key,
      fileName: upload.fileName,
      mediaType: upload.mediaType,
      size: upload.size,
      sha256: upload.sha256,
      by: user,
      at: scope.now,
    }),
    record(scope, documentVersionAdded, id, { title, version: number, sha256: upload.sha256 }),
  ]);
}

/** Changes the members that are given. */
export async function updateDocument(
  scope: Scope,
  id: string,
  input: UpdateDocument,
  expect: (version: number) => void,
): Promise<Versioned<Document>> {
  const kept = await changeable(scope, id, expect);
  const title = input.title === undefined ? kept.title : cleanName(input.title, 'title');
  await Promise.all([
    scope.db.all(queries.updateDocument, {
      team: scope.team,
      id: kept.id,
      title,
      description: input.description === undefined ? kept.description : input.description,
      status: input.status ?? kept.status,
      metadata: JSON.stringify(mergeMetadata(kept.metadata, input, ownMembers)),
      at: scope.now,
    }),
    record(scope, documentUpdated, kept.id, announced(title, kept.folder_id)),
  ]);
  return getDocument(scope, kept.id);
}

/** Moves a document into a folder, or out of any with null. Errors: 422 `parent_not_found`. */
export async function moveDocument(
  scope: Scope,
  id: string,
  folderId: string | null,
  expect: (version: number) => void,
): Promise<Versioned<Document>> {
  const kept = await changeable(scope, id, expect);
  if (folderId !== null) await holdFolderFor(scope, folderId);
  await Promise.all([
    scope.db.all(queries.moveDocument, { team: scope.team, id: kept.id, folder: folderId, at: scope.now }),
    record(scope, documentMoved, kept.id, announced(kept.title, folderId)),
  ]);
  return getDocument(scope, kept.id);
}

/** Moves a document to the bin. */
export async function deleteDocument(scope: Scope, id: string, expect: (version: number) => void): Promise<void> {
  const kept = await changeable(scope, id, expect);
  await Promise.all([
    scope.db.all(queries.binDocument, { team: scope.team, id: kept.id, at: scope.now }),
    record(scope, documentDeleted, kept.id, announced(kept.title, kept.folder_id)),
  ]);
}

/** The versions of a document, newest first. */
export async function listVersions(scope: ReadScope, id: string): Promise<Version[]> {
  const document = await readable(scope, id);
  return (await scope.db.all(queries.listVersions, { team: scope.team, document: document.id })).map(presentVersion);
}

/** Where a version's bytes are kept; that they were asked for is recorded. Errors: 404, also `document_has_no_file`. */
export async function openContent(scope: Scope, id: string, number: number | undefined): Promise<queries.VersionRow> {
  const document = await readable(scope, id);
  const wanted = number ?? document.current?.number;
  if (wanted === undefined) throw documentProblems.document_has_no_file('The document has no file yet: upload its first version.');
  const version = await scope.db.first(queries.findVersion, { team: scope.team, document: document.id, number: wanted });
  if (!version) throw notFound('version');
  await recordAct(scope, documentRead, document.id, { version: wanted });
  return version;
}

/** True when a version refers to this file of the storage. */
export async function fileIsKept(scope: ReadScope, key: string): Promise<boolean> {
  return (await scope.db.first(queries.findFile, { team: scope.team, key })) !== undefined;
}

/** A document of the team by an identifier that may be one of another system. */
export async function findLinkedDocument(
  scope: { db: Reader; team: string },
  id: string,
): Promise<{ id: string; title: string } | undefined> {
  return isUuid(id) ? scope.db.first(queries.findTitle, { team: scope.team, id }) : undefined;
}

/** Lets a person see a document: what the workflows of before used, which name no task. */
export async function grantDocumentAccess(scope: Scope, documentId: string, userId: string, access: 'read' | 'write'): Promise<void> {
  const given = await give(scope, { documentId, userId, access, reason: 'share', reasonId: null });
  if (given) await record(scope, documentShared, documentId, { userId, access });
}

type Looking = { db: Reader; team: string; actor: Actor };

async function readable(scope: Looking, id: string): Promise<queries.DocumentRow & { access: 'read' | 'write' }> {
  const found = await scope.db.first(queries.reachDocument, { team: scope.team, id: pathId(id, 'document'), user: viewerOf(scope.actor) });
  if (!found || found.access === null) throw notFound('document');
  return { ...found, access: found.access };
}

async function writable(scope: Looking, id: string) {
  const found = await readable(scope, id);
  if (found.access !== 'write') throw problems.forbidden('You may read this document but not change it. Ask its owner for write access.');
  return found;
}

/** A document the actor may change, locked and read under the lock; `expect` compares `If-Match`. */
async function changeable(scope: Scope, id: string, expect: (version: number) => void) {
  const documentId = pathId(id, 'document');
  const [, found] = await Promise.all([
    scope.db.first(queries.lockDocument, { team: scope.team, id: documentId }),
    writable(scope, documentId),
  ]);
  expect(found.version);
  return found;
}

/** Documents of a person are theirs; those of an API client belong to the team's owner. */
async function ownerForActor(scope: Scope): Promise<string> {
  if (scope.actor.type === 'user') return scope.actor.id;
  const owner = await scope.db.first(queries.ownerOfTeam, { team: scope.team });
  if (!owner) throw notFound('team owner');
  return owner.id;
}

function announced(title: string, folder: string | null) {
  return { title, ...(folder === null ? {} : { folderId: folder }) };
}
