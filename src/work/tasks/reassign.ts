import { memberContact } from '#teams';
import { documentReadableBy, endGrantsOfTask } from '#documents';
import { record } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { taskAssigned } from './events.ts';
import { conflictedPersons } from './eligible-queries.ts';
import { asksOwnPerson, isDecision } from './kinds.ts';
import { findTask, loadTaskForUpdate } from './lookup.ts';
import { emergencyAccessOnlyReads, insidersOf, requireAssigneeInside } from './barrier.ts';
import { reassignedMail } from './mails.ts';
import { openDocument } from './create.ts';
import { notifyAssigned } from './notify.ts';
import { refuseViewers, requireMembers } from './assignees.ts';
import { type ReassignRefusal, reassignRefusal } from './access.ts';
import { taskEventData, presentTask } from './present.ts';
import { taskProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Reassign, Task } from './schemas.ts';

const refusals: Record<ReassignRefusal, string> = {
  own_question: 'A program asks its own user with this task. Only that user can approve or deny it, or let it expire.',
  vote: 'The rules of an approval round chose its members, so a vote cannot be reassigned. The owner or an administrator replaces a member with POST /api/v1/approvals/{id}/replace.',
  not_theirs: 'This task is assigned to another member. Ask its assignee or an administrator to reassign it.',
  second_person:
    'This member created the workflow, uploaded the version, is responsible for the API client that did so, or already decides in this step. Choose another member.',
  emergency_access: emergencyAccessOnlyReads,
};

/**
 * Assigns an open task to another member, with the access to its document. The previous assignee gets a mail, unless the actor is that person.
 * Errors: 403, 404, 409 `task_not_open`, 412, 422 `assignee_not_found`, `assignee_is_viewer`, `outside_barrier`.
 */
export async function reassignTask(scope: Scope, id: string, input: Reassign, expect: VersionCheck): Promise<Versioned<Task>> {
  const target = input.userId.toLowerCase();
  // Before the lock of the task: a member is locked before the workflows that concern them.
  const viewers = await requireMembers(scope, [target]);
  const task = await loadTaskForUpdate(scope, id);
  expect(task.version);
  const conflicted = isDecision(task.type) ? await scope.db.all(conflictedPersons, { team: scope.team, id: task.id }) : [];
  const refusal = reassignRefusal(scope.actor, task, { target, conflicted: new Set(conflicted.map((person) => person.id)) });
  if (refusal !== undefined) throw problems.forbidden(refusals[refusal]);
  refuseViewers(viewers, task.type, [target]);
  await requireAssigneeInside(scope, task, target);
  const given = task.status === 'open' ? await assign(scope, task, target, input.reason) : undefined;
  if (!given) throw taskProblems.task_not_open('The task is no longer open, so it cannot be reassigned. Read it to see its outcome.');
  return { value: presentTask({ ...given, hidden: task.hidden }), version: given.version };
}

/**
 * Assigns the vote of a replaced candidate of an approval round, which the caller has locked with its workflow. Errors: 403, `excluded_from_round`, 422
 * `assignee_is_viewer`, `outside_barrier`.
 */
export async function assignVote(
  scope: Scope,
  id: string,
  target: string,
  { viewers, reason }: { viewers: ReadonlySet<string>; reason: string },
): Promise<void> {
  const task = await findTask(scope, id);
  if (asksOwnPerson(task)) throw problems.forbidden(refusals.own_question);
  const conflicted = await scope.db.all(conflictedPersons, { team: scope.team, id });
  if (conflicted.some((person) => person.id === target))
    throw taskProblems.excluded_from_round(
      'The rules of the round exclude this member, or the member votes in the round already. Choose another member.',
    );
  refuseViewers(viewers, task.type, [target]);
  await requireAssigneeInside(scope, task, target);
  if (!(await assign(scope, task, target, reason))) throw new Error(`the vote ${id} changed under its lock`);
}

/** Assigns an open task and its access, and notifies the members. Returns nothing if the task is not open or the target is not an active member. */
async function assign(
  scope: Scope,
  task: queries.SeenTask,
  target: string,
  reason: string | undefined,
): Promise<queries.TaskRow | undefined> {
  const given = await scope.db.first(queries.reassignTask, { team: scope.team, id: task.id, user: target, at: scope.now });
  if (!given) return undefined;
  // If the assignee does not change, neither does their access: a revoked grant stays revoked.
  if (task.assigned_to !== given.assigned_to) await moveAccess(scope, given);
  const assignedFrom = task.assigned_to === null || task.assigned_to === given.assigned_to ? {} : { assignedFrom: task.assigned_to };
  const said = {
    ...taskEventData(given),
    ...assignedFrom,
    ...(reason === undefined ? {} : { reason }),
    changes: { assignedTo: { ...(task.assigned_to === null ? {} : { from: task.assigned_to }), to: given.assigned_to } },
  };
  await record(scope, taskAssigned, given.id, said, given.barred);
  if (task.assigned_to !== given.assigned_to) await notifyAssigned(scope, [given], true);
  if (assignedFrom.assignedFrom !== undefined) await notifyFormerAssignee(scope, assignedFrom.assignedFrom, given, reason);
  return given;
}

/**
 * Ends the grants of the previous assignee. Gives the new assignee access to the documents, if the member who linked the
 * first document may share it now.
 */
export async function moveAccess(scope: Scope, task: queries.TaskRow): Promise<void> {
  await endGrantsOfTask(scope, [task.id]);
  if (task.linked_document_id === null || task.linked_by === null) return;
  const referred = await documentReadableBy(scope, task.linked_by, task.linked_document_id);
  await openDocument(scope, task, referred && { referred, linkedBy: task.linked_by });
  if (referred?.gives === undefined || task.approval_round_id === null) return;
  for (const { id, linked_by: linkedBy } of await scope.db.all(queries.furtherDocumentsOfRound, {
    team: scope.team,
    id: task.approval_round_id,
  })) {
    const further = await documentReadableBy(scope, linkedBy, id);
    await openDocument(scope, task, further && { referred: further, linkedBy });
  }
}

/** Gives the assignee of a task access to its document, and notifies the assignee. */
export async function handOver(scope: Scope, task: queries.TaskRow): Promise<void> {
  await moveAccess(scope, task);
  await notifyAssigned(scope, [task], true);
}

async function notifyFormerAssignee(scope: Scope, before: string, task: queries.TaskRow, reason: string | undefined): Promise<void> {
  if (scope.actor.type === 'user' && scope.actor.id === before) return;
  const person = await scope.db.first(memberContact, { team: scope.team, id: before });
  if (!person || !(await insidersOf(scope, [task], [before]))(task, before)) return;
  await queueMail(scope.db, { to: person.email, team: scope.team, budgeted: true, ...reassignedMail(person.locale, task.title, reason) });
}
