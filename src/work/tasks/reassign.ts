import { memberContact } from '#teams';
import { documentReadableBy, endGrantsOfTask } from '#documents';
import { record } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { taskAssigned } from './events.ts';
import { conflictedPersons } from './eligible-queries.ts';
import { isDecision } from './kinds.ts';
import { loadTaskForUpdate } from './lookup.ts';
import { emergencyAccessOnlyReads, insidersOf, requireAssigneeInside } from './barrier.ts';
import { passedOnMail } from './mails.ts';
import { openDocument } from './create.ts';
import { notifyAssigned } from './notify.ts';
import { refuseViewers, requireMembers } from './assignees.ts';
import { type ReassignRefusal, reassignRefusal } from './access.ts';
import { announcedTask, presentTask } from './present.ts';
import { taskProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Reassign, Task } from './schemas.ts';

const refusals: Record<ReassignRefusal, string> = {
  own_question:
    'A program asks the person whom it acts for, and nobody else answers that. Approve or deny it, or let the time for it pass.',
  not_theirs: 'This task is given to somebody else. Its assignee or an administrator may pass it on.',
  second_person:
    'Another person is meant to decide here than who made the workflow, uploaded the version, answers for the API client that did, or has a voice in this step already. Choose somebody else for it.',
  emergency_access: emergencyAccessOnlyReads,
};

/**
 * Gives an open task to another member, with what it opens; the one before loses that, and is told when somebody else did it.
 * Errors: 403, 404, 409 `task_not_open`, 412, 422 `assignee_not_found`,
 * `assignee_is_viewer`, `outside_barrier`.
 */
export async function reassignTask(scope: Scope, id: string, input: Reassign, expect: VersionCheck): Promise<Versioned<Task>> {
  const target = input.userId.toLowerCase();
  // Before the task's lock: somebody who leaves is held before their workflows are.
  const viewers = await requireMembers(scope, [target]);
  const task = await loadTaskForUpdate(scope, id);
  expect(task.version);
  const conflicted = isDecision(task.type) ? await scope.db.all(conflictedPersons, { team: scope.team, id: task.id }) : [];
  const refusal = reassignRefusal(scope.actor, task, { target, conflicted: new Set(conflicted.map((person) => person.id)) });
  if (refusal !== undefined) throw problems.forbidden(refusals[refusal]);
  refuseViewers(viewers, task.type, [target]);
  await requireAssigneeInside(scope, task, target);
  const given =
    task.status === 'open'
      ? await scope.db.first(queries.reassignTask, { team: scope.team, id: task.id, user: target, at: scope.now })
      : undefined;
  if (!given) throw taskProblems.task_not_open('The task is open no more, so it cannot be passed on.');
  // What was open to who keeps the task is open as before, and what was revoked is not.
  if (task.assigned_to !== given.assigned_to) await moveAccess(scope, given);
  const assignedFrom = task.assigned_to === null || task.assigned_to === given.assigned_to ? {} : { assignedFrom: task.assigned_to };
  const said = {
    ...announcedTask(given),
    ...assignedFrom,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
    changes: { assignedTo: { ...(task.assigned_to === null ? {} : { from: task.assigned_to }), to: given.assigned_to } },
  };
  await record(scope, taskAssigned, given.id, said, given.barred);
  if (task.assigned_to !== given.assigned_to) await notifyAssigned(scope, [given], true);
  if (assignedFrom.assignedFrom !== undefined) await notifyFormerAssignee(scope, assignedFrom.assignedFrom, given, input.reason);
  return { value: presentTask({ ...given, hidden: task.hidden }), version: given.version };
}

/**
 * Ends the grant of a task to the previous assignee. Grants the document to the new one if the person who put it into the task may
 * let others read it now.
 */
export async function moveAccess(scope: Scope, task: queries.TaskRow): Promise<void> {
  await endGrantsOfTask(scope, [task.id]);
  if (task.linked_document_id === null || task.linked_by === null) return;
  const referred = await documentReadableBy(scope, task.linked_by, task.linked_document_id);
  await openDocument(scope, task.id, task.assigned_to, referred && { referred, linkedBy: task.linked_by });
}

/** Opens to whoever has a task now what it is about, and tells them of it. */
export async function handOver(scope: Scope, task: queries.TaskRow): Promise<void> {
  await moveAccess(scope, task);
  await notifyAssigned(scope, [task], true);
}

async function notifyFormerAssignee(scope: Scope, before: string, task: queries.TaskRow, reason: string | undefined): Promise<void> {
  if (scope.actor.type === 'user' && scope.actor.id === before) return;
  const person = await scope.db.first(memberContact, { team: scope.team, id: before });
  if (!person || !(await insidersOf(scope, [task], [before]))(task, before)) return;
  await queueMail(scope.db, { to: person.email, team: scope.team, budgeted: true, ...passedOnMail(person.locale, task.title, reason) });
}
