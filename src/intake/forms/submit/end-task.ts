import { actorToday } from '#documents';
import { completeByForm } from '#tasks';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { taskOver } from '../visitor.ts';
import * as queries from './queries.ts';

/**
 * Completes the task of a form link for its assignee, with the submission as the outcome. Rolls back the submission if the task is no longer open.
 * The journal records the visitor of the link as the actor. Throws 410.
 */
export async function endTask(scope: Scope, { id, person }: { id: string; person: string }, link: string): Promise<void> {
  const actor = await actorToday(scope, person);
  if (!actor) throw taskOver();
  try {
    await completeByForm({ ...scope, actor, recordedAs: scope.actor }, id);
  } catch (error) {
    if (error instanceof Problem) throw taskOver();
    throw error;
  }
  scope.db.send(queries.endLink, { team: scope.team, id: link, at: scope.now });
}
