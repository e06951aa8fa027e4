import { cancelTasks, holdTasks, releaseTasks } from '#tasks';
import { record, recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { advance, announced } from './advance.ts';
import { workflowCancelled, workflowDeleted, workflowPaused, workflowResumed, workflowStarted } from './events.ts';
import { holdRow } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Workflow } from './schemas.ts';
import type { Versioned } from './service.ts';
import { requireAssignees } from './step-rows.ts';
import { allowedIn, leaves, type Operation, type Status, transitions } from './states.ts';

/** The workflow under its lock, in a state that allows the operation. Errors: 404, 409 `invalid_transition` naming the state. */
async function heldFor(scope: Scope, id: string, operation: Operation): Promise<queries.WorkflowRow> {
  const row = await holdRow(scope, id);
  if (transitions[operation][row.status] === undefined) {
    throw workflowProblems.invalid_transition(
      `The workflow is ${row.status}, which does not allow ${operation}; it allows ${allowedIn(row.status)}.`,
    );
  }
  return row;
}

type Moved = queries.WorkflowRow & { was_paused_at: string | null };

async function move(scope: Scope, id: string, operation: Exclude<Operation, 'delete'>, to: Status, reason: string | null): Promise<Moved> {
  const held = await heldFor(scope, id, operation);
  if (operation === 'start') requireAssignees(held);
  const moved = await scope.db.first(queries.transition, {
    team: scope.team,
    id: held.id,
    from: leaves(operation),
    to,
    reason,
    at: scope.now,
  });
  if (!moved) throw new Error(`the workflow ${held.id} changed under its lock`);
  return moved;
}

/** Starts a draft: its first steps begin in the same transaction. */
export async function startWorkflow(scope: Scope, id: string): Promise<Versioned<Workflow>> {
  const row = await move(scope, id, 'start', 'active', null);
  await Promise.all([record(scope, workflowStarted, row.id, announced(row)), advance(scope, row)]);
  return { value: presentWorkflow(row), version: row.version };
}

/** Pauses: tasks stay and cannot be completed, waits and due dates stop counting. */
export async function pauseWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const row = await move(scope, id, 'pause', 'paused', reason ?? null);
  await Promise.all([
    scope.db.all(queries.holdWaits, { team: scope.team, id: row.id, at: scope.now }),
    scope.db.all(holdTasks, { team: scope.team, workflow: row.id }),
    record(scope, workflowPaused, row.id, announced(row, reason)),
  ]);
}

/** Goes on: waits and due dates move by as long as it was paused. */
export async function resumeWorkflow(scope: Scope, id: string): Promise<void> {
  const row = await move(scope, id, 'resume', 'active', null);
  const pausedAt = row.was_paused_at ?? scope.now.toISOString();
  await Promise.all([
    scope.db.all(queries.releaseWaits, { team: scope.team, id: row.id, at: scope.now }),
    scope.db.all(releaseTasks, { team: scope.team, workflow: row.id, pausedAt, at: scope.now }),
    record(scope, workflowResumed, row.id, announced(row)),
    // Steps that were added while it stood still may be ready.
    advance(scope, row),
  ]);
}

/** Cancels: open tasks are cancelled, steps that were not done are skipped. */
export async function cancelWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const row = await move(scope, id, 'cancel', 'cancelled', reason ?? null);
  const skipped = row.steps
    .filter((step) => step.status === 'pending' || step.status === 'active')
    .map((step) => ({ ...step, status: 'skipped' as const, wake_at: null }));
  await Promise.all([
    scope.db.all(queries.updateSteps, { team: scope.team, id: row.id, changes: queries.stepChanges(skipped), at: scope.now }),
    scope.db.all(cancelTasks, { team: scope.team, workflow: row.id, steps: null, at: scope.now }),
    record(scope, workflowCancelled, row.id, announced(row, reason)),
  ]);
}

/** Deletes what is not under way. Its tasks stay, as what people did. */
export async function deleteWorkflow(scope: Scope, id: string, expect: (version: number) => void): Promise<void> {
  const row = await heldFor(scope, id, 'delete');
  expect(row.version);
  await Promise.all([
    scope.db.all(queries.deleteWorkflow, { team: scope.team, id: row.id }),
    recordAct(scope, workflowDeleted, row.id, { name: row.name }),
  ]);
}
