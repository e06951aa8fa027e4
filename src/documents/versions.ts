import { isWalled } from '#folders';
import type { Upload } from '../platform/http/uploads.ts';
import { notFound } from '../platform/identifiers.ts';
import { record, recordAct } from '../platform/journal/record.ts';
import { byRole, type Held } from '../platform/reasons.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import type { VersionCheck } from '../platform/versioned.ts';
import { changeable, readable, type Reached } from './access.ts';
import { documentRead, documentVersionAdded } from './events.ts';
import { presentVersion } from './present.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Version } from './schemas.ts';

/** Adds a file as the newest version; `expect` compares `If-Match` with the document's version. */
export async function addVersion(scope: Scope, id: string, upload: Upload, expect: VersionCheck): Promise<Version> {
  const { document, access } = await changeable(scope, id, expect);
  const number = document.current_version + 1;
  await addFile(scope, { ...document, number }, upload, access);
  const added = await scope.db.first(queries.findVersion, { team: scope.team, document: document.id, number });
  if (!added) throw notFound('version');
  return presentVersion(added);
}

/** Keeps a file as a version of a document. Who added it is whoever acts, an API client as itself. */
export async function addFile(
  scope: Scope,
  document: Pick<queries.DocumentRow, 'id' | 'title' | 'wall_id'> & { number: number },
  upload: Upload,
  access: { held?: Held },
): Promise<void> {
  const { id, title, wall_id: wall, number } = document;
  if (scope.actor.type === 'system') throw new Error('a version needs somebody who adds it');
  scope.db.send(queries.insertVersion, {
    team: scope.team,
    document: id,
    number,
    key: upload.key,
    fileName: upload.fileName,
    mediaType: upload.mediaType,
    size: upload.size,
    sha256: upload.sha256,
    by: scope.actor.id,
    byType: scope.actor.type,
    at: scope.now,
  });
  await record(
    scope,
    documentVersionAdded,
    id,
    { title, version: number, sha256: upload.sha256, ...byRole('write', access) },
    isWalled(wall),
  );
}

/** The versions of a document, newest first: of what one keeps as a record, those one has decided on. */
export async function listVersions(scope: ReadScope, id: string): Promise<Version[]> {
  const { document, access } = await readable(scope, id);
  const versions = await scope.db.all(queries.listVersions, { team: scope.team, document: document.id });
  return versions.filter(({ number }) => access.versions?.includes(number) ?? true).map(presentVersion);
}

/** Where a version's bytes are kept; that they were asked for is recorded, and what allowed it. Errors: 403 `version_not_kept`, 404, also `document_has_no_file`. */
export async function openContent(scope: Scope, id: string, number: number | undefined): Promise<queries.VersionRow> {
  const { document, access, version } = await versionOf(scope, id, number);
  await recordAct(scope, documentRead, document.id, { version: version.number, via: access.via });
  return version;
}

/** What is known of a version, for one who asks for no bytes. Errors: as `openContent`. */
export async function contentHead(scope: ReadScope, id: string, number: number | undefined): Promise<queries.VersionRow> {
  return (await versionOf(scope, id, number)).version;
}

async function versionOf(
  scope: ReadScope | Scope,
  id: string,
  number: number | undefined,
): Promise<Reached & { version: queries.VersionRow }> {
  const found = await readable(scope, id);
  const wanted = number ?? found.document.current?.number;
  if (wanted === undefined) throw documentProblems.document_has_no_file('The document has no file yet: upload its first version.');
  requireKept(found.access.versions, wanted);
  const version = await scope.db.first(queries.findVersion, { team: scope.team, document: found.document.id, number: wanted });
  if (!version) throw notFound('version');
  return { ...found, version };
}

function requireKept(versions: readonly number[] | undefined, wanted: number): void {
  if (versions?.includes(wanted) ?? true) return;
  const kept = versions?.filter((number) => number > 0).toSorted((a, b) => a - b) ?? [];
  throw documentProblems.version_not_kept(
    kept.length === 0
      ? 'What you decided on had no file. Ask the owner of the document for a share.'
      : `You decided on version ${kept.join(', ')} and keep reading that: ask for it by its number.`,
  );
}

/** True when a version refers to this file of the storage. */
export async function fileIsKept(scope: ReadScope, key: string): Promise<boolean> {
  return (await scope.db.first(queries.findFile, { team: scope.team, key })) !== undefined;
}
