import { documentReadableBy, type DocumentStatus, setDocumentStatus } from '#documents';
import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';
import * as documentQueries from './document-queries.ts';
import type * as queries from './queries.ts';

/** The document statuses that workflows change. Workflows do not change a signed or archived document. */
const led: readonly DocumentStatus[] = ['draft', 'in_review', 'approved'];

/** Sets a document to in review when a workflow starts that controls its status. The caller must have locked the workflow. */
export async function reviewDocument(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  if (row.linked_document_id === null || !row.leads_document) return;
  const before = await setDocumentStatus(scope, row.linked_document_id, 'in_review', { from: led });
  await scope.db.all(documentQueries.setLeadsDocument, { team: scope.team, id: row.id, before: before ?? null });
}

/**
 * Rejects `onNewVersion: refuse` in a workflow that does not control its document, because the user who linked the document has no write access.
 * Errors: 403 `refusal_needs_write`.
 */
export function rejectUnreachableStep(row: Pick<queries.WorkflowRow, 'leads_document' | 'linked_document_id' | 'steps'>): void {
  if (row.leads_document || row.linked_document_id === null) return;
  const step = row.steps.find(({ status, config }) => status === 'pending' && config.onNewVersion === 'refuse');
  if (step === undefined) return;
  throw workflowProblems.refusal_needs_write(
    `The step “${step.id}” has \`onNewVersion: refuse\`, but the user who added the document to this workflow has no write access to it. Ask its owner for write access, or use \`restart\`.`,
  );
}

/**
 * Updates the status of a document after the end of a workflow. It is approved if the newest version was approved, a draft after a rejection, and
 * otherwise as before the workflow. While other workflows are in progress the document stays in review, and the status changes when the last one
 * ends. If the user who linked the document lost write access, the workflow has no result. Then the service itself ends the review.
 */
export async function updateLinkedDocument(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  if (row.linked_document_id === null || row.started_at === null || !row.leads_document) return;
  const leads = await mayWriteDocument(scope, row);
  if (leads) await scope.db.all(documentQueries.recordDocumentResult, { team: scope.team, id: row.id });
  const settled = await scope.db.first(documentQueries.documentSettled, {
    team: scope.team,
    document: row.linked_document_id,
    since: row.started_at,
  });
  if (!settled || settled.running) return;
  const by: Scope = leads ? scope : { ...scope, actor: { type: 'system' } };
  await setDocumentStatus(by, row.linked_document_id, settled.result ?? settled.before ?? 'draft', { from: led });
}

/** Whether the user who linked the document may change it now. */
async function mayWriteDocument(scope: Scope, { linked_by: by, linked_document_id: document }: queries.WorkflowRow): Promise<boolean> {
  return by !== null && document !== null && (await documentReadableBy(scope, by, document))?.gives === 'write';
}

/** Makes a document a draft again, because its new version is neither approved nor signed. */
export async function reopenDocument(scope: Scope, document: string): Promise<void> {
  await setDocumentStatus(scope, document, 'draft', { from: ['approved', 'signed'] });
}
