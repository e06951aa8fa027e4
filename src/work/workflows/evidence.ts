import type { ReadScope, Scope } from '../../platform/scope.ts';
import { findRow } from './lookup.ts';
import { mayEdit } from './access.ts';
import * as documentQueries from './document-queries.ts';

/** A workflow of which somebody asks for all there is. `documentId`: what it runs on, where that is kept here. */
export type WorkflowInWhole = { id: string; name: string; barred: boolean; documentId?: string; changeable: boolean };

/** A workflow that the actor sees. `changeable`: whether it is theirs to change. Errors: 404. */
export async function workflowInWhole(scope: ReadScope | Scope, id: string): Promise<WorkflowInWhole> {
  const row = await findRow(scope, id);
  return {
    id: row.id,
    name: row.name,
    barred: row.barred,
    changeable: mayEdit(scope.actor, row),
    ...(row.linked_document_id === null ? {} : { documentId: row.linked_document_id }),
  };
}

/** The workflows on a document, the newest, at most so many: those that its owner, `principalId`, sees, or with null all of them. */
export async function workflowsOn(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  page: { document: string; principalId: string | null; limit: number },
): Promise<string[]> {
  return (await db.all(documentQueries.workflowsOn, { team, ...page })).map(({ id }) => id);
}
