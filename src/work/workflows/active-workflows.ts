import type { Scope } from '../../platform/scope.ts';
import { workflowsInProgress } from './document-queries.ts';

/** Which workflows are under way of these, and of those about these documents. */
export async function workflowsUnderWay(
  { db, team }: Pick<Scope, 'db' | 'team'>,
  named: { ids: readonly string[]; documents: readonly string[] },
): Promise<string[]> {
  if (named.ids.length + named.documents.length === 0) return [];
  return (await db.all(workflowsInProgress, { team, ...named })).map(({ id }) => id);
}
