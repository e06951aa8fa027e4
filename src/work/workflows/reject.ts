import type { Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import { cancelWork } from './approval-steps.ts';
import type { EndedBy } from './event-data.ts';
import { endStep, finish, writeSteps } from './ending.ts';
import { countReturn, type StepRow, type WorkflowRow } from './queries.ts';
import { requestsOf, takeBackRequests } from './signature-steps.ts';
import { notBegun } from './step-rows.ts';
import { withDependents } from './steps.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Resets steps in memory so that they begin again. Clears their previous results. */
export function resetSteps(row: WorkflowRow, again: ReadonlySet<string>): void {
  for (const step of row.steps) if (again.has(step.id)) Object.assign(step, notBegun);
}

/** Maximum number of returns of a workflow. The next rejection ends it. */
export const maxReturns = 20;

/**
 * Handles the rejection of a step: the workflow goes back to the step in `config.onReject`, or ends. A request for changes without such a step
 * restarts the rejected step. After {@link maxReturns} returns a rejection always ends the workflow.
 */
export async function reject(scope: Scope, row: WorkflowRow, step: StepRow, outcome: string, by: EndedBy): Promise<void> {
  const named = row.steps.find(({ id }) => id === step.config.onReject)?.id;
  const led = named ?? (outcome === 'changes_requested' ? step.id : undefined);
  // Each round creates tasks, entries and mails, so the number of rounds is limited.
  const back = row.returns < maxReturns ? led : undefined;
  const ended = endStep(scope, row, step, { status: 'rejected', outcome, by });
  if (back === undefined) {
    await pipelined([() => ended, () => finish(scope, row, 'rejected'), () => writeSteps(scope, row, [step])]);
    return;
  }
  row.returns += 1;
  scope.db.send(countReturn, { team: scope.team, id: row.id });
  const again = withDependents(row.steps, back).add(step.id);
  const requests = requestsOf(row.steps.filter(({ id }) => again.has(id)));
  resetSteps(row, again);
  await pipelined([
    () => ended,
    () => takeBackRequests(scope, requests, 'The workflow returned to an earlier step'),
    () => cancelWork(scope, row, { steps: [...again] }),
  ]);
  // Afterwards: the end of a round takes several statements, and the tasks that begin must not be cancelled.
  await advance(scope, row, again);
}
