import { taskCompleted, taskProblems } from '#tasks';
import { on } from '../../platform/journal/listeners.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { approvalDecided } from './events.ts';
import * as queries from './queries.ts';

/** A task that asks for the call of a client or program was answered: what was said holds for that call, once. Errors: 409 `task_not_open`. */
export const approvalListener = on(taskCompleted, async (scope, { targetId: task, data }) => {
  if (data.type !== 'tool_approval') return;
  const { db, team, actor, now } = scope;
  const approval = await db.first(queries.approvalOfTask, { team, task });
  // An agent asks by such tasks too.
  if (!approval) return;
  if (actor.type !== 'user') throw new Error('only a user completes the approval task of a client');
  const outcome = data.outcome === 'approved' ? 'approved' : 'denied';
  const decided = await db.first(queries.decideApproval, { team, id: approval.id, status: outcome, by: actor.id, at: now });
  if (!decided) throw taskProblems.task_not_open('The time for approval has ended, or the app is no longer connected.');
  await recordAudit(scope, approvalDecided, approval.asker ?? undefined, { tool: approval.tool, taskId: task, outcome });
});
