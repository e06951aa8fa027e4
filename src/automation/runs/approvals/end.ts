import { Type } from 'typebox';
import { lockQuestions, withdrawTasks } from '#tasks';
import { defineTeamJob } from '../../../platform/jobs/job.ts';
import type { Scope } from '../../../platform/scope.ts';
import { decide } from './decide.ts';
import { unknownOutcome } from './outcome.ts';
import * as queries from './queries.ts';

/** Whoever was asked has not answered in time, which is a no. */
export const approvalExpiry = defineTeamJob(
  'agent-approval-expiry',
  Type.Object({ task: Type.String() }),
  { counted: false },
  (inTeam, { task }) =>
    inTeam(async (scope) => {
      const [open] = await withdrawTasks(scope, [task]);
      if (open !== undefined) await decide(scope, open, { outcome: 'expired' });
    }),
);

const outcomeUnknown = JSON.stringify(unknownOutcome);
const over = JSON.stringify({ error: 'run_over', detail: 'The run ended before the approval.' });

/** The tasks by which a run asks. */
const askedBy = async ({ db, team }: Scope, run: string): Promise<string[]> =>
  (await db.all(queries.askedOfRun, { team, run })).map(({ task_id: id }) => id);

/** Locks the tasks by which a run asks, for whoever locks the run and may end it then: who answers has the task, and waits for the run. */
export async function lockAsked(scope: Scope, run: string): Promise<void> {
  const ids = await askedBy(scope, run);
  if (ids.length > 0) scope.db.send(lockQuestions, { team: scope.team, ids });
}

/** Withdraws what a run that ends has asked, under the locks of those tasks. */
export async function approvalsOver(scope: Scope, run: string): Promise<void> {
  const { db, team, now } = scope;
  const tasks = await askedBy(scope, run);
  if (tasks.length === 0) return;
  await withdrawTasks(scope, tasks);
  db.send(queries.endWaiting, { team, run, refused: over, unknown: outcomeUnknown, at: now });
}
