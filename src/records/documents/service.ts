import { isBehindBarrier, noBarrier } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import {
  clientOf,
  holdFolderFor,
  holdTrees,
  mayRelocate,
  mergeMetadata,
  movesWithin,
  notYours,
  type AccessibleLocation,
  refuseLeavingHold,
  refuseOpening,
  topFor,
} from '#folders';
import { isUuid } from '../../platform/identifiers.ts';
import { changesBetween } from '../../platform/journal/changes.ts';
import { record } from '../../platform/journal/record.ts';
import { Problem, problemCatalogue } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { fileProblems } from '../../platform/storage/problems.ts';
import type { Upload } from '../../platform/http/uploads.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { refuseBeingSigned } from './signing-lock.ts';
import { changeable, placeable, readable, type AccessibleDocument } from './access.ts';
import { cleanLabels } from './labels.ts';
import { documentCreated, documentDeleted, documentMoved, documentUpdated } from './events.ts';
import { presentDocument } from './present.ts';
import * as queries from './queries.ts';
import { keepTitle } from './search/index.ts';
import { type CreateDocument, type Document, type DocumentStatus, eachText, type UpdateDocument } from './schemas.ts';
import { addFile } from './versions.ts';
import { holdShown, refuseUnderHold } from './holds/index.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** One document the actor may read. Errors: 404. */
export async function getDocument(scope: ReadScope, id: string): Promise<Versioned<Document>> {
  const { reached, held } = await pipelined({ reached: () => readable(scope, id), held: () => holdShown(scope, id) });
  const { document } = reached;
  return { value: { ...presentDocument(document), ...held }, version: document.version };
}

/**
 * The place of documents that are made in a folder, or outside of any, held until the transaction ends. Errors: 403 to a confined client without a
 * folder, 422 `parent_not_found`.
 */
export const placeForDocument = (scope: Scope, folderId: string | null | undefined) =>
  folderId ? holdFolderFor(scope, folderId) : topFor(scope);

/**
 * Creates a document, with its first version when a file came along. In a folder it belongs to whose tree that is; outside
 * of any, to whoever makes it. Errors: 403 to a confined client without a folder, 422 `parent_not_found`.
 */
export async function createDocument(scope: Scope, input: CreateDocument, upload: Upload | undefined): Promise<Versioned<Document>> {
  const title = cleanName(input.title, 'title');
  if ('file' in input)
    throw fileProblems.file_required('`file` is a part of a multipart/form-data body. As JSON, leave it out: a version is uploaded later.');
  const metadata = mergeMetadata({}, { metadata: input.metadata ?? {} }, []);
  const marked = cleanLabels(input.labels ?? []);
  if (scope.actor.type === 'system') throw new Error('a document needs a creator');
  const place = await placeForDocument(scope, input.folderId);
  const id = randomUUIDv7();
  scope.db.send(queries.insertDocument, {
    team: scope.team,
    id,
    folder: place.parent,
    user: place.user_id,
    by: scope.actor.id,
    byType: scope.actor.type,
    client: clientOf(scope),
    title,
    ...eachText((name) => input[name] ?? null),
    metadata: JSON.stringify(metadata),
    ...marked,
    at: scope.now,
  });
  scope.db.send(keepTitle, { team: scope.team, document: id, title });
  await pipelined([
    () =>
      record(
        scope,
        documentCreated,
        id,
        { ...eventData(title, place.parent), ...place.access?.byRole('edit') },
        isBehindBarrier(place.barrier_id),
      ),
    () => upload && addFile(scope, { id, title, barrier_id: place.barrier_id, number: 1 }, upload, place.access ?? {}),
  ]);
  return getDocument(scope, id);
}

/** Changes the members that are given. Of states, by hand, only `draft` and `archived`. Errors: 409 `signature_pending` to archive what is being signed. */
export async function updateDocument(scope: Scope, id: string, input: UpdateDocument, expect: VersionCheck): Promise<Versioned<Document>> {
  const { document: kept, access } = await changeable(scope, id, expect);
  if (input.status === 'archived') await refuseBeingSigned(scope, kept.id);
  const title = input.title === undefined ? kept.title : cleanName(input.title, 'title');
  const texts = eachText((name) => (input[name] === undefined ? kept[name] : input[name]));
  const status = input.status ?? kept.status;
  const metadata = mergeMetadata(kept.metadata, { metadata: input.metadata ?? {} }, []);
  const marked = cleanLabels(input.labels ?? kept.labels);
  const changes = {
    ...changesBetween({ title: kept.title, ...eachText((name) => kept[name]), status: kept.status }, { title, ...texts, status }),
    // Its values are the callers' own, under names that nobody knows here.
    ...(JSON.stringify(metadata) === JSON.stringify(kept.metadata) ? {} : { metadata: {} }),
    ...changesBetween({ labels: kept.labels }, { labels: marked.labels }),
  };
  scope.db.send(queries.updateDocument, {
    team: scope.team,
    id: kept.id,
    title,
    ...texts,
    status,
    metadata: JSON.stringify(metadata),
    ...marked,
    client: clientOf(scope),
    at: scope.now,
  });
  if (title !== kept.title) scope.db.send(keepTitle, { team: scope.team, document: kept.id, title });
  await record(
    scope,
    documentUpdated,
    kept.id,
    { ...eventData(title, kept.folder_id), changes, ...access.byRole('edit') },
    isBehindBarrier(kept.barrier_id),
  );
  return getDocument(scope, kept.id);
}

/**
 * Sets the state that follows from what happened to a document, such as `in_review` when a workflow runs on it, `approved` or
 * `signed`; with `from`, only where it has one of these. Returns the state before, where there is a change: nothing is
 * recorded where it had that state. One in the bin follows too: it may be restored.
 */
export async function setDocumentStatus(
  scope: Scope,
  id: string,
  status: DocumentStatus,
  { from }: { from?: readonly DocumentStatus[] } = {},
): Promise<DocumentStatus | undefined> {
  if (!isUuid(id)) return undefined;
  const [set] = await scope.db.all(queries.setStatus, { team: scope.team, id, status, from: from ?? null, at: scope.now });
  if (!set) return undefined;
  const changes = changesBetween({ status: set.before }, { status });
  await record(scope, documentUpdated, id, { ...eventData(set.title, set.folder_id), changes }, isBehindBarrier(set.barrier_id));
  return set.before;
}

/**
 * Moves a document into a folder, which makes its owner the document's, or out of any with null, where it is its owner's
 * alone. Errors: 403 where that is not the actor's to do, 409 `legal_hold_active`, 422 `parent_not_found`.
 */
export async function moveDocument(scope: Scope, id: string, folderId: string | null, expect: VersionCheck): Promise<Versioned<Document>> {
  await readable(scope, id);
  return moveInto(scope, id, await holdTarget(scope, folderId), expect);
}

/**
 * Moves several documents, each as {@link moveDocument} does, or none of them: what one is refused for, all are, and `errors` points to
 * it. Answers them in the order in which they were named. Errors: those of a single move.
 */
export async function moveDocuments(scope: Scope, ids: readonly string[], folderId: string | null): Promise<Document[]> {
  // In one order for all: two that name the same documents the other way round would wait for one another.
  const named = ids.map((id, at) => ({ id: id.toLowerCase(), at })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const pointed = <T>(at: number, work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw pointingTo(error, at);
    });
  for (const { id, at } of named) await pointed(at, readable(scope, id));
  const target = await holdTarget(scope, folderId);
  const moved: { at: number; document: Document }[] = [];
  for (const { id, at } of named) {
    const moving = moveInto(scope, id, target, () => undefined);
    moved.push({ at, document: (await pointed(at, moving)).value });
  }
  return moved.toSorted((a, b) => a.at - b.at).map(({ document }) => document);
}

/** A refusal that says which of several documents it is about. */
function pointingTo(error: unknown, at: number): unknown {
  const kind = error instanceof Problem ? problemCatalogue.get(error.code) : undefined;
  if (!(error instanceof Problem) || !kind) return error;
  const { code, detail, headers, members } = error;
  const errors = [{ name: 'documentIds', pointer: `/documentIds/${at}`, reason: detail, rule: code }];
  return new Problem(code, kind, detail, { headers, members, errors });
}

/** The folder before the document, as a deletion of the folder takes them: two that race would otherwise wait for one another. */
async function holdTarget(scope: Scope, folderId: string | null): Promise<AccessibleLocation | undefined> {
  holdTrees(scope);
  return folderId === null ? undefined : holdFolderFor(scope, folderId);
}

async function moveInto(
  scope: Scope,
  id: string,
  target: AccessibleLocation | undefined,
  expect: VersionCheck,
): Promise<Versioned<Document>> {
  const found = await placeable(scope, id, expect);
  const { document, access } = found;
  const place = placeForMoved(found, target);
  await refuseLeavingHold(scope, document.folder_id, place.parent);
  await refuseOpening(
    scope,
    access,
    { from: document.folder_id, to: place.parent },
    () => document.made_by_client !== null && document.made_by_client === clientOf(scope),
  );
  scope.db.send(queries.moveDocument, {
    team: scope.team,
    id: document.id,
    folder: place.parent,
    user: place.user_id,
    client: clientOf(scope),
    at: scope.now,
  });
  await record(
    scope,
    documentMoved,
    document.id,
    { ...eventData(document.title, place.parent), ...access.byRole('share'), ...place.access?.byRole('share') },
    isBehindBarrier(document.barrier_id, place.barrier_id),
  );
  return getDocument(scope, document.id);
}

function placeForMoved({ document, access }: AccessibleDocument, target: AccessibleLocation | undefined): AccessibleLocation {
  if (document.folder_id === (target?.parent ?? null)) return { ...document, parent: document.folder_id };
  if (!mayRelocate(access, movesWithin(document, target))) throw notYours();
  return target ?? { parent: null, user_id: document.user_id, barrier_id: noBarrier };
}

/** Moves a document to the bin. Errors: 409 `legal_hold_active`, `signature_pending`. */
export async function deleteDocument(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  await readable(scope, id);
  // Under the lock of the trees no hold is placed on what lies in them.
  holdTrees(scope);
  const { document, access } = await placeable(scope, id, expect);
  await refuseUnderHold(scope, document.id);
  await refuseBeingSigned(scope, document.id);
  scope.db.send(queries.binDocument, { team: scope.team, id: document.id, client: clientOf(scope), at: scope.now });
  await record(
    scope,
    documentDeleted,
    document.id,
    { ...eventData(document.title, document.folder_id), ...access.placedByRole },
    isBehindBarrier(document.barrier_id),
  );
}

/** Ends a document that was made of something which is erased, whoever it belongs to by now: nobody takes it out of the bin again. Errors: 409 `legal_hold_active`. */
export async function endDocumentOf(scope: Scope, id: string): Promise<void> {
  holdTrees(scope);
  await scope.db.locked(queries.lockDocument, { team: scope.team, id }, () => refuseUnderHold(scope, id));
  await refuseBeingSigned(scope, id);
  const [gone] = await scope.db.all(queries.endMadeDocument, { team: scope.team, id });
  if (gone) await record(scope, documentDeleted, id, eventData(gone.title, gone.folder_id), isBehindBarrier(gone.barrier_id));
}

/** What is announced of a document. */
export function eventData(title: string, folder: string | null) {
  return { title, ...(folder === null ? {} : { folderId: folder }) };
}
