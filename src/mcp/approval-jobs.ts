import { Type } from 'typebox';
import { withdrawTasks } from '#tasks';
import type { Database } from '../platform/database/database.ts';
import { defineJob, type Outcome } from '../platform/jobs/job.ts';
import type { EventListener } from '../platform/journal/listeners.ts';
import * as queries from './queries.ts';

type Deps = { database: Database; listeners: readonly EventListener[]; clock: () => Date };

/** Whoever was asked has not answered in time, which is a no. */
export const approvalExpiry = defineJob(
  'mcp-approval-expiry',
  Type.Object({ approval: Type.String() }),
  { counted: false },
  async ({ database, listeners, clock }: Deps, { approval: id }, { team }): Promise<Outcome> => {
    if (team === undefined) return;
    await database.inTeam(team, async (db) => {
      const now = clock();
      const found = await db.first(queries.findApproval, { team, id });
      if (!found) return;
      await withdrawTasks({ db, team, actor: { type: 'system' }, now, requestId: 'mcp-approval', listeners }, [found.task_id]);
      db.send(queries.expireApproval, { team, id, at: now });
    });
  },
);

const atATime = 1_000;

/** Drops what was asked long ago. */
export async function dropApprovals(database: Database): Promise<void> {
  let dropped: number;
  do
    dropped = (await database.asSystem('drop old questions of clients', (tx) => tx.all(queries.dropOldApprovals, { limit: atATime })))
      .length;
  while (dropped === atATime);
}
