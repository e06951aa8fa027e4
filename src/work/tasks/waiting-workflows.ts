import type { ReadScope } from '../../platform/scope.ts';
import * as queries from './eligible-queries.ts';

/** Returns the workflows that continue when a person completes a task, or claims one of their groups. */
export async function workflowsWaitingFor({ db, team }: ReadScope, person: string): Promise<readonly string[]> {
  return (await db.first(queries.workflowsWaitingFor, { team, person }))?.ids ?? [];
}
