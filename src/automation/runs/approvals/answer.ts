import { taskCompleted, taskProblems } from '#tasks';
import { on } from '../../../platform/journal/listeners.ts';
import { decide } from './decide.ts';
import { callOfTask } from './queries.ts';

const answers = { tool_approval: ['approved', 'denied'], tool_outcome: ['happened', 'not_happened'] } as const;

/** Applies the decision of a task to its waiting call, once. Throws 403 `own_request`, and 409 `task_not_open` or `call_in_progress`. */
export const approvalListener = on(taskCompleted, async (scope, { targetId: task, data }) => {
  if (data.type !== 'tool_approval' && data.type !== 'tool_outcome') return;
  const { db, team, actor } = scope;
  // A workflow step may have this task type too, without a call.
  if (!(await db.first(callOfTask, { team, task }))) return;
  if (actor.type !== 'user') throw new Error('only a user completes the approval task of an agent');
  // Every outcome other than a clear approval counts as a denial.
  const [yes, no] = answers[data.type];
  const outcome = data.outcome === yes ? yes : no;
  const decided = await decide(scope, task, { outcome, by: actor.id });
  if (!decided)
    throw taskProblems.task_not_open(
      'The call can no longer be approved: its run has ended or is about to end, or the time to answer has passed. Start a new run if you need the call.',
    );
});
