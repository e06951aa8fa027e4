import { Type } from 'typebox';
import { withdrawTasks } from '#tasks';
import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { defineJob, type JobResult } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import * as queries from './queries.ts';

/** Expires an approval that got no decision in time, which counts as a denial. */
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
      await withdrawTasks(scope, [found.task_id]);
      db.send(queries.expireApproval, { team, id, at: now });
    });
  },
);

/**
 * Ends the approvals of an app connection that has ended: withdraws the tasks, and cancels approved calls that were not executed. Call this after the
 * connection has ended, so that a call in progress either has committed or is not executed.
 */
export async function endApprovals(scope: Scope, connection: string): Promise<void> {
  const { db, team, now } = scope;
  const open = await db.all(queries.openApprovals, { team, connection });
  await withdrawTasks(
    scope,
    open.map(({ task_id: task }) => task),
  );
  db.send(queries.endOpenApprovals, { team, connection, at: now });
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
