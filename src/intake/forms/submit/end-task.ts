import { actorToday } from '#documents';
import { completeByForm } from '#tasks';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { taskOver } from '../visitor.ts';
import * as queries from './queries.ts';

/**
 * Ends the task whose link somebody has used, as its assignee, with what follows in its workflow: the submission is its outcome, and
 * nothing of that is kept where it does not wait for them any more. The journal names who came by the link. Errors: 410.
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
