import { Type } from 'typebox';
import { voidRound } from '#approvals';
import { lockQuestions, lockRound, withdrawTasks } from '#tasks';
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
      const pending = open === undefined ? undefined : await scope.db.first(queries.callOfTask, { team: scope.team, task: open });
      if (pending) await decide(scope, pending, { outcome: 'expired' });
    }),
);

const outcomeUnknown = JSON.stringify(unknownOutcome);
const over = JSON.stringify({ error: 'run_over', detail: 'The run ended before the approval.' });

/** The open tasks of a run. */
const openTaskIds = async ({ db, team }: Scope, run: string): Promise<string[]> =>
  (await db.all(queries.openTasksOfRun, { team, run })).map(({ task_id: id }) => id);

/**
 * Locks the open approval rounds and tasks of a run. Callers that may end the run acquire these locks first. A decision locks the round or task
 * before the run, too.
 */
export async function lockOpenTasks(scope: Scope, run: string): Promise<void> {
  const { db, team } = scope;
  for (const { id: round } of await db.all(queries.openRoundsOfRun, { team, run })) await db.first(lockRound, { team, round });
  const ids = await openTaskIds(scope, run);
  if (ids.length > 0) scope.db.send(lockQuestions, { team: scope.team, ids });
}

/** Voids the open approval rounds and withdraws the open tasks of a run that ends. The caller must have locked them. */
export async function approvalsOver(scope: Scope, run: string): Promise<void> {
  const { db, team, now } = scope;
  const tasks = await openTaskIds(scope, run);
  const rounds = await db.all(queries.openRoundsOfRun, { team, run });
  if (tasks.length + rounds.length === 0) return;
  for (const { id } of rounds) await voidRound(scope, id, 'run_ended');
  if (tasks.length > 0) await withdrawTasks(scope, tasks);
  db.send(queries.endWaiting, { team, run, refused: over, unknown: outcomeUnknown, at: now });
}
