import { Type } from 'typebox';
import { withdrawTasks } from '#tasks';
import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import { defineJob, type JobResult } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import * as queries from './queries.ts';

/** Whoever was asked has not answered in time, which is a no. */
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
 * Ends what a program has asked by a connection that is over: the tasks are withdrawn, and what was approved is not done any more. Connections end
 * before that; a call that was under way was done before it, or is not done at all.
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

/** Ends what was asked by connections that have ended by something that is told of none of them, such as a new password or the end of their time. */
export async function endApprovalsOfEnded(deps: SystemDependencies, isolation: Isolation): Promise<void> {
  const over = await deps.database.asSystem('find programs that ask something and may not go on', (tx) =>
    tx.all(queries.overConnections, { limit: connectionsAtATime }),
  );
  await isolation.each(connectionsOver, over, ({ team, id }) =>
    inTeamAsSystem(deps, team, 'mcp-connection', (scope) => endApprovals(scope, id)),
  );
}

const atATime = 1_000;

/** Drops what was asked long ago. */
export async function dropApprovals(database: Database): Promise<void> {
  let dropped: number;
  do
    dropped = (await database.asSystem('drop old questions of clients', (tx) => tx.all(queries.dropOldApprovals, { limit: atATime })))
      .length;
  while (dropped === atATime);
}
