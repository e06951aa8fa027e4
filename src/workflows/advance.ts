import { randomUUIDv7 } from 'node:crypto';
import { grantDocumentAccess } from '#documents';
import { cancelTasks, createTasks, type NewTask } from '#tasks';
import { record } from '../platform/journal/record.ts';
import { queueMail } from '../platform/mail/queue.ts';
import type { Scope } from '../platform/scope.ts';
import { stepActivated, stepCompleted, workflowCompleted, workflowRejected } from './events.ts';
import { notificationMail } from './mails.ts';
import * as queries from './queries.ts';
import { wakeTime } from './step-config.ts';
import { allDone, readySteps, withDependents } from './steps.ts';

const dayMs = 86_400_000;

/** What is announced of a workflow. */
export function announced(row: Pick<queries.WorkflowRow, 'name' | 'type' | 'document_id'>, reason?: string) {
  return { name: row.name, type: row.type, documentId: row.document_id, ...(reason === undefined ? {} : { reason }) };
}

/** What a turn of the engine has changed, collected so that it is written in few statements. */
type Turn = {
  changed: Set<string>;
  tasks: NewTask[];
  writes: Promise<unknown>[];
  /** Who is given a step that names nobody. */
  fallback: string | null;
};

/** Who is given steps that name nobody: whom the workflow is given to, or the person who made it, or the team's owner. */
async function fallbackPerson(scope: Scope, row: queries.WorkflowRow): Promise<string | null> {
  if (row.assigned_to !== null) return row.assigned_to;
  if (row.created_by_type === 'user') return row.created_by;
  return (await scope.db.first(queries.ownerOfTeam, { team: scope.team }))?.id ?? null;
}

/**
 * Moves an active workflow on as far as it goes without a person: begins what is ready, completes what completes by
 * itself, ends the workflow when all is done. The caller holds the workflow's lock. `row` is changed to what is written.
 */
export async function advance(scope: Scope, row: queries.WorkflowRow, changed: Iterable<string> = []): Promise<void> {
  const turn: Turn = { changed: new Set(changed), tasks: [], writes: [], fallback: await fallbackPerson(scope, row) };
  for (let ready = readySteps(row.steps); ready.length > 0; ready = readySteps(row.steps)) {
    for (const step of ready) begin(scope, row, step, turn);
  }
  if (turn.changed.size > 0) {
    const changes = row.steps.filter((step) => turn.changed.has(step.id));
    turn.writes.push(writeSteps(scope, row, changes));
  }
  turn.writes.push(createTasks(scope, turn.tasks), ...shareDocument(scope, row, turn.tasks));
  if (allDone(row.steps)) turn.writes.push(finish(scope, row, 'completed'));
  await Promise.all(turn.writes);
}

/** Writes steps as they are in memory. The workflow is another version then. */
function writeSteps(scope: Scope, row: queries.WorkflowRow, steps: readonly queries.StepRow[]): Promise<unknown> {
  row.version += 1;
  row.updated_at = scope.now.toISOString();
  return scope.db.all(queries.updateSteps, {
    team: scope.team,
    id: row.id,
    changes: queries.stepChanges(steps),
    at: scope.now,
  });
}

function begin(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, turn: Turn): void {
  const at = scope.now.toISOString();
  step.status = 'active';
  step.started_at = at;
  turn.changed.add(step.id);
  turn.writes.push(record(scope, stepActivated, row.id, aboutStep(step)));
  if (step.type === 'notification') {
    turn.writes.push(notify(scope, row, step, turn.fallback));
    completeStep(scope, row, step, 'notified', turn.writes);
  } else if (step.type === 'webhook') {
    // Its endpoints hear that it began and ended: that is the step.
    completeStep(scope, row, step, 'announced', turn.writes);
  } else if (step.type === 'wait') {
    step.wake_at = wakeTime(step.config, scope.now);
  } else {
    const tasks = tasksFor(row, step, turn.fallback, scope.now);
    step.task_ids = [...step.task_ids, ...tasks.map(({ id }) => id)];
    turn.tasks.push(...tasks);
  }
}

function aboutStep(step: queries.StepRow) {
  return {
    stepId: step.id,
    type: step.type,
    ...(step.name === null ? {} : { name: step.name }),
    ...(step.outcome === null ? {} : { outcome: step.outcome }),
  };
}

/** Marks a step as done, in memory, and announces it. */
export function completeStep(
  scope: Scope,
  row: queries.WorkflowRow,
  step: queries.StepRow,
  outcome: string,
  writes: Promise<unknown>[],
): void {
  step.status = 'completed';
  step.completed_at = scope.now.toISOString();
  step.outcome = outcome;
  step.wake_at = null;
  writes.push(record(scope, stepCompleted, row.id, aboutStep(step)));
}

/** One task for each assignee; without any, for whom steps without one are given to. */
function tasksFor(row: queries.WorkflowRow, step: queries.StepRow, fallback: string | null, now: Date): NewTask[] {
  const people = step.assignees.length > 0 ? step.assignees : [fallback];
  return people.map((person) => ({
    id: randomUUIDv7(),
    title: step.name ?? `${row.name}: ${step.id}`,
    description: step.description,
    type: step.type,
    assigned_to: person,
    created_by: row.created_by,
    created_by_type: row.created_by_type,
    workflow_id: row.id,
    step_id: step.id,
    document_id: row.document_id,
    due_at: step.due_in_days === null ? null : new Date(now.getTime() + step.due_in_days * dayMs).toISOString(),
  }));
}

/** Whoever is given a task about a document of the team may read it. */
function shareDocument(scope: Scope, row: queries.WorkflowRow, tasks: readonly NewTask[]): Promise<void>[] {
  if (!row.document_linked) return [];
  const people = new Set(tasks.map((task) => task.assigned_to).filter((person) => person !== null && person !== row.created_by));
  return [...people].map((person) => grantDocumentAccess(scope, row.document_id, person ?? '', 'read'));
}

async function notify(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, fallback: string | null): Promise<void> {
  const ids = step.assignees.length > 0 ? step.assignees : [fallback].filter((id) => id !== null);
  const people = await scope.db.all(queries.emailsOf, { team: scope.team, ids });
  await Promise.all(
    people.map(({ email, locale }) =>
      queueMail(scope.db, { to: email, team: scope.team, ...notificationMail(locale, row.name, step.name, step.description) }),
    ),
  );
}

/** Ends a workflow; what was not done is skipped, and open tasks are cancelled. */
export async function finish(scope: Scope, row: queries.WorkflowRow, status: 'completed' | 'rejected'): Promise<void> {
  const skipped = row.steps.filter((step) => step.status === 'pending' || step.status === 'active');
  for (const step of skipped) {
    step.status = 'skipped';
    step.wake_at = null;
  }
  await Promise.all([
    scope.db.all(queries.transition, { team: scope.team, id: row.id, from: ['active'], to: status, reason: null, at: scope.now }),
    skipped.length > 0 ? writeSteps(scope, row, skipped) : undefined,
    scope.db.all(cancelTasks, { team: scope.team, workflow: row.id, steps: null, at: scope.now }),
    record(scope, status === 'completed' ? workflowCompleted : workflowRejected, row.id, announced(row)),
  ]);
  row.status = status;
  row.version += 1;
  row.completed_at = scope.now.toISOString();
}

/** A refused step sends the workflow back to the step its `config.onReject` names, or ends it. */
export async function reject(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, outcome: string): Promise<void> {
  const back =
    typeof step.config.onReject === 'string' && row.steps.some(({ id }) => id === step.config.onReject) ? step.config.onReject : undefined;
  step.status = 'rejected';
  step.completed_at = scope.now.toISOString();
  step.outcome = outcome;
  const told = record(scope, stepCompleted, row.id, aboutStep(step));
  if (back === undefined) {
    await Promise.all([told, writeSteps(scope, row, [step]), finish(scope, row, 'rejected')]);
    return;
  }
  const again = withDependents(row.steps, back).add(step.id);
  for (const other of row.steps) {
    if (!again.has(other.id)) continue;
    Object.assign(other, { status: 'pending', started_at: null, completed_at: null, outcome: null, wake_at: null });
  }
  await Promise.all([
    told,
    scope.db.all(cancelTasks, { team: scope.team, workflow: row.id, steps: [...again], at: scope.now }),
    advance(scope, row, again),
  ]);
}
