import { viewerOf } from '#access';
import { foldersBelow, type OpenFolder } from '#folders';
import { isUuid, notFound } from '../../../platform/identifiers.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { accessToDocument } from '../policy.ts';
import { documentProblems } from '../problems.ts';
import { reachDocuments } from '../queries.ts';
import { fileNameOf, uniqueNames } from './names.ts';
import * as queries from './queries.ts';

export const maxFiles = 1_000;
const maxFolders = 5_000;
export const maxBytes = 5 * 1024 ** 3;

/** The file that lists the files that could not be read. No other file gets this name. */
export const errorsName = 'errors.txt';

export type DownloadSelection = { documentIds?: readonly string[] | undefined; folderId?: string | undefined };

/** A file of the archive: the identifier of its document and its path. */
export type PlannedFile = { id: string; path: string };
export type Plan = { files: PlannedFile[]; unknown: string[] };

/**
 * Plans the files of an archive with unique names: the given documents, or all in a folder and its accessible subfolders. `unknown` lists given
 * documents that the actor may not read. Access is checked again when each file is read. Errors: 404 if nothing is readable, 422
 * `download_too_large`.
 */
export async function planDownload(scope: ReadScope, { documentIds, folderId }: DownloadSelection): Promise<Plan> {
  if (folderId !== undefined) return planOfFolder(scope, folderId);
  const ids = [...new Set((documentIds ?? []).map((id) => id.toLowerCase()))];
  const rows = await scope.db.all(queries.documentsNamed, { team: scope.team, ids: ids.filter(isUuid) });
  const open = await openDocuments(scope, rows);
  if (open.length === 0) throw notFound('document');
  const found = new Map(open.map((row) => [row.id, row]));
  return {
    ...planOf(
      ids.flatMap((id) => found.get(id) ?? []),
      [],
    ),
    unknown: ids.filter((id) => !found.has(id)),
  };
}

async function planOfFolder(scope: ReadScope, folderId: string): Promise<Plan> {
  const folders = await foldersBelow(scope, folderId, maxFolders + 1);
  if (folders.length > maxFolders) throw tooLarge();
  const rows = await scope.db.all(queries.documentsInFolders, {
    team: scope.team,
    folders: folders.map(({ id }) => id),
    limit: maxFiles + 1,
  });
  return planOf(await openDocuments(scope, rows), folders);
}

/** Returns the documents that the actor may read, by the same policy as a single download. */
async function openDocuments(scope: ReadScope, rows: queries.Listed[]): Promise<queries.Listed[]> {
  const facts = await scope.db.all(reachDocuments, { team: scope.team, ids: rows.map(({ id }) => id), ...viewerOf(scope.actor) });
  const open = new Set(facts.filter((one) => accessToDocument(scope.actor, one) !== undefined).map(({ id }) => id));
  return rows.filter(({ id }) => open.has(id));
}

export const tooLarge = () =>
  documentProblems.download_too_large(
    `An archive has up to ${maxFiles} files of ${maxBytes / 1024 ** 3} GiB in all. Request fewer documents, or request the subfolders separately.`,
  );

function planOf(rows: queries.Listed[], folders: readonly OpenFolder[]): Plan {
  const bytes = rows.reduce((sum, { size }) => sum + (size ?? 0), 0);
  if (rows.length > maxFiles || bytes > maxBytes) throw tooLarge();
  const name = uniqueNames([errorsName]);
  const paths = new Map<string | null, string>();
  // Files of the folder itself are at the top of the archive.
  for (const [at, { id, parentId, name: called }] of folders.entries())
    paths.set(id, at === 0 ? '' : `${name(paths.get(parentId) ?? '', called)}/`);
  const files = rows.map(({ id, title, folder_id: folder, file_name: uploadedAs }) => ({
    id,
    path: name(paths.get(folder) ?? '', fileNameOf(title, uploadedAs ?? '')),
  }));
  return { files, unknown: [] };
}
