import { isUuid } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { roleOnly } from '../../../platform/access-reason.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { withSubmissions } from './access.ts';
import { submissionsRead } from './events.ts';
import * as queries from './queries.ts';

/** A submission, the folder in which it is stored, and whether the actor reads it by their role alone. */
export type ReadSubmission = { id: string; interfaceId: string; folderId: string | null; data: Record<string, unknown>; via?: 'role' };

/** A submission that the actor may read; undefined for one that is not there or was erased. Errors: 403, 404. */
export async function readableSubmission(scope: ReadScope, id: string): Promise<ReadSubmission | undefined> {
  const one = isUuid(id) ? await scope.db.first(queries.interfaceOf, { team: scope.team, id: id.toLowerCase() }) : undefined;
  if (!one) return undefined;
  const { row: form, access } = await withSubmissions(scope, one.interface_id);
  const found = await scope.db.first(queries.findSubmission, { team: scope.team, id: id.toLowerCase(), interface: form.id });
  if (!found || found.data === null) return undefined;
  return { id: found.id, interfaceId: form.id, folderId: form.folder_id, data: found.data, ...access.byRole('view_submissions') };
}

/** Has the journal say that answers were read that the actor's role alone opens. */
export async function noteSubmissionRead(scope: Scope, { interfaceId, via }: Pick<ReadSubmission, 'interfaceId' | 'via'>): Promise<void> {
  if (via === 'role') await recordAudit(scope, submissionsRead, interfaceId, roleOnly);
}
