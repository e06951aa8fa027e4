import { Type } from 'typebox';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { defineJob, enqueue, openJob, type OpenedJob, withdraw } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { taskAssigned } from '../events.ts';
import { loadTaskForUpdate } from '../lookup.ts';
import { announcedTask } from '../present.ts';
import type { TaskRow } from '../queries.ts';
import { endDelegation } from './ending.ts';
import * as queries from './queries.ts';

type DelegationJobDependencies = {
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
  /** Opens to whoever has a task now what it is about, and tells them of it. */
  handOver: (scope: Scope, task: TaskRow) => Promise<void>;
};

const data = Type.Object({ user: Type.String(), version: Type.Integer() });
/** Open tasks of one person that go along at most. */
const maxTasks = 500;

const scopeOf = ({ listeners, clock }: DelegationJobDependencies, db: Transaction, team: string, job: string): Scope => ({
  db,
  team,
  actor: { type: 'system' },
  now: clock(),
  requestId: `job-${job}`,
  listeners,
});

/** Somebody is away from now on: what is open of theirs goes along, where that was asked and whoever stands in may do it. */
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

/** Each by itself: whoever completes it at this moment comes first or finds it with who stands in. */
async function passOn({ handOver }: DelegationJobDependencies, scope: Scope, id: string, from: string): Promise<void> {
  const { db, team, now } = scope;
  const task = await loadTaskForUpdate(scope, id);
  if (task.status !== 'open' || task.assigned_to !== from) return;
  const given = await db.first(queries.passToStandIn, { team, id, now });
  if (!given) return;
  const changes = { assignedTo: { from, to: given.assigned_to } };
  await record(scope, taskAssigned, id, { ...announcedTask(given), assignedFrom: from, changes }, given.barred);
  await handOver(scope, given);
}

/** Somebody is back. What was given to who stood in stays with them until it is taken back. */
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

/** Sees to the begin and the end of a delegation. What waited for those of the one before is taken back, so that a person has two jobs at most. */
export function timeDelegation(scope: Scope, { user_id: user, version, starts_at, ends_at }: queries.DelegationRow): void {
  for (const [job, at] of [
    [beginDelegationJob, starts_at],
    [endDelegationJob, ends_at],
  ] as const) {
    withdraw(scope, job, user);
    enqueue(scope, job, { user, version }, { runAt: new Date(at), key: user });
  }
}

/** What is done when a delegation begins and ends. */
export const delegationJobs = (deps: DelegationJobDependencies): OpenedJob[] => [
  openJob(beginDelegationJob, deps),
  openJob(endDelegationJob, deps),
];
