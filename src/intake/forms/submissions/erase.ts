import type { OpenBookings } from '#bookings';
import { endDocumentOf, lockDocument } from '#documents';
import { lockTreesShared, refuseUnderHold } from '#folders';
import { eraseSubmittedRecords, keepApprovedRecords } from '#registries';
import type { IssuedDocuments } from '#issued-documents';
import { endWorkflow, workflowsUnderWay } from '#workflows';
import { deleteResponsesOf } from '../../../platform/http/idempotency.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { record } from '../../../platform/journal/record.ts';
import { withdrawMails } from '../../../platform/mail/queries.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { outputsOf } from '../outputs/index.ts';
import { lockSubmission } from '../queries.ts';
import { documentOf } from '../submit/index.ts';
import { withManageable } from './access.ts';
import { submissionErased } from './events.ts';
import { endExports } from './exports/index.ts';
import { managementProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The dependencies of an erasure, in addition to the scope. */
export type Erasing = { storage: Storage; issuedDocuments: Pick<IssuedDocuments, 'withdraw'>; bookings: Pick<OpenBookings, 'erase'> };

/** Erases a submission at the request of the caller. Throws 403, 404, 409 `workflow_active`, `legal_hold_active`. */
export async function eraseByRequest(erasing: Erasing, scope: Scope, interfaceId: string, submissionId: string): Promise<void> {
  const { row: form, access } = await withManageable(scope, interfaceId);
  const id = pathId(submissionId, 'submission');
  const found = await scope.db.first(queries.findSubmission, { team: scope.team, id, interface: form.id });
  if (!found || found.erased_at !== null) throw notFound('submission');
  if (!(await erase(erasing, scope, { id, interfaceId: form.id, reason: 'request', ...access.byRole('manage_submissions') })))
    throw notFound('submission');
}

/** The reason of workflows that the erasure cancels. */
const contentErased = 'content_erased';

export type Erased = { id: string; interfaceId: string; reason: 'request' | 'retention' | 'deletion'; via?: 'role' };

/**
 * Erases the answers of a visitor and everything made from them: files, PDF, records with their history, personal data in bookings,
 * session, drafts and mails. Also deletes the documents of the submission, which cannot be restored from the bin, and cancels the workflows of its
 * outputs. Records of outputs that a member approved stay without their link. Keeps the time and
 * form version, so that counts stay correct. Returns false if a concurrent call erased the submission first. Throws 409
 * `workflow_active`, `signature_pending`, and `legal_hold_active` if a hold applies to the folder or the document.
 */
export async function erase(erasing: Erasing, scope: Scope, { id, interfaceId, reason, via }: Erased): Promise<boolean> {
  const { db, team, actor, now: at } = scope;
  // An output that is being made is complete before the erasure, and then erased with it.
  await db.first(lockSubmission, { id });
  // Serializes erasures and legal holds. A hold that is placed first prevents the erasure.
  lockTreesShared(scope);
  const home = await db.first(queries.folderOfAnswers, { team, interface: interfaceId });
  await refuseUnderHold(scope, home?.folder_id ?? null, 'the folder of the answers, or on a parent folder');
  const effects = await db.all(queries.effectsOf, { team, id });
  const outputs = await db.all(outputsOf, { team, id });
  const results = [...effects, ...outputs.map(({ make, ...output }) => ({ ...output, kind: make }))];
  const made = (kind: string) => results.flatMap((result) => (result.kind === kind && result.result_id !== null ? [result.result_id] : []));
  const ofOutputs = (kind: string) => outputs.flatMap(({ make, result_id: one }) => (make === kind && one !== null ? [one] : []));
  // Lock order of docs/internals/locks.md: documents, workflows, records, bookings, issued document, submission.
  for (const document of made('document')) await db.first(lockDocument, { team, id: document });
  for (const workflow of ofOutputs('workflow')) await endWorkflow(scope, workflow, contentErased);
  for (const document of made('document')) await endDocumentOf(scope, document);
  const [running] = await workflowsUnderWay(scope, { ids: made('workflow'), documents: made('document') });
  if (running !== undefined)
    throw managementProblems.workflow_active(`Workflow ${running} about this submission is in progress. Wait until it ends, or cancel it.`);
  keepApprovedRecords(scope, id, ofOutputs('record'));
  await eraseSubmittedRecords(scope, [id]);
  await erasing.bookings.erase(scope, id);
  await endExports(erasing.storage, scope, interfaceId);
  await erasing.issuedDocuments.withdraw(scope, documentOf(id));
  const by = 'id' in actor ? actor.id : null;
  const erased = await db.first(queries.eraseSubmission, { team, id, by, byType: actor.type, why: reason, at });
  if (!erased) return false;
  // If the process ends before this, the nightly cleanup removes the file.
  for (const key of erased.storage_keys) db.afterCommit(() => void erasing.storage.remove(key).catch(() => undefined));
  db.send(withdrawMails, { about: id });
  if (erased.session_id !== null) {
    db.send(withdrawMails, { about: erased.session_id });
    db.send(queries.endSession, { team, id: erased.session_id });
    db.send(deleteResponsesOf, { team, id: erased.session_id });
  }
  await record(scope, submissionErased, id, { interfaceId, reason, ...(via === undefined ? {} : { via }) });
  return true;
}
