import type { KeptFile } from '../../../platform/http/downloads.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { AccessibleForm } from '../queries.ts';
import { withSubmissions } from '../submissions/access.ts';
import { fileRead } from './events.ts';
import * as queries from './queries.ts';

type FileReference = { id: string; submissionId: string; fileId: string };

/** Returns a file of a submission for a download and records the access in the journal. Throws 403, 404. */
export async function openFile(scope: Scope, named: FileReference): Promise<KeptFile> {
  const { row, access, file } = await fileOf(scope, named);
  const which = { submissionId: named.submissionId.toLowerCase(), fileId: named.fileId.toLowerCase() };
  await recordAudit(scope, fileRead, row.id, { ...which, ...access.byRole('view_submissions') });
  return file;
}

/** Returns the metadata of a file without recording an access. Throws the errors of {@link openFile}. */
export async function fileHead(scope: ReadScope, named: FileReference): Promise<KeptFile> {
  return (await fileOf(scope, named)).file;
}

async function fileOf(scope: ReadScope | Scope, { id, submissionId, fileId }: FileReference): Promise<AccessibleForm & { file: KeptFile }> {
  const found = await withSubmissions(scope, id);
  const file = await scope.db.first(queries.fileOf, {
    team: scope.team,
    interface: found.row.id,
    submission: pathId(submissionId, 'submission'),
    id: pathId(fileId, 'file'),
  });
  if (!file) throw notFound('file');
  return { ...found, file };
}
