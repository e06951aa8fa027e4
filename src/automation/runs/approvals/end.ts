import { Type } from 'typebox';
import { lockQuestions, withdrawTasks } from '#tasks';
import { defineTeamJob } from '../../../platform/jobs/job.ts';
import type { Scope } from '../../../platform/scope.ts';
import { decide } from './decide.ts';
import { unknownOutcome } from './outcome.ts';
import * as queries from './queries.ts';

/** Ends a request that got no decision in time. The call then counts as denied. */
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

/** The open tasks of a run. */
const openTaskIds = async ({ db, team }: Scope, run: string): Promise<string[]> =>
  (await db.all(queries.openTasksOfRun, { team, run })).map(({ task_id: id }) => id);

/**
 * Locks the open tasks of a run. Callers that may end the run acquire these locks before they lock the run, because a decision locks the task first
 * and then the run.
 */
export async function lockOpenTasks(scope: Scope, run: string): Promise<void> {
  const ids = await openTaskIds(scope, run);
  if (ids.length > 0) scope.db.send(lockQuestions, { team: scope.team, ids });
}

/** Withdraws the open tasks of a run that ends. The caller must have locked these tasks. */
export async function approvalsOver(scope: Scope, run: string): Promise<void> {
  const { db, team, now } = scope;
  const tasks = await openTaskIds(scope, run);
  if (tasks.length === 0) return;
  await withdrawTasks(scope, tasks);
  db.send(queries.endWaiting, { team, run, refused: over, unknown: outcomeUnknown, at: now });
}
