import { isBehindBarrier } from '#access';
import type { Upload } from '../../platform/http/uploads.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { Via } from '../../platform/access-reason.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck } from '../../platform/versioned.ts';
import { changeable, reach, readable, readsDocuments } from './access.ts';
import { refuseBeingSigned } from './signing-lock.ts';
import { documentRead, documentUpdated, documentVersionAdded } from './events.ts';
import { presentVersion } from './present.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Version } from './schemas.ts';
import { askForPreview } from './preview/jobs.ts';
import { textJob } from './search/index.ts';

/** Adds a file as the newest version. `expect` checks `If-Match` against the version of the document. */
export async function addVersion(scope: Scope, id: string, upload: Upload, expect: VersionCheck): Promise<Version> {
  const { document, access } = await changeable(scope, id, expect);
  await refuseBeingSigned(scope, document.id);
  const number = document.current_version + 1;
  await addFile(scope, { ...document, number }, upload, access);
  if (document.status === 'signed') await reopenSigned(scope, document);
  const added = await scope.db.first(queries.findVersion, { team: scope.team, document: document.id, number });
  if (!added) throw notFound('version');
  return presentVersion(added);
}

/** Sets a signed document back to draft, because the new version is not signed. */
async function reopenSigned(scope: Scope, { id, title, folder_id: folder, barrier_id: barrier }: queries.DocumentRow): Promise<void> {
  const [reopened] = await scope.db.all(queries.setStatus, { team: scope.team, id, status: 'draft', from: ['signed'], at: scope.now });
  if (!reopened) return;
  const changes = { status: { from: 'signed', to: 'draft' } };
  await record(scope, documentUpdated, id, { title, ...(folder === null ? {} : { folderId: folder }), changes }, isBehindBarrier(barrier));
}

/**
 * Adds the first version to a document without a file. The service created the file from the resource `madeFrom`. The actor does not count as its
 * author, and so may decide on it. Returns false if the document already has a file. Errors: 403, 404.
 */
export async function addFirstVersion(scope: Scope, id: string, upload: Upload, madeFrom: string): Promise<boolean> {
  const { document, access } = await changeable(scope, id, () => undefined);
  if (document.current_version > 0) return false;
  await addFile(scope, { ...document, number: 1 }, upload, { ...access, by: { id: madeFrom, type: 'system' } });
  return true;
}

/** Delay in milliseconds before Chancery creates the text and the preview of a file that the service wrote. */
const writtenReadAfterMs = 30_000;

/** Adds a file as a version of a document. The creator is the actor, unless `by` names another one. */
export async function addFile(
  scope: Scope,
  document: Pick<queries.DocumentRow, 'id' | 'title' | 'barrier_id'> & { number: number },
  upload: Upload,
  access: { byRole?: (permission: 'edit') => { via?: 'role' }; by?: { id: string; type: string }; signatureId?: string },
): Promise<void> {
  const { id, title, barrier_id: barrier, number } = document;
  const by = access.by ?? (scope.actor.type === 'system' ? undefined : scope.actor);
  if (!by) throw new Error('a version needs a creator');
  scope.db.send(queries.insertVersion, {
    team: scope.team,
    document: id,
    number,
    key: upload.key,
    fileName: upload.fileName,
    mediaType: upload.mediaType,
    size: upload.size,
    sha256: upload.sha256,
    by: by.id,
    byType: by.type,
    at: scope.now,
  });
  // The service writes many files at once, such as for submissions. Their text and previews are made afterwards.
  const later = scope.actor.type === 'system' ? { runAt: new Date(scope.now.getTime() + writtenReadAfterMs) } : {};
  enqueue(scope, textJob, { document: id }, { key: id, ...later });
  askForPreview(scope, { document: id, version: number, mediaType: upload.mediaType }, later);
  await record(
    scope,
    documentVersionAdded,
    id,
    {
      title,
      version: number,
      sha256: upload.sha256,
      ...(access.signatureId === undefined ? {} : { signatureId: access.signatureId }),
      ...access.byRole?.('edit'),
    },
    isBehindBarrier(barrier),
  );
}

/** Lists the versions of a document, newest first. */
export async function listVersions(scope: ReadScope, id: string): Promise<Version[]> {
  const { document } = await readable(scope, id);
  const versions = await scope.db.all(queries.listVersions, { team: scope.team, document: document.id });
  return versions.map(({ preview, ...version }) => presentVersion(version, preview ?? undefined));
}

/** A version of a document that the actor may read, and the reason for the access. */
export type OpenVersion = { document: Pick<queries.DocumentRow, 'id' | 'title'>; via: Via; version: queries.DocumentVersionRow };

/** Returns the storage key of a version, and records the read with the reason for the access. Errors: 404, also `document_has_no_file`. */
export const openContent = async (scope: Scope, id: string, number: number | undefined): Promise<queries.DocumentVersionRow> =>
  openVersion(scope, await versionOf(scope, id, number));

/** Records that the actor reads a version. */
export async function openVersion(scope: Scope, { document, via, version }: OpenVersion): Promise<queries.DocumentVersionRow> {
  await recordAudit(scope, documentRead, document.id, { version: version.number, via });
  return version;
}

/**
 * Opens the newest version when several documents are read as one file. Errors: 404, also `document_has_no_file`, and the errors of
 * `refuseTooLarge`.
 */
export async function openNewest(scope: Scope, id: string, refuseTooLarge: (size: number) => void): Promise<queries.DocumentVersionRow> {
  const { document, access } = await readable(scope, id);
  const version = document.current;
  if (version === null) throw withoutFile();
  refuseTooLarge(version.size);
  return openVersion(scope, { document, via: access.via, version });
}

const withoutFile = () => documentProblems.document_has_no_file('The document has no file yet. Upload its first version.');

/** Returns a version for a HEAD request, without recording a read. Errors: as `openContent`. */
export async function contentHead(scope: ReadScope, id: string, number: number | undefined): Promise<queries.DocumentVersionRow> {
  return (await versionOf(scope, id, number)).version;
}

/** Returns a version that the actor may read; by default the newest. Errors: as `openContent`. */
export async function versionOf(scope: ReadScope | Scope, id: string, number: number | undefined): Promise<OpenVersion> {
  const { document, access } = await readable(scope, id);
  return versionIn(scope, { document, via: access.via, number: number ?? document.current?.number });
}

/**
 * Returns the version of a task. Allowed are callers who may read the document, and the person who completed the task while it gave them access.
 * Actors with scopes need the scope to read documents. Errors: 404, also `document_has_no_file`.
 */
export async function versionOfTask(
  scope: ReadScope | Scope,
  task: { id: string; documentId: string; number: number | undefined },
): Promise<OpenVersion> {
  const { db, team, actor } = scope;
  if (!isUuid(task.documentId) || !readsDocuments(actor)) throw notFound('document');
  const found = await reach(scope, task.documentId);
  const { number = found?.document.current?.number } = task;
  if (found) return versionIn(scope, { document: found.document, via: found.access.via, number });
  const kept =
    actor.type === 'user' ? await db.first(queries.reachByRecord, { team, id: task.documentId, task: task.id, user: actor.id }) : undefined;
  if (!kept) throw notFound('document');
  return versionIn(scope, { document: kept, via: 'record', number });
}

async function versionIn(
  scope: ReadScope | Scope,
  { number, ...found }: Omit<OpenVersion, 'version'> & { number: number | undefined },
): Promise<OpenVersion> {
  if (number === undefined) throw withoutFile();
  const version = await scope.db.first(queries.findVersion, { team: scope.team, document: found.document.id, number });
  if (!version) throw notFound('version');
  return { ...found, version };
}

/** Whether a version refers to this file of the storage. */
export async function fileIsKept(scope: ReadScope, key: string): Promise<boolean> {
  return (await scope.db.first(queries.findFile, { team: scope.team, key })) !== undefined;
}
