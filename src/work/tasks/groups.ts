import { groupDeleted, groupMemberRemoved, groupMembersRemoved, keepGroup } from '#access';
import { documentReadableBy } from '#documents';
import { memberSuspended } from '#teams';
import { pipelined } from '../../platform/database/pipelined.ts';
import { on } from '../../platform/journal/listeners.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { type ClaimRefusal, claimRefusal, mayRelease } from './access.ts';
import { requireMembers } from './assignees.ts';
import { conflictedPersons } from './eligible-queries.ts';
import { taskClaimed, taskReleased } from './events.ts';
import * as queries from './group-queries.ts';
import { isDecision } from './kinds.ts';
import * as locks from './lock-queries.ts';
import { findTask, loadTaskForUpdate } from './lookup.ts';
import { notifyUnassigned } from './notify-unassigned.ts';
import { taskEventData, presentTask } from './present.ts';
import { taskProblems } from './problems.ts';
import type { SeenTask, TaskRow } from './queries.ts';
import { moveAccess } from './reassign.ts';
import type { Task } from './schemas.ts';

const refusals: Record<ClaimRefusal, () => Error> = {
  not_in_group: () =>
    problems.forbidden('Only a member of the group of the task can claim it. Ask an administrator to assign the task to you.'),
  outside_barrier: () =>
    taskProblems.outside_barrier('A barrier around the document excludes you. Leave the task to a member inside of the barrier.'),
  second_person: () =>
    taskProblems.separation_of_duties(
      'You created the workflow, uploaded the version, are responsible for the API client that did so, or already decide in this step. Another member of the group must claim the task.',
    ),
  viewer: () => problems.forbidden('Viewers can complete only tasks and acknowledgements. Leave this task to another member of the group.'),
  claimed: () => taskProblems.task_claimed('The task is claimed already: `assignedTo` names its assignee. Choose another task.'),
};

const isOpen = (task: SeenTask): void => {
  if (task.status !== 'open') throw taskProblems.task_not_open('The task is no longer open. Read it to see its outcome.');
};

/**
 * Makes a member of its group the assignee of an open task; of concurrent claims one succeeds. Errors: 403, `separation_of_duties`, 404, 409
 * `task_claimed`, `task_not_open`, 412, 422 `outside_barrier`.
 */
export async function claimTask(scope: Scope, id: string, expect: VersionCheck): Promise<Versioned<Task>> {
  const { db, team, actor, now: at } = scope;
  if (actor.type !== 'user') throw problems.person_required('Only a member of the group of the task can claim it.');
  // The group before the member, and the member before the workflow. The caller stays in the group until the transaction ends.
  const { assigned_group_id: group } = await findTask(scope, id);
  if (group !== null) await keepGroup(scope, group);
  await requireMembers(scope, [actor.id]);
  const task = await loadTaskForUpdate(scope, id);
  expect(task.version);
  isOpen(task);
  const conflicted = isDecision(task.type) ? await db.all(conflictedPersons, { team, id: task.id }) : [];
  const refusal = claimRefusal(
    actor,
    task,
    conflicted.some((person) => person.id === actor.id),
  );
  if (refusal !== undefined) throw refusals[refusal]();
  const claimed = await db.first(queries.claim, { team, id: task.id, user: actor.id, at });
  if (!claimed) throw new Error(`the task ${task.id} changed under its lock`);
  await record(scope, taskClaimed, task.id, taskEventData(claimed), claimed.barred);
  return { value: presentTask({ ...claimed, hidden: false }), version: claimed.version };
}

/** Gives a claimed task back to its group. Errors: 403, 404, 409 `task_not_claimed`, `task_not_open`, 412. */
export async function releaseTask(scope: Scope, id: string, expect: VersionCheck): Promise<Versioned<Task>> {
  const task = await loadTaskForUpdate(scope, id);
  expect(task.version);
  isOpen(task);
  if (!mayRelease(scope.actor, task))
    throw problems.forbidden('Only the assignee of the task, and the owner and administrators of the team, can release it.');
  const [released] = await release(scope, [task.id]);
  if (!released)
    throw taskProblems.task_not_claimed('The task is not claimed from a group. Reassign it to another member with POST …/reassign.');
  return { value: presentTask({ ...released, hidden: false }), version: released.version };
}

/** Gives claimed tasks back to their groups and records it. The caller has locked their workflows. */
export async function release(scope: Scope, ids: readonly string[]): Promise<TaskRow[]> {
  if (ids.length === 0) return [];
  const released = await scope.db.all(queries.release, { team: scope.team, ids, at: scope.now });
  await recordReleased(scope, released);
  return released;
}

/** Records that tasks went back to their groups. */
export const recordReleased = (scope: Scope, tasks: readonly (TaskRow & { assigned_from: string })[]): Promise<unknown> =>
  pipelined(
    tasks.map((task) => () => {
      const data = { ...taskEventData(task), assignedFrom: task.assigned_from, changes: { assignedTo: { from: task.assigned_from } } };
      return record(scope, taskReleased, task.id, data, task.barred);
    }),
  );

/** Notifies owner and administrators of unclaimed tasks whose group has no active member. They wait for a new one. Without `group`: of all groups. */
export async function notifyOfWaiting(scope: Scope, group: string | null): Promise<void> {
  await notifyUnassigned(scope, await scope.db.all(queries.waitingTasks, { team: scope.team, group }));
}

/** Gives the tasks that a member claimed back to their groups, so that another member can claim them. */
export async function releaseClaimsOf(scope: Scope, user: string): Promise<void> {
  const claims = await scope.db.all(locks.lockClaims, { team: scope.team, user, group: null });
  await release(
    scope,
    claims.map(({ id }) => id),
  );
}

/** Releases the tasks that a former member of a group claimed from it, unless they may still read the document. */
async function releaseClaimsFrom(scope: Scope, group: string, user: string): Promise<void> {
  const claims = await scope.db.all(locks.lockClaims, { team: scope.team, user, group });
  const lost: string[] = [];
  for (const { id } of claims) {
    const { linked_document_id: document } = await findTask({ ...scope, actor: { type: 'system' } }, id);
    if (document !== null && !(await documentReadableBy(scope, user, document))) lost.push(id);
  }
  await release(scope, lost);
}

export const groupListeners = [
  on(groupMemberRemoved, async (scope, { targetId: group, data: { userId } }) => {
    await releaseClaimsFrom(scope, group, userId);
    await notifyOfWaiting(scope, group);
  }),
  on(groupMembersRemoved, async (scope, { targetId: group, data: { userIds } }) => {
    const claimants = await scope.db.all(queries.claimants, { team: scope.team, group, users: userIds });
    for (const { user } of claimants) await releaseClaimsFrom(scope, group, user);
    await notifyOfWaiting(scope, group);
  }),
  on(memberSuspended, async (scope, { targetId: user }) => {
    await releaseClaimsOf(scope, user);
    await notifyOfWaiting(scope, null);
  }),
  on(groupDeleted, async (scope, { targetId: group }) => {
    const { db, team, now: at } = scope;
    await db.all(locks.lockTasksOfGroup, { team, group });
    const tasks = await db.all(queries.leaveGroup, { team, group, at });
    // Who claimed a task keeps it, with a grant of their own.
    await pipelined(tasks.map((task) => () => moveAccess(scope, task)));
    await notifyUnassigned(
      scope,
      tasks.filter(({ assigned_to: person }) => person === null),
    );
  }),
];
