import { cancelTasks } from '#tasks';
import { onRequestEnded, type RequestEnded, requestState } from '#signatures';
import { pipelined } from '../../platform/database/pipelined.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';
import type { Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import { endStep } from './ending.ts';
import { recordStepFailure } from './step-failure.ts';
import { loadWorkflowForUpdate } from './lookup.ts';
import type * as queries from './queries.ts';
import { reject } from './reject.ts';
import { endsByWorkflow, requestsOf } from './signature-steps.ts';

/** Ends a step when its signature request ends. If the workflow is paused, {@link applyRequestEnds} does this at the resume. */
export const signatureListeners: readonly EventListener[] = onRequestEnded(async (scope, { request, how, workflowId, stepId }) => {
  if (workflowId === undefined || stepId === undefined || endsByWorkflow(scope, request)) return;
  const row = await loadWorkflowForUpdate(scope, workflowId);
  const step = row?.steps.find((one) => one.id === stepId);
  if (row?.status === 'active' && step?.request_id === request) await settleStep(scope, row, step, how);
});

/** Applies the ends of signature requests that happened during a pause of the workflow. */
export async function applyRequestEnds(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  for (const request of requestsOf(row.steps)) {
    const step = row.steps.find((one) => one.request_id === request);
    const state = await requestState(scope, request);
    if (row.status !== 'active' || !step || state === undefined || !isEnd(state)) continue;
    if (step.status === 'active' || state === 'completed') await settleStep(scope, row, step, state);
  }
}

const isEnd = (state: string): state is RequestEnded['how'] => ['completed', 'declined', 'expired', 'voided', 'failed'].includes(state);

async function settleStep(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, how: RequestEnded['how']): Promise<void> {
  if (step.status !== 'active' && step.status !== 'failed') return;
  if (how === 'failed') return step.status === 'active' ? recordStepFailure(scope, row, step, 'request_failed') : undefined;
  // The retried request has an end, so the task about its failure is obsolete.
  if (step.status === 'failed') await cancelTasks(scope, row.id, { steps: [step.id] });
  if (how !== 'completed') return reject(scope, row, step, how, {});
  await pipelined([() => endStep(scope, row, step, { status: 'completed', outcome: 'signed' }), () => advance(scope, row, [step.id])]);
}
