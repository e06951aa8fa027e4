import { approvalDecided as roundDecided, approvalVoided as roundVoided } from '#approvals';
import { clientDeleted, clientUpdated, mcpClient } from '#clients';
import { appUpdated } from '#connected-apps';
import { taskCompleted, taskProblems } from '#tasks';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { endApprovals, voidByPolicy } from './approval-jobs.ts';
import { approvalDecided } from './events.ts';
import * as queries from './queries.ts';

const outcomes = { approved: 'approved', rejected: 'denied', expired: 'expired' } as const;
/** Stores the decision about a call, once. Throws 409 `task_not_open` for a vote if the app is no longer connected. */
async function decide(
  scope: Scope,
  found: queries.DecidedApproval,
  outcome: 'approved' | 'denied' | 'expired',
  by: string | null,
): Promise<void> {
  const { db, team, now: at } = scope;
  const { id, round_id: round, task_id: task, tool, asker } = found;
  if (await db.first(queries.decideApproval, { team, id, status: outcome, by, at }))
    return recordAudit(scope, approvalDecided, asker, {
      tool,
      ...(round === null ? {} : { roundId: round }),
      ...(task === null ? {} : { taskId: task }),
      outcome,
    });
  if (by === null) return;
  throw taskProblems.task_not_open(
    'The time for approval has ended, or the app is no longer connected. Make the call again if you still need it.',
  );
}

export const approvalListeners: readonly EventListener[] = [
  on(roundDecided, async (scope, { targetId: round, data }) => {
    const found = data.subjectType === 'tool_call' ? await scope.db.first(queries.approvalOfRound, { team: scope.team, round }) : undefined;
    if (found) await decide(scope, found, outcomes[data.status as keyof typeof outcomes], data.decidedBy ?? null);
  }),
  // Also of a round that an administrator restarts: the next identical call begins another one.
  on(roundVoided, async ({ db, team, now: at }, { targetId: round, data }) => {
    if (data.subjectType !== 'tool_call') return;
    db.send(queries.voidApproval, { team, round, status: data.reason === 'caller_ended' ? 'ended' : 'stale', at });
  }),
  on(clientUpdated, async (scope, { targetId: id, data }) => {
    if (!data.changed.some((member) => member === 'approvalPolicy' || member === 'mcpApproval')) return;
    const client = await mcpClient(scope, id);
    await voidByPolicy(scope, id, client?.mcp_approval === 'never' ? undefined : { policy: client?.approval_policy ?? null });
  }),
  on(clientDeleted, (scope, { targetId }) => endApprovals(scope, targetId)),
  on(appUpdated, (scope, { targetId, data }) => voidByPolicy(scope, targetId, { policy: data.approvalPolicy ?? null })),
  // The decision of a task without a round, which the previous version created.
  on(taskCompleted, async (scope, { targetId: task, data }) => {
    if (data.type !== 'tool_approval' || data.roundId !== undefined) return;
    const found = await scope.db.first(queries.approvalOfTask, { team: scope.team, task });
    // Agents use tasks of this type too.
    if (found && 'id' in scope.actor) await decide(scope, found, data.outcome === 'approved' ? 'approved' : 'denied', scope.actor.id);
  }),
];
