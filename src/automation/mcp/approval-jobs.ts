import { Type } from 'typebox';
import { voidRound } from '#approvals';
import { lockRound, withdrawTasks } from '#tasks';
import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { defineJob, type JobResult } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import * as queries from './queries.ts';

/** Deletes the stored result of a call when its approval expires. Ends an approval without a round that got no decision, which counts as a denial. */
export const approvalExpiry = defineJob(
  'mcp-approval-expiry',
  Type.Object({ approval: Type.String() }),
  { counted: false },
  async (deps: SystemDependencies, { approval: id }, { team }): Promise<JobResult> => {
    if (team === undefined) return;
    await inTeamAsSystem(deps, team, 'mcp-approval', async (scope) => {
      const { db, now } = scope;
      const found = await db.first(queries.findApproval, { team, id });
      if (!found) return;
      await withdrawTasks(scope, tasksWithoutRound([found]));
      db.send(queries.expireApproval, { team, id, at: now });
    });
  },
);

/** The tasks of approvals without a round, which the previous version created. */
const tasksWithoutRound = (approvals: readonly { round_id: string | null; task_id: string | null }[]): string[] =>
  approvals.flatMap(({ round_id: round, task_id: task }) => (round === null && task !== null ? [task] : []));

/** Voids the open rounds about calls of a caller, except those by the current policy of the caller. */
export async function voidByPolicy(scope: Scope, caller: string, keeps: { policy: string | null } | undefined): Promise<void> {
  for (const { round_id: round, policy } of await scope.db.all(queries.openApprovals, { team: scope.team, caller }))
    if (round !== null && policy !== keeps?.policy) await voidLocked(scope, round, 'policy_changed');
}

async function voidLocked(scope: Scope, round: string, reason: 'caller_ended' | 'policy_changed'): Promise<void> {
  await scope.db.first(lockRound, { team: scope.team, round });
  await voidRound(scope, round, reason);
}

/**
 * Ends the approvals of an ended app connection or a deleted API client. Voids the rounds, and cancels approved calls that were not executed. Call this
 * after the connection has ended, so that a call in progress either has committed or is not executed.
 */
export async function endApprovals(scope: Scope, caller: string): Promise<void> {
  const { db, team, now } = scope;
  const open = await db.all(queries.openApprovals, { team, caller });
  for (const { round_id: round } of open) if (round !== null) await voidLocked(scope, round, 'caller_ended');
  await withdrawTasks(scope, tasksWithoutRound(open));
  db.send(queries.endOpenApprovals, { team, caller, at: now });
}

const connectionsAtATime = 500;

export const connectionsOver = 'mcp-connections-over';

/** Ends the approvals of connections that ended without a call of {@link endApprovals}, for example by a new password or by expiry. */
export async function endApprovalsOfEnded(deps: SystemDependencies, isolation: Isolation): Promise<void> {
  const over = await deps.database.asSystem('find ended connections with open approvals', (tx) =>
    tx.all(queries.overConnections, { limit: connectionsAtATime }),
  );
  await isolation.each(connectionsOver, over, ({ team, id }) =>
    inTeamAsSystem(deps, team, 'mcp-connection', (scope) => endApprovals(scope, id)),
  );
}

const atATime = 1_000;

/** Deletes old approvals. */
export async function dropApprovals(database: Database): Promise<void> {
  let dropped: number;
  do
    dropped = (await database.asSystem('delete old approvals of tool calls', (tx) => tx.all(queries.dropOldApprovals, { limit: atATime })))
      .length;
  while (dropped === atATime);
}
