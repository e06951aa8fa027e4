import { isUuid } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { roleOnly } from '../../../platform/access-reason.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { withSubmissions } from './access.ts';
import { submissionsRead } from './events.ts';
import * as queries from './queries.ts';

/** A submission, its folder, and whether only the role of the actor grants access. */
export type ReadSubmission = { id: string; interfaceId: string; folderId: string | null; data: Record<string, unknown>; via?: 'role' };

/** Returns a submission that the actor can read, or `undefined` if it does not exist or was erased. Throws 403, 404. */
export async function readableSubmission(scope: ReadScope, id: string): Promise<ReadSubmission | undefined> {
  const one = isUuid(id) ? await scope.db.first(queries.interfaceOf, { team: scope.team, id: id.toLowerCase() }) : undefined;
  if (!one) return undefined;
  const { row: form, access } = await withSubmissions(scope, one.interface_id);
  const found = await scope.db.first(queries.findSubmission, { team: scope.team, id: id.toLowerCase(), interface: form.id });
  if (!found || found.data === null) return undefined;
  return { id: found.id, interfaceId: form.id, folderId: form.folder_id, data: found.data, ...access.byRole('view_submissions') };
}

/** Records in the journal that an actor with access only by role read answers. */
export async function recordSubmissionRead(scope: Scope, { interfaceId, via }: Pick<ReadSubmission, 'interfaceId' | 'via'>): Promise<void> {
  if (via === 'role') await recordAudit(scope, submissionsRead, interfaceId, roleOnly);
}
