import { refuseUnderHoldLocked } from '#documents';
import { cancelTasks, pauseTasks, resumeTasks, requireInside } from '#tasks';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { advance, documentOf } from './advance.ts';
import { cacheRow } from './transaction-cache.ts';
import { workflowEventData } from './event-data.ts';
import { refuseToRefuse, reviewDocument, settleDocument } from './document-status.ts';
import { failUnanswerable } from './endpoint-gone-jobs.ts';
import { skipRest, writeSteps } from './ending.ts';
import { peopleNamed } from './escalation.ts';
import { workflowCancelled, workflowDeleted, workflowPaused, workflowResumed, workflowStarted } from './events.ts';
import { findRow, holdChangeable } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as timerQueries from './timer-queries.ts';
import * as queries from './queries.ts';
import type { Workflow } from './schemas.ts';
import { requireEligible } from './roles.ts';
import { settleRequests } from './signature-ends.ts';
import { pauseRequests, takeBackRequests, requestsOf } from './signature-steps.ts';
import { requireAssignees } from './step-rows.ts';
import { allowedIn, type Operation, type Status, statusAfter, transitions } from './states.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** The workflow under its lock, in a state that allows the operation. Errors: 403, 404, 409 `invalid_transition` naming the state. */
async function loadForOperation(scope: Scope, id: string, operation: Operation): Promise<queries.WorkflowRow> {
  const row = await holdChangeable(scope, id, { stopping: operation === 'cancel', withRoles: operation === 'start' });
  if (transitions[operation][row.status] === undefined) {
    throw workflowProblems.invalid_transition(
      `The workflow is ${row.status}, which does not allow ${operation}; it allows ${allowedIn(row.status)}.`,
    );
  }
  return row;
}

/**
 * Takes a workflow that is held to the state that the operation leads to. Returns it as it is then, but for a due date that
 * moves; the statement is sent and not waited for, since nobody else can have changed the row: a failure is met at the commit.
 */
function move(scope: Scope, current: queries.WorkflowRow, operation: Exclude<Operation, 'delete'>, reason?: string): queries.WorkflowRow {
  const status = statusAfter(current.status, operation);
  scope.db.send(queries.transition, { team: scope.team, id: current.id, to: status, reason: reason ?? null, at: scope.now });
  const at = scope.now.toISOString();
  return {
    ...current,
    status,
    reason: reason ?? current.reason,
    version: current.version + 1,
    updated_at: at,
    started_at: status === 'active' ? (current.started_at ?? at) : current.started_at,
    paused_at: status === 'paused' ? at : null,
    completed_at: status === 'cancelled' ? at : current.completed_at,
    written: true,
  };
}

const statusChange = (from: Status, to: Status) => ({ status: { from, to } });

/**
 * Starts a draft: its first steps begin in the same transaction. Errors: 409 `document_not_readable` when who put the
 * document there may not let others read it any more, 403 `refusal_needs_write`, 422 `assignee_required`,
 * `no_eligible_assignee`, `outside_barrier`.
 */
export async function startWorkflow(scope: Scope, id: string): Promise<Versioned<Workflow>> {
  const current = await loadForOperation(scope, id, 'start');
  requireAssignees(current);
  await requireEligible(scope, current);
  if (current.barred) await requireInside(scope, current.about_document_id, peopleNamed(current));
  const document = await documentOf(scope, current);
  if (current.linked_document_id !== null && document === undefined)
    throw workflowProblems.document_not_readable(
      'Who put the document into this workflow may not let others read it any more, or it is in the bin. Put one there that you may open to others.',
    );
  current.leads_document = document?.referred.gives === 'write';
  refuseToRefuse(current);
  const row = move(scope, current, 'start');
  const changes = statusChange('draft', 'active');
  cacheRow(scope, row);
  // Before the steps: one that ends the workflow at once leads the document from there.
  await reviewDocument(scope, row);
  await pipelined([
    () => record(scope, workflowStarted, row.id, workflowEventData(scope, row, { changes }), row.barred),
    () => advance(scope, row),
  ]);
  return { value: presentWorkflow(row), version: row.version };
}

/** Pauses: tasks stay and cannot be completed, waits and due dates stop counting. */
export async function pauseWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const current = await loadForOperation(scope, id, 'pause');
  const row = move(scope, current, 'pause', reason);
  const changes = statusChange(current.status, row.status);
  scope.db.send(timerQueries.holdWaits, { team: scope.team, id: row.id, at: scope.now });
  scope.db.send(pauseTasks, { team: scope.team, workflow: row.id });
  await pauseRequests(scope, current, true);
  await record(scope, workflowPaused, row.id, workflowEventData(scope, row, { reason, changes }), row.barred);
}

/** Goes on: waits and due dates move by as long as it was paused. */
export async function resumeWorkflow(scope: Scope, id: string): Promise<void> {
  const current = await loadForOperation(scope, id, 'resume');
  const row = move(scope, current, 'resume');
  const changes = statusChange(current.status, row.status);
  const pausedAt = current.paused_at ?? scope.now.toISOString();
  scope.db.send(timerQueries.releaseWaits, { team: scope.team, id: row.id, at: scope.now });
  await pauseRequests(scope, current, false);
  scope.db.send(resumeTasks, { team: scope.team, workflow: row.id, pausedAt, at: scope.now });
  await pipelined([
    () => record(scope, workflowResumed, row.id, workflowEventData(scope, row, { changes }), row.barred),
    // Steps that were added while it stood still may be ready.
    () => advance(scope, row),
    async () => (row.status === 'active' ? failUnanswerable(scope, row) : undefined),
    async () => (row.status === 'active' ? settleRequests(scope, row) : undefined),
  ]);
}

/** Cancels: open tasks are cancelled, steps that were not done are skipped. The owner of the document may, too. */
export async function cancelWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const current = await loadForOperation(scope, id, 'cancel');
  const row = move(scope, current, 'cancel', reason);
  const changes = statusChange(current.status, row.status);
  const requests = requestsOf(row.steps);
  await pipelined([
    () => writeSteps(scope, row, skipRest(row)),
    () => takeBackRequests(scope, requests, reason ?? 'The workflow was cancelled'),
    () => cancelTasks(scope, row.id),
    () => record(scope, workflowCancelled, row.id, workflowEventData(scope, row, { reason, changes }), row.barred),
  ]);
  await settleDocument(scope, row);
}

/** Deletes what is not under way. Its tasks stay, as what people did. */
export async function deleteWorkflow(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  // Before the trees are held: of a workflow that they do not see nobody waits for those.
  await findRow(scope, id);
  const row = await refuseUnderHoldLocked(
    scope,
    () => loadForOperation(scope, id, 'delete'),
    ({ linked_document_id: document }) => document,
  );
  expect(row.version);
  scope.db.send(queries.deleteWorkflow, { team: scope.team, id: row.id });
  await recordAudit(scope, workflowDeleted, row.id, { name: row.name }, row.barred);
}
