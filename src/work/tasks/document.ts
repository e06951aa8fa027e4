import { type DocumentVersion, openVersion, presentVersion, versionOfTask } from '#documents';
import type { KeptFile } from '../../platform/http/downloads.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { findTask } from './lookup.ts';
import * as queries from './queries.ts';

/** A task, and which of its documents: a vote can be about several ones. By default the document of the task. */
type TaskDocument = { id: string; documentId?: string };

/** Returns the version of a document that a task is about, if the actor may read the document. Errors: 404. */
async function find(scope: ReadScope | Scope, { id, documentId: wanted }: TaskDocument) {
  const task = await findTask(scope, id);
  const documentId = wanted ?? task.linked_document_id;
  const number = documentId === task.linked_document_id ? task.document_version : await versionInRound(scope, task, wanted);
  if (documentId === null || number === null) throw notFound('document of this task');
  return versionOfTask(scope, { id: task.id, documentId, number });
}

async function versionInRound(
  { db, team }: ReadScope | Scope,
  { approval_round_id: round }: queries.SeenTask,
  document: string | undefined,
) {
  if (round === null || document === undefined || !isUuid(document)) return null;
  return (await db.first(queries.versionInRound, { team, round, document }))?.number ?? null;
}

export const documentOfTask = async (scope: ReadScope, of: TaskDocument): Promise<DocumentVersion> =>
  presentVersion((await find(scope, of)).version);

/** Returns the file without opening it, for a HEAD request. */
export const fileOfTask = async (scope: ReadScope, of: TaskDocument): Promise<KeptFile> => (await find(scope, of)).version;

/** Opens the file. The journal records the reader. */
export const openFileOfTask = async (scope: Scope, of: TaskDocument): Promise<KeptFile> => openVersion(scope, await find(scope, of));
