import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Versioned } from '../../../platform/versioned.ts';
import { shownRequest } from './list-queries.ts';
import type { RequestRow } from './queries.ts';
import type { RequestInFull } from './schemas.ts';

/** A request as answers show it, with its version. The caller has looked whether it may be shown. */
export async function presentRequest(scope: ReadScope | Scope, id: string): Promise<Versioned<RequestInFull>> {
  const row = await scope.db.first(shownRequest, { team: scope.team, id });
  if (!row) throw new Error(`the request ${id} is gone while it is shown`);
  // The database has written it member by member.
  return { value: JSON.parse(row.body) as RequestInFull, version: row.version };
}

/** What is announced of a request: who is asked is not. */
export function announcedRequest(row: Pick<RequestRow, 'title' | 'document_id' | 'document_version' | 'workflow_id' | 'step_id'>) {
  return {
    title: row.title,
    documentId: row.document_id,
    documentVersion: row.document_version,
    ...(row.workflow_id === null ? {} : { workflowId: row.workflow_id }),
    ...(row.step_id === null ? {} : { stepId: row.step_id }),
  };
}
