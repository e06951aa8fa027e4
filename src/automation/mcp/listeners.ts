import { taskCompleted, taskProblems } from '#tasks';
import { on } from '../../platform/journal/listeners.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { approvalDecided } from './events.ts';
import * as queries from './queries.ts';

/** Applies the decision of an approval task to its call, once. Throws 409 `task_not_open`. */
export const approvalListener = on(taskCompleted, async (scope, { targetId: task, data }) => {
  if (data.type !== 'tool_approval') return;
  const { db, team, actor, now } = scope;
  const approval = await db.first(queries.approvalOfTask, { team, task });
  // Agents use tasks of this type too.
  if (!approval) return;
  if (actor.type !== 'user') throw new Error('only a user completes the approval task of a client');
  const outcome = data.outcome === 'approved' ? 'approved' : 'denied';
  const decided = await db.first(queries.decideApproval, { team, id: approval.id, status: outcome, by: actor.id, at: now });
  if (!decided)
    throw taskProblems.task_not_open(
      'The time for approval has ended, or the app is no longer connected. Make the call again if you still need it.',
    );
  await recordAudit(scope, approvalDecided, approval.asker ?? undefined, { tool: approval.tool, taskId: task, outcome });
});
