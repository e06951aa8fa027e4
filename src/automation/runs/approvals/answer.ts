import { taskCompleted, taskProblems } from '#tasks';
import { on } from '../../../platform/journal/listeners.ts';
import { decide } from './decide.ts';
import { callOfTask } from './queries.ts';

const answers = { tool_approval: ['approved', 'denied'], tool_outcome: ['happened', 'not_happened'] } as const;

/**
 * A task that asks about a call was answered: what was said holds for that call, once, where it still waits. Errors: 403 `own_request`, 409
 * `task_not_open`, `call_in_progress`.
 */
export const approvalListener = on(taskCompleted, async (scope, { targetId: task, data }) => {
  if (data.type !== 'tool_approval' && data.type !== 'tool_outcome') return;
  const { db, team, actor } = scope;
  // A step of a workflow may be called so too, and asks for no call.
  if (!(await db.first(callOfTask, { team, task }))) return;
  if (actor.type !== 'user') throw new Error('only a user completes the approval task of an agent');
  // What is no clear yes is a no.
  const [yes, no] = answers[data.type];
  const outcome = data.outcome === yes ? yes : no;
  const decided = await decide(scope, task, { outcome, by: actor.id });
  if (!decided)
    throw taskProblems.task_not_open('The call can no longer be approved: its run has ended or is about to end, or the time has passed.');
});
