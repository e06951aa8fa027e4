import { documentReadableBy, type DocumentStatus, setDocumentStatus } from '#documents';
import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';
import { documentOfStep } from './documents.ts';
import * as documentQueries from './document-queries.ts';
import type * as queries from './queries.ts';

/** The document statuses that workflows change. Workflows do not change a signed or archived document. */
export const led: readonly DocumentStatus[] = ['draft', 'in_review', 'approved'];

/** Sets the documents to in review when a workflow starts that controls their status. The caller must have locked the workflow. */
export async function reviewDocuments(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  for (const { linked_document_id: document, leads } of row.documents) {
    if (document === null || !leads) continue;
    const before = await setDocumentStatus(scope, document, 'in_review', { from: led });
    await scope.db.all(documentQueries.setLeadsDocument, { team: scope.team, id: row.id, document, before: before ?? null });
  }
}

/**
 * Rejects `onNewVersion: refuse` about a document that the workflow does not control, because the user who linked the document has no write access.
 * Errors: 403 `refusal_needs_write`.
 */
export function rejectUnreachableStep(row: Pick<queries.WorkflowRow, 'documents' | 'steps'>): void {
  const step = row.steps.find((one) => {
    const document = documentOfStep(row, one);
    return (
      one.status === 'pending' && one.config.onNewVersion === 'refuse' && document?.leads === false && document.linked_document_id !== null
    );
  });
  if (step === undefined) return;
  throw workflowProblems.refusal_needs_write(
    `The step “${step.id}” has \`onNewVersion: refuse\`, but the user who added the document to this workflow has no write access to it. Ask its owner for write access, or use \`restart\`.`,
  );
}

/**
 * Updates the status of the documents after the end of a workflow. A document is approved if its newest version was approved, a draft after a
 * rejection, and otherwise as before the workflow. While other workflows about it are in progress it stays in review, and its status changes when the
 * last one ends. If the user who linked the document lost write access, the workflow has no result, and the service itself ends the review.
 */
export async function updateLinkedDocuments(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  const { team } = scope;
  const { started_at: since } = row;
  if (since === null) return;
  for (const { linked_document_id: document, linked_by: by, leads } of row.documents) {
    if (document === null || !leads) continue;
    const mayWrite = by !== null && (await documentReadableBy(scope, by, document))?.gives === 'write';
    if (mayWrite) await scope.db.all(documentQueries.recordDocumentResult, { team, id: row.id, document });
    const settled = await scope.db.first(documentQueries.documentSettled, { team, document, since });
    if (!settled || settled.running) continue;
    const ending: Scope = mayWrite ? scope : { ...scope, actor: { type: 'system' } };
    await setDocumentStatus(ending, document, settled.result ?? settled.before ?? 'draft', { from: led });
  }
}

/** Makes a document a draft again, because its new version is neither approved nor signed. */
export async function reopenDocument(scope: Scope, document: string): Promise<void> {
  await setDocumentStatus(scope, document, 'draft', { from: ['approved', 'signed'] });
}
