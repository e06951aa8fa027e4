import { Type } from 'typebox';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { defineJob, enqueue, openJob, type OpenedJob, withdraw } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { taskAssigned } from '../events.ts';
import { loadTaskForUpdate } from '../lookup.ts';
import { taskEventData } from '../present.ts';
import type { TaskRow } from '../queries.ts';
import { endDelegation } from './ending.ts';
import * as queries from './queries.ts';

type DelegationJobDependencies = {
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
  /** Grants the assignee read access to the document of a task, and notifies the assignee. */
  handOver: (scope: Scope, task: TaskRow) => Promise<void>;
};

const data = Type.Object({ user: Type.String(), version: Type.Integer() });
/** Maximum number of open tasks that are reassigned to the delegate when a delegation begins. */
const maxTasks = 500;

const scopeOf = ({ listeners, clock }: DelegationJobDependencies, db: Transaction, team: string, job: string): Scope => ({
  db,
  team,
  actor: { type: 'system' },
  now: clock(),
  requestId: `job-${job}`,
  listeners,
});

/** Begins a delegation. With `openTasks`, assigns the open tasks of the absent member to the delegate if the delegate may do them. */
export const beginDelegationJob = defineJob(
  'task-delegation-begin',
  data,
  { counted: false },
  async (deps: DelegationJobDependencies, { user, version }, { id: job, team }) => {
    if (team === undefined) return;
    const open = await deps.database.inTeam(team, async (db) => {
      const row = await db.first(queries.findDelegation, { team, user });
      return row?.version === version ? db.all(queries.openTasksOf, { team, user, now: deps.clock(), limit: maxTasks }) : [];
    });
    for (const { id } of open) await deps.database.inTeam(team, (db) => passOn(deps, scopeOf(deps, db, team, job), id, user));
  },
);

/** Reassigns one task in a separate transaction. If the task is completed at the same time, one of the two transactions waits for the other. */
async function passOn({ handOver }: DelegationJobDependencies, scope: Scope, id: string, from: string): Promise<void> {
  const { db, team, now } = scope;
  const task = await loadTaskForUpdate(scope, id);
  if (task.status !== 'open' || task.assigned_to !== from) return;
  const given = await db.first(queries.assignToDelegate, { team, id, now });
  if (!given) return;
  const changes = { assignedTo: { from, to: given.assigned_to } };
  await record(scope, taskAssigned, id, { ...taskEventData(given), assignedFrom: from, changes }, given.barred);
  await handOver(scope, given);
}

/** Ends a delegation. The delegate keeps the assigned tasks until the member takes them back. */
export const endDelegationJob = defineJob(
  'task-delegation-end',
  data,
  { counted: false },
  async (deps: DelegationJobDependencies, { user, version }, { id: job, team }) => {
    if (team === undefined) return;
    await deps.database.inTeam(team, async (db) => {
      const scope = scopeOf(deps, db, team, job);
      const row = await db.first(queries.lockDelegation, { team, user });
      if (row?.version === version && Date.parse(row.ends_at) <= scope.now.getTime()) await endDelegation(scope, user, 'over');
    });
  },
);

/** Schedules the start and the end of a delegation. Withdraws the jobs of the previous delegation, so that a member has at most two jobs. */
export function timeDelegation(scope: Scope, { user_id: user, version, starts_at, ends_at }: queries.DelegationRow): void {
  for (const [job, at] of [
    [beginDelegationJob, starts_at],
    [endDelegationJob, ends_at],
  ] as const) {
    withdraw(scope, job, user);
    enqueue(scope, job, { user, version }, { runAt: new Date(at), key: user });
  }
}

/** The jobs that begin and end delegations. */
export const delegationJobs = (deps: DelegationJobDependencies): OpenedJob[] => [
  openJob(beginDelegationJob, deps),
  openJob(endDelegationJob, deps),
];
