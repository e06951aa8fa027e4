import type { Scope } from '../../platform/scope.ts';
import { workflowsInProgress } from './document-queries.ts';

/** Returns the workflows in progress that are in `ids` or about `documents`. */
export async function workflowsUnderWay(
  { db, team }: Pick<Scope, 'db' | 'team'>,
  named: { ids: readonly string[]; documents: readonly string[] },
): Promise<string[]> {
  if (named.ids.length + named.documents.length === 0) return [];
  return (await db.all(workflowsInProgress, { team, ...named })).map(({ id }) => id);
}
