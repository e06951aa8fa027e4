import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Versioned } from '../../../platform/versioned.ts';
import { shownRequest } from './list-queries.ts';
import { firstOf, type RequestDocument } from './documents.ts';
import type { RequestRow } from './queries.ts';
import type { RequestInFull } from './schemas.ts';

/** Returns a request in its API form, with its version. The caller must have checked the permission. */
export async function presentRequest(scope: ReadScope | Scope, id: string): Promise<Versioned<RequestInFull>> {
  const row = await scope.db.first(shownRequest, { team: scope.team, id });
  if (!row) throw new Error(`The request ${id} was deleted while it was read.`);
  // The database built the JSON in this form.
  return { value: JSON.parse(row.body) as RequestInFull, version: row.version };
}

/** Returns the event data of a request, without its signers. */
export function requestEventData(
  row: Pick<RequestRow, 'title' | 'workflow_id' | 'step_id'> & { documents: readonly Pick<RequestDocument, 'id' | 'version'>[] },
) {
  const documents = row.documents.map(({ id, version }) => ({ documentId: id, documentVersion: version }));
  return {
    title: row.title,
    ...firstOf(documents),
    documents,
    ...(row.workflow_id === null ? {} : { workflowId: row.workflow_id }),
    ...(row.step_id === null ? {} : { stepId: row.step_id }),
  };
}
