import { announceOverdueTasks, lockWorkflow } from '#tasks';
import type { Database } from '../platform/database/database.ts';
import { type EventListener, record } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { advance, announced, completeStep } from './advance.ts';
import { workflowOverdue } from './events.ts';
import * as queries from './queries.ts';

/** Lets waits that are over go on, and announces what is overdue, once. Several nodes may run it at once. */
export async function runWorkflowTimers(database: Database, listeners: readonly EventListener[], now: Date): Promise<void> {
  const teams = await database.asSystem('find due timers', (tx) => tx.all(queries.teamsWithTimers, { now }));
  for (const { team_id: team } of teams) await runTeam(database, listeners, team, now);
  await announceOverdueTasks(database, listeners, now);
}

async function runTeam(database: Database, listeners: readonly EventListener[], team: string, now: Date): Promise<void> {
  const inTeam = <T>(work: (scope: Scope) => Promise<T>): Promise<T> =>
    database.inTeam(team, (db) => work({ db, team, actor: { type: 'system' }, now, requestId: 'timer', listeners }));
  const due = await database.reader(team).all(queries.dueWaits, { team, now });
  for (const wait of due) await inTeam((scope) => wake(scope, wait.workflow_id, wait.id));
  await inTeam(async (scope) => {
    const overdue = await scope.db.all(queries.announceOverdue, { team, now });
    await Promise.all(overdue.map((row) => record(scope, workflowOverdue, row.id, announced(row))));
  });
}

/** Completes one wait, unless somebody else has, or the workflow stands still. */
async function wake(scope: Scope, workflow: string, stepId: string): Promise<void> {
  await scope.db.all(lockWorkflow, { team: scope.team, workflow });
  const row = await scope.db.first(queries.findWorkflow, { team: scope.team, id: workflow });
  const step = row?.steps.find(({ id }) => id === stepId);
  if (row?.status !== 'active' || step?.status !== 'active' || step.wake_at === null || Date.parse(step.wake_at) > scope.now.getTime())
    return;
  const writes: Promise<unknown>[] = [];
  completeStep(scope, row, step, 'waited', writes);
  writes.push(advance(scope, row, [step.id]));
  await Promise.all(writes);
}
