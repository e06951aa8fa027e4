import { cancelTasks, lockWorkflow, shiftDueDates } from '#tasks';
import { notFound, pathId } from '../platform/identifiers.ts';
import { record, recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { advance, announced } from './advance.ts';
import { workflowCancelled, workflowDeleted, workflowPaused, workflowResumed, workflowStarted } from './events.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Workflow } from './schemas.ts';
import { findRow, type Versioned } from './service.ts';
import { allowedIn, leaves, type Operation } from './states.ts';

type Moved = queries.WorkflowRow & { was_paused_at: string | null };

/** One guarded transition under the workflow's lock. Errors: 404, 409 `invalid_transition` naming the state. */
async function move(scope: Scope, id: string, operation: Exclude<Operation, 'delete'>, to: string, reason: string | null): Promise<Moved> {
  const workflow = pathId(id, 'workflow');
  const [, moved] = await Promise.all([
    scope.db.all(lockWorkflow, { team: scope.team, workflow }),
    scope.db.first(queries.transition, { team: scope.team, id: workflow, from: leaves(operation), to, reason, at: scope.now }),
  ]);
  if (!moved) throw await refusal(scope, workflow, operation);
  return moved;
}

async function refusal(scope: Scope, id: string, operation: Operation): Promise<Error> {
  const { status } = await findRow(scope, id);
  return workflowProblems.invalid_transition(
    `The workflow is ${status}, which does not allow ${operation}; it allows ${allowedIn(status)}.`,
  );
}

/** Starts a draft: its first steps begin in the same transaction. */
export async function startWorkflow(scope: Scope, id: string): Promise<Versioned<Workflow>> {
  const row = await move(scope, id, 'start', 'active', null);
  await Promise.all([record(scope, workflowStarted, row.id, announced(row)), advance(scope, row)]);
  // Steps that complete by themselves may have ended it already.
  if (row.status !== 'active') {
    const ended = await findRow(scope, row.id);
    return { value: presentWorkflow(ended), version: ended.version };
  }
  return { value: presentWorkflow(row), version: row.version };
}

/** Pauses: tasks stay and cannot be completed, waits and due dates stop counting. */
export async function pauseWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const row = await move(scope, id, 'pause', 'paused', reason ?? null);
  await record(scope, workflowPaused, row.id, announced(row, reason));
}

/** Goes on: waits and due dates move by as long as it was paused. */
export async function resumeWorkflow(scope: Scope, id: string): Promise<void> {
  const row = await move(scope, id, 'resume', 'active', null);
  const pausedAt = row.was_paused_at ?? scope.now.toISOString();
  await Promise.all([
    scope.db.all(queries.shiftWaits, { team: scope.team, id: row.id, pausedAt, at: scope.now }),
    scope.db.all(shiftDueDates, { team: scope.team, workflow: row.id, pausedAt, at: scope.now }),
    record(scope, workflowResumed, row.id, announced(row)),
  ]);
}

/** Cancels: open tasks are cancelled, steps that were not done are skipped. */
export async function cancelWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const row = await move(scope, id, 'cancel', 'cancelled', reason ?? null);
  const skipped = row.steps
    .filter((step) => step.status === 'pending' || step.status === 'active')
    .map((step) => ({ ...step, status: 'skipped' as const, wake_at: null }));
  await Promise.all([
    scope.db.all(queries.updateSteps, { team: scope.team, id: row.id, changes: queries.stepChanges(skipped) }),
    scope.db.all(cancelTasks, { team: scope.team, workflow: row.id, steps: null, at: scope.now }),
    record(scope, workflowCancelled, row.id, announced(row, reason)),
  ]);
}

/** Deletes what is not under way. Its tasks stay, as what people did. */
export async function deleteWorkflow(scope: Scope, id: string, expect: (version: number) => void): Promise<void> {
  const workflow = pathId(id, 'workflow');
  await scope.db.all(lockWorkflow, { team: scope.team, workflow });
  const row = await scope.db.first(queries.findWorkflow, { team: scope.team, id: workflow });
  if (!row) throw notFound('workflow');
  expect(row.version);
  const [deleted] = await scope.db.all(queries.deleteWorkflow, { team: scope.team, id: workflow, from: leaves('delete') });
  if (!deleted) throw await refusal(scope, workflow, 'delete');
  await recordAct(scope, workflowDeleted, workflow, { name: deleted.name });
}
