import { documentReadableBy, type DocumentStatus, setDocumentStatus } from '#documents';
import type { Scope } from '../../platform/scope.ts';
import { workflowProblems } from './problems.ts';
import * as documentQueries from './document-queries.ts';
import type * as queries from './queries.ts';

/** The states that workflows lead from one to another. What is signed or archived stays so. */
const led: readonly DocumentStatus[] = ['draft', 'in_review', 'approved'];

/**
 * A workflow on a document is under way: the document is in review, where the workflow leads it. The caller holds the workflow's
 * lock.
 */
export async function reviewDocument(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  if (row.linked_document_id === null || !row.leads_document) return;
  const before = await setDocumentStatus(scope, row.linked_document_id, 'in_review', { from: led });
  await scope.db.all(documentQueries.setLeadsDocument, { team: scope.team, id: row.id, before: before ?? null });
}

/**
 * A workflow leads the state of its document, and may refuse versions of it, where who put the document there may change it:
 * for who may only read it, it is a workflow about what it finds. Errors: 403 `refusal_needs_write`.
 */
export function refuseToRefuse(row: Pick<queries.WorkflowRow, 'leads_document' | 'linked_document_id' | 'steps'>): void {
  if (row.leads_document || row.linked_document_id === null) return;
  const step = row.steps.find(({ status, config }) => status === 'pending' && config.onNewVersion === 'refuse');
  if (step === undefined) return;
  throw workflowProblems.refusal_needs_write(
    `The step “${step.id}” says \`onNewVersion: refuse\`, and who put the document into this workflow may read it but not change it. Ask its owner for write access, or let the step begin again with \`restart\`.`,
  );
}

/**
 * A workflow on a document has ended. With an approval of the newest version the document is approved, after a rejection it
 * is a draft, and otherwise what it was before; while others are under way it stays in review, and what came of this one
 * counts when the last of them ends. Nothing comes of one whose document may not be changed any more by who put it there: its
 * lead is ended by the service, and not by somebody who might be outside of a barrier by now.
 */
export async function settleDocument(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  if (row.linked_document_id === null || row.started_at === null || !row.leads_document) return;
  const leads = await mayWriteDocument(scope, row);
  if (leads) await scope.db.all(documentQueries.noteDocumentResult, { team: scope.team, id: row.id });
  const settled = await scope.db.first(documentQueries.documentSettled, {
    team: scope.team,
    document: row.linked_document_id,
    since: row.started_at,
  });
  if (!settled || settled.running) return;
  const by: Scope = leads ? scope : { ...scope, actor: { type: 'system' } };
  await setDocumentStatus(by, row.linked_document_id, settled.result ?? settled.before ?? 'draft', { from: led });
}

/** Whether who put the document into a workflow may change it now. */
async function mayWriteDocument(scope: Scope, { linked_by: by, linked_document_id: document }: queries.WorkflowRow): Promise<boolean> {
  return by !== null && document !== null && (await documentReadableBy(scope, by, document))?.gives === 'write';
}

/** A version that nobody has approved or signed: the document is a draft again. */
export async function reopenDocument(scope: Scope, document: string): Promise<void> {
  await setDocumentStatus(scope, document, 'draft', { from: ['approved', 'signed'] });
}
