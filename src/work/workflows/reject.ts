import { cancelTasks } from '#tasks';
import type { Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import type { EndedBy } from './event-data.ts';
import { endStep, finish, writeSteps } from './ending.ts';
import { noteReturn, type StepRow, type WorkflowRow } from './queries.ts';
import { requestsOf, takeBackRequests } from './signature-steps.ts';
import { notBegun } from './step-rows.ts';
import { withDependents } from './steps.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Steps that begin again, in memory: what they led to before is forgotten. */
export function resetSteps(row: WorkflowRow, again: ReadonlySet<string>): void {
  for (const step of row.steps) if (again.has(step.id)) Object.assign(step, notBegun);
}

/** How often a workflow goes back: the refusal after that ends it. */
export const maxReturns = 20;

/**
 * A refused step sends the workflow back to the step its `config.onReject` names, or ends it. Asking for changes without
 * such a step begins the step itself again. What has gone back as often as it may is ended by the next refusal.
 */
export async function reject(scope: Scope, row: WorkflowRow, step: StepRow, outcome: string, by: EndedBy): Promise<void> {
  const named = row.steps.find(({ id }) => id === step.config.onReject)?.id;
  const led = named ?? (outcome === 'changes_requested' ? step.id : undefined);
  // Each round makes tasks, entries and mails: one that nobody ends is ended.
  const back = row.returns < maxReturns ? led : undefined;
  const ended = endStep(scope, row, step, { status: 'rejected', outcome, by });
  if (back === undefined) {
    await pipelined([() => ended, () => finish(scope, row, 'rejected'), () => writeSteps(scope, row, [step])]);
    return;
  }
  row.returns += 1;
  scope.db.send(noteReturn, { team: scope.team, id: row.id });
  const again = withDependents(row.steps, back).add(step.id);
  const requests = requestsOf(row.steps.filter(({ id }) => again.has(id)));
  resetSteps(row, again);
  await pipelined([
    () => ended,
    () => takeBackRequests(scope, requests, 'The workflow has gone back'),
    () => cancelTasks(scope, row.id, { steps: [...again] }),
    () => advance(scope, row, again),
  ]);
}
