import type { ReadScope, Scope } from '../../platform/scope.ts';
import { findRow } from './lookup.ts';
import { mayEdit } from './access.ts';
import * as documentQueries from './document-queries.ts';

/** A workflow in an evidence pack. `documentIds`: its documents that are in this service. */
export type WorkflowInWhole = { id: string; name: string; barred: boolean; documentIds: string[]; changeable: boolean };

/** Returns a workflow that the actor may see. `changeable`: whether the actor may change it. Errors: 404. */
export async function workflowInWhole(scope: ReadScope | Scope, id: string): Promise<WorkflowInWhole> {
  const row = await findRow(scope, id);
  return {
    id: row.id,
    name: row.name,
    barred: row.barred,
    changeable: mayEdit(scope.actor, row),
    documentIds: row.documents.flatMap(({ linked_document_id: linked }) => linked ?? []),
  };
}

/**
 * Returns the newest workflows on a document, at most `limit`. `principalId`: the owner of the document, who does not see the drafts of others; null
 * for all.
 */
export async function workflowsOn(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  page: { document: string; principalId: string | null; limit: number },
): Promise<string[]> {
  return (await db.all(documentQueries.workflowsOn, { team, ...page })).map(({ id }) => id);
}
