import { type DocumentVersion, openVersion, presentVersion, versionOfTask } from '#documents';
import type { KeptFile } from '../../platform/http/downloads.ts';
import { notFound } from '../../platform/identifiers.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { findTask } from './lookup.ts';

/** Returns the version of the document that a task is about, if the actor may read the document. Errors: 404. */
async function find(scope: ReadScope | Scope, id: string) {
  const { id: task, linked_document_id: documentId, document_version: number } = await findTask(scope, id);
  if (documentId === null || number === null) throw notFound('document of this task');
  return versionOfTask(scope, { id: task, documentId, number });
}

export const documentOfTask = async (scope: ReadScope, id: string): Promise<DocumentVersion> =>
  presentVersion((await find(scope, id)).version);

/** Returns the file without opening it, for a HEAD request. */
export const fileOfTask = async (scope: ReadScope, id: string): Promise<KeptFile> => (await find(scope, id)).version;

/** Opens the file. The journal records the reader. */
export const openFileOfTask = async (scope: Scope, id: string): Promise<KeptFile> => openVersion(scope, await find(scope, id));
