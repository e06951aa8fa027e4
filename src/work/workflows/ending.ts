import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { cancelWork } from './approval-steps.ts';
import { aboutStep, workflowEventData, type EndedBy } from './event-data.ts';
import { stepCompleted, workflowCancelled, workflowCompleted, workflowRejected } from './events.ts';
import { updateLinkedDocuments } from './document-status.ts';
import * as queries from './queries.ts';
import { sendSteps } from './step-queries.ts';
import { requestsOf, takeBackRequests } from './signature-steps.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Writes steps from memory. Increases the version of the workflow, unless this transaction already did. */
export async function writeSteps(scope: Scope, row: queries.WorkflowRow, steps: readonly queries.StepRow[]): Promise<void> {
  if (steps.length === 0) return;
  const raise = row.written !== true;
  if (raise) Object.assign(row, { version: row.version + 1, updated_at: scope.now.toISOString(), written: true });
  sendSteps(scope.db, { team: scope.team, id: row.id, at: scope.now }, steps, raise);
}

/** Ends a step in memory, and records the event with the actor who ended it. */
export async function endStep(
  scope: Scope,
  row: queries.WorkflowRow,
  step: queries.StepRow,
  how: { status: 'completed' | 'rejected' | 'skipped'; outcome: string; by?: EndedBy },
): Promise<void> {
  step.status = how.status;
  step.completed_at = scope.now.toISOString();
  step.outcome = how.outcome;
  step.detail = null;
  step.wake_at = null;
  step.nonce = null;
  await record(scope, stepCompleted, row.id, aboutStep(step, how.by), row.barred);
}

/** Skips the unfinished steps in memory, and returns the skipped steps. */
export function skipRest(row: queries.WorkflowRow): queries.StepRow[] {
  const skipped = row.steps.filter((step) => step.status === 'pending' || step.status === 'active');
  for (const step of skipped) {
    step.status = 'skipped';
    step.wake_at = null;
    step.nonce = null;
  }
  return skipped;
}

const ends = { completed: workflowCompleted, rejected: workflowRejected, cancelled: workflowCancelled };

/** Ends a workflow. Skips its unfinished steps and cancels its open tasks. */
export async function finish(scope: Scope, row: queries.WorkflowRow, status: keyof typeof ends): Promise<void> {
  const changes = { status: { from: row.status, to: status } };
  const at = scope.now.toISOString();
  Object.assign(row, { status, version: row.version + 1, completed_at: at, updated_at: at, written: true });
  scope.db.send(queries.transition, { team: scope.team, id: row.id, to: status, reason: null, at: scope.now });
  const requests = requestsOf(row.steps);
  await pipelined([
    () => writeSteps(scope, row, skipRest(row)),
    () => takeBackRequests(scope, requests, 'The workflow has ended'),
    () => cancelWork(scope, row),
    () => record(scope, ends[status], row.id, workflowEventData(scope, row, { changes }), row.barred),
  ]);
  await updateLinkedDocuments(scope, row);
}
