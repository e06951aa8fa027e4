import { isBehindBarrier, noBarrier } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import {
  clientOf,
  lockTargetFolder,
  lockMatterFor,
  lockTreesShared,
  mayRelocate,
  mergeMetadata,
  movesWithin,
  notYours,
  refuseInClosedMatter,
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
import { legalHoldShown, refuseUnderHold } from './holds/index.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Returns a document that the actor may read. Errors: 404. */
export async function getDocument(scope: ReadScope, id: string): Promise<Versioned<Document>> {
  const { reached, hold } = await pipelined({ reached: () => readable(scope, id), hold: () => legalHoldShown(scope, id) });
  const { document, access } = reached;
  const byRole = access.via === 'role' ? { byRole: true as const } : {};
  return { value: { ...presentDocument(document), ...hold, ...byRole }, version: document.version };
}

/**
 * Returns and locks the location of new documents in a folder, or outside any. Errors: 403 for a confined client without a folder, 422
 * `parent_not_found`.
 */
export const placeForDocument = (scope: Scope, folderId: string | null | undefined, matterId?: string) =>
  matterId !== undefined ? lockMatterFor(scope, matterId, folderId) : folderId ? lockTargetFolder(scope, folderId, 'any') : topFor(scope);

/**
 * Creates a document, with its first version if the request has a file. In a folder it belongs to the owner of that tree, otherwise to the actor, or
 * for an API client to the team’s owner. Errors: 403 for a confined client without a folder, 422 `parent_not_found`.
 */
export async function createDocument(scope: Scope, input: CreateDocument, upload: Upload | undefined): Promise<Versioned<Document>> {
  const title = cleanName(input.title, 'title');
  if ('file' in input)
    throw fileProblems.file_required('`file` is a part of a `multipart/form-data` body. Omit it in JSON, and upload a version afterwards.');
  const metadata = mergeMetadata({}, { metadata: input.metadata ?? {} }, []);
  const marked = cleanLabels(input.labels ?? []);
  if (scope.actor.type === 'system') throw new Error('a document needs a creator');
  const place = await placeForDocument(scope, input.folderId, input.matterId);
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
        { ...eventData(title, place.parent, place.matter_id), ...place.access?.byRole('edit') },
        isBehindBarrier(place.barrier_id),
      ),
    () => upload && addFile(scope, { id, title, barrier_id: place.barrier_id, number: 1 }, upload, place.access ?? {}),
  ]);
  return getDocument(scope, id);
}

/**
 * Changes the given members. Callers may set the status to `draft` and `archived` only. Errors: 403, 404, 409 `signature_pending` for archiving,
 * 412.
 */
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
    // The values are the callers’ own data, so the journal records only that they changed.
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
    { ...eventData(title, kept.folder_id, kept.matter_id), changes, ...access.byRole('edit') },
    isBehindBarrier(kept.barrier_id),
  );
  return getDocument(scope, kept.id);
}

/**
 * Sets a state that results from an event, such as `in_review`, `approved` or `signed`. With `from`, it does so only from one of these states.
 * Returns the previous state if it changed; an unchanged state records nothing. Also applies in the bin, because the document may be restored.
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
  await record(
    scope,
    documentUpdated,
    id,
    { ...eventData(set.title, set.folder_id, set.matter_id), changes },
    isBehindBarrier(set.barrier_id),
  );
  return set.before;
}

/**
 * Moves a document into a folder, whose owner then owns it, or out of any folder with null. Errors: 403 if the actor may not move it there, 409
 * `legal_hold_active`, 422 `parent_not_found`.
 */
export async function moveDocument(scope: Scope, id: string, folderId: string | null, expect: VersionCheck): Promise<Versioned<Document>> {
  const { document } = await readable(scope, id);
  return moveInto(scope, id, await lockTarget(scope, folderId, document.matter_id), expect);
}

/**
 * Moves all given documents like {@link moveDocument}, or none. `errors` points to the rejected document. Returns them in the order of the request.
 * Errors: those of a single move.
 */
export async function moveDocuments(scope: Scope, ids: readonly string[], folderId: string | null): Promise<Document[]> {
  // One lock order for all: requests with the same documents in another order would deadlock.
  const named = ids.map((id, at) => ({ id: id.toLowerCase(), at })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const pointed = <T>(at: number, work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw pointingTo(error, at);
    });
  const matters = new Map<string, string | null>();
  for (const { id, at } of named) matters.set(id, (await pointed(at, readable(scope, id))).document.matter_id);
  const targets = new Map<string | null, AccessibleLocation | undefined>();
  for (const matter of [...new Set(matters.values())].toSorted()) targets.set(matter, await lockTarget(scope, folderId, matter));
  const moved: { at: number; document: Document }[] = [];
  for (const { id, at } of named) {
    const moving = moveInto(scope, id, targets.get(matters.get(id) ?? null), () => undefined);
    moved.push({ at, document: (await pointed(at, moving)).value });
  }
  return moved.toSorted((a, b) => a.at - b.at).map(({ document }) => document);
}

/** Adds a pointer to the rejected document to an error. */
function pointingTo(error: unknown, at: number): unknown {
  const kind = error instanceof Problem ? problemCatalogue.get(error.code) : undefined;
  if (!(error instanceof Problem) || !kind) return error;
  const { code, detail, headers, members } = error;
  const errors = [{ name: 'documentIds', pointer: `/documentIds/${at}`, reason: detail, rule: code }];
  return new Problem(code, kind, detail, { headers, members, errors });
}

/**
 * Locks the folder before the document, in the same order as the deletion of a folder. Outside of folders, a document
 * stays in its matter.
 */
async function lockTarget(scope: Scope, folderId: string | null, matter: string | null): Promise<AccessibleLocation | undefined> {
  lockTreesShared(scope);
  if (folderId !== null) return lockTargetFolder(scope, folderId);
  return matter === null ? undefined : lockMatterFor(scope, matter);
}

/** Moves a document to the top of a matter, or with null out of its matter. Errors: those of {@link moveDocument}, 422 `matter_not_found`. */
export async function moveDocumentToMatter(scope: Scope, id: string, matter: string | null): Promise<Versioned<Document>> {
  await readable(scope, id);
  lockTreesShared(scope);
  return moveInto(scope, id, matter === null ? undefined : await lockMatterFor(scope, matter), () => undefined);
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
    { ...eventData(document.title, place.parent, place.matter_id), ...access.byRole('share'), ...place.access?.byRole('share') },
    isBehindBarrier(document.barrier_id, place.barrier_id),
  );
  return getDocument(scope, document.id);
}

function placeForMoved({ document, access }: AccessibleDocument, target: AccessibleLocation | undefined): AccessibleLocation {
  if (document.folder_id === (target?.parent ?? null)) return { ...document, parent: document.folder_id };
  if (!mayRelocate(access, movesWithin(document, target))) throw notYours();
  return target ?? { parent: null, user_id: document.user_id, barrier_id: noBarrier };
}

/** Moves a document to the bin. Errors: 403, 404, 409 `legal_hold_active`, `signature_pending`, 412. */
export async function deleteDocument(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  await readable(scope, id);
  // The lock of the trees prevents new holds on their content.
  lockTreesShared(scope);
  const { document, access } = await placeable(scope, id, expect);
  await refuseUnderHold(scope, document.id);
  await refuseBeingSigned(scope, document.id);
  refuseInClosedMatter(scope, document.folder_id);
  scope.db.send(queries.binDocument, { team: scope.team, id: document.id, client: clientOf(scope), at: scope.now });
  await record(
    scope,
    documentDeleted,
    document.id,
    { ...eventData(document.title, document.folder_id, document.matter_id), ...access.placedByRole },
    isBehindBarrier(document.barrier_id),
  );
}

/**
 * Deletes a document that was created from an erased resource, regardless of its owner. It cannot be restored. Errors: 409 `legal_hold_active`,
 * `signature_pending`.
 */
export async function endDocumentOf(scope: Scope, id: string): Promise<void> {
  lockTreesShared(scope);
  await scope.db.locked(queries.lockDocument, { team: scope.team, id }, () => refuseUnderHold(scope, id));
  await refuseBeingSigned(scope, id);
  const [gone] = await scope.db.all(queries.endMadeDocument, { team: scope.team, id });
  if (gone)
    await record(scope, documentDeleted, id, eventData(gone.title, gone.folder_id, gone.matter_id), isBehindBarrier(gone.barrier_id));
}

/** The event data of a document: its title, its folder and its matter. */
export function eventData(title: string, folder: string | null, matter?: string | null) {
  return { title, ...(folder === null || folder === matter ? {} : { folderId: folder }), ...(matter ? { matterId: matter } : {}) };
}
