import { refuseUnderHoldLocked } from '#documents';
import { pauseTasks, resumeTasks, requireInside } from '#tasks';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { advance } from './advance.ts';
import { cancelWork } from './approval-steps.ts';
import { cacheRow } from './transaction-cache.ts';
import { workflowEventData } from './event-data.ts';
import { sharedDocument } from './documents.ts';
import { rejectUnreachableStep, reviewDocuments, updateLinkedDocuments } from './document-status.ts';
import { failUnanswerable } from './endpoint-gone-jobs.ts';
import { skipRest, writeSteps } from './ending.ts';
import { peopleNamed } from './escalation.ts';
import { workflowCancelled, workflowDeleted, workflowPaused, workflowResumed, workflowStarted } from './events.ts';
import { findRow, lockEditableWorkflow, loadWorkflowForUpdate } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as timerQueries from './timer-queries.ts';
import * as queries from './queries.ts';
import type { Workflow } from './schemas.ts';
import { requireEligible } from './roles.ts';
import { applyRequestEnds } from './signature-ends.ts';
import { pauseRequests, takeBackRequests, requestsOf } from './signature-steps.ts';
import { requireAssignees } from './step-rows.ts';
import { allowedIn, type Operation, type WorkflowStatus, statusAfter, transitions } from './states.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Locks a workflow with a status that allows the operation. Errors: 403, 404, 409 `invalid_transition` with the status. */
async function loadForOperation(scope: Scope, id: string, operation: Operation): Promise<queries.WorkflowRow> {
  const row = await lockEditableWorkflow(scope, id, { stopping: operation === 'cancel', withRoles: operation === 'start' });
  if (transitions[operation][row.status] === undefined) {
    throw workflowProblems.invalid_transition(
      `The workflow is ${row.status}. This status does not allow ${operation}; it allows ${allowedIn(row.status)}.`,
    );
  }
  return row;
}

/**
 * Changes the status of a locked workflow. Returns the new row, except for a due date that moves. Does not wait for the statement, because the row is
 * locked. If the statement fails, the commit fails too.
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

const statusChange = (from: WorkflowStatus, to: WorkflowStatus) => ({ status: { from, to } });

/**
 * Starts a draft: its first steps begin in the same transaction. Errors: 409 `document_not_readable` if the user who linked a document can no
 * longer share it, 403 `refusal_needs_write`, 422 `assignee_required`, `no_eligible_assignee`, `outside_barrier`.
 */
export async function startWorkflow(scope: Scope, id: string): Promise<Versioned<Workflow>> {
  const current = await loadForOperation(scope, id, 'start');
  requireAssignees(current);
  await requireEligible(scope, current);
  if (current.barred) await requireInside(scope, current.about_document_id, peopleNamed(current));
  for (const document of current.documents) {
    const shared = await sharedDocument(scope, document);
    if (document.linked_document_id !== null && shared === undefined)
      throw workflowProblems.document_not_readable(
        'The user who added the document to this workflow can no longer share it, or the document is in the bin. Use a document that you may share.',
      );
    document.leads = shared?.referred.gives === 'write';
  }
  rejectUnreachableStep(current);
  const row = move(scope, current, 'start');
  const changes = statusChange('draft', 'active');
  cacheRow(scope, row);
  // Before the steps: they may end the workflow at once, and its end changes the document status again.
  await reviewDocuments(scope, row);
  await pipelined([
    () => record(scope, workflowStarted, row.id, workflowEventData(scope, row, { changes }), row.barred),
    () => advance(scope, row),
  ]);
  return { value: presentWorkflow(row), version: row.version };
}

/** Pauses a workflow. Its tasks stay but cannot be completed, and waits and due dates stop. */
export async function pauseWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  const current = await loadForOperation(scope, id, 'pause');
  const row = move(scope, current, 'pause', reason);
  const changes = statusChange(current.status, row.status);
  scope.db.send(timerQueries.pauseTimers, { team: scope.team, id: row.id, at: scope.now });
  scope.db.send(pauseTasks, { team: scope.team, workflow: row.id });
  await pauseRequests(scope, current, true);
  await record(scope, workflowPaused, row.id, workflowEventData(scope, row, { reason, changes }), row.barred);
}

/** Resumes a workflow. Waits and due dates are extended by the length of the pause. */
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
    // Steps that were added during the pause may be ready.
    () => advance(scope, row),
    async () => (row.status === 'active' ? failUnanswerable(scope, row) : undefined),
    async () => (row.status === 'active' ? applyRequestEnds(scope, row) : undefined),
  ]);
}

/** Cancels a workflow: cancels its open tasks and skips its unfinished steps. The owner of the document may also cancel it. */
export async function cancelWorkflow(scope: Scope, id: string, reason: string | undefined): Promise<void> {
  await cancel(scope, await loadForOperation(scope, id, 'cancel'), reason);
}

/** Cancels an active or paused workflow for another domain, which has checked the permission. Does nothing if it has ended. */
export async function endWorkflow(scope: Scope, id: string, reason: string): Promise<void> {
  const current = await loadWorkflowForUpdate(scope, id);
  if (current && transitions.cancel[current.status] !== undefined) await cancel(scope, current, reason);
}

async function cancel(scope: Scope, current: queries.WorkflowRow, reason: string | undefined): Promise<void> {
  const row = move(scope, current, 'cancel', reason);
  const changes = statusChange(current.status, row.status);
  const requests = requestsOf(row.steps);
  await pipelined([
    () => writeSteps(scope, row, skipRest(row)),
    () => takeBackRequests(scope, requests, reason ?? 'The workflow was cancelled'),
    () => cancelWork(scope, row),
    () => record(scope, workflowCancelled, row.id, workflowEventData(scope, row, { reason, changes }), row.barred),
  ]);
  await updateLinkedDocuments(scope, row);
}

/** Deletes a draft or ended workflow. Its tasks stay as a record. */
export async function deleteWorkflow(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  // Before the locks of the check for legal holds: a request for an invisible workflow must not take them.
  await findRow(scope, id);
  const row = await refuseUnderHoldLocked(
    scope,
    () => loadForOperation(scope, id, 'delete'),
    ({ documents }) => documents.flatMap(({ linked_document_id: document }) => document ?? []),
  );
  expect(row.version);
  scope.db.send(queries.deleteWorkflow, { team: scope.team, id: row.id });
  await recordAudit(scope, workflowDeleted, row.id, { name: row.name }, row.barred);
}
