import { retryDocument } from '#issued-documents';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { documentOf, followAgain, type Following } from '../submit/index.ts';
import { withManageable } from './access.ts';
import { submissionRetried } from './events.ts';
import { managementProblems } from './problems.ts';
import { retryOutputs } from '../outputs/index.ts';
import { lockSubmission } from '../queries.ts';
import * as queries from './queries.ts';
import type { SubmissionView } from './schemas.ts';
import { getSubmission } from './service.ts';

/**
 * Retries the failed effects of a submission with the rights of the member who configured them. An effect that fails again keeps its
 * new reason. Throws 403, 404, 409 `submission_not_failed`.
 */
export async function retrySubmission(
  context: Following,
  scope: Scope,
  interfaceId: string,
  submissionId: string,
): Promise<SubmissionView> {
  const found = await withManageable(scope, interfaceId);
  const { row: form, access } = found;
  const { db, team, now: at } = scope;
  const one = { team, id: pathId(submissionId, 'submission') };
  const row = await db.first(queries.findSubmission, { ...one, interface: form.id });
  if (!row?.data || row.erased_at !== null) throw notFound('submission');
  // A concurrent retry waits, and then sees the results of the first one.
  const effects = await db.locked(lockSubmission, { id: one.id }, () => db.all(queries.effectsOf, one));
  const failed = effects.filter(({ status }) => status === 'failed').map(({ kind }) => kind);
  const outputs = await retryOutputs(scope, one.id);
  if (failed.length === 0 && outputs.length === 0)
    throw managementProblems.submission_not_failed(
      'No follow-up action (`effects`, `outputs`) of this submission has failed, so there is nothing to retry.',
    );
  const source = {
    id: one.id,
    interfaceId: form.id,
    ownerId: form.owner_id,
    folderId: form.folder_id,
    version: row.version,
    values: row.data,
  };
  const made = new Map(effects.flatMap(({ kind, result_id: id }) => (id === null ? [] : [[kind, id] as const])));
  const stillFailed = await followAgain(context, scope, source, { failed, made });
  // A separate job creates the PDF.
  if (failed.includes('pdf')) await retryDocument(scope, documentOf(one.id));
  const status = stillFailed ? 'failed' : 'received';
  if (!(await db.first(queries.settleSubmission, { ...one, status, at }))) throw notFound('submission');
  await recordAudit(scope, submissionRetried, one.id, {
    interfaceId: form.id,
    kinds: [...failed, ...outputs],
    ...access.byRole('manage_submissions'),
  });
  return getSubmission(scope, found, one.id);
}
