import { pipelined } from '../../platform/database/pipelined.ts';
import { problems } from '../../platform/problems.ts';
import { isTeamManager, type Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import type { EndedBy } from './event-data.ts';
import { endStep, finish, writeSteps } from './ending.ts';
import type * as queries from './queries.ts';
import { resetSteps } from './reject.ts';
import { requestsOf, takeBackRequests } from './signature-steps.ts';

/** Applies a decision about a failed step. Errors: 403. */
export async function decideOnFailed(
  scope: Scope,
  row: queries.WorkflowRow,
  step: queries.StepRow,
  { outcome, by }: { outcome: string; by: EndedBy },
): Promise<void> {
  if (!isTeamManager(scope.actor))
    throw problems.forbidden('Only the owner or an administrator can decide about a failed step. Reassign the task to one of them.');
  if (outcome === 'retry') {
    await takeBackRequests(scope, requestsOf([step]), 'The signature is requested again');
    resetSteps(row, new Set([step.id]));
    await advance(scope, row, [step.id]);
  } else if (outcome === 'begin') {
    resetSteps(row, new Set([step.id]));
    await advance(scope, row, [step.id], { begins: step.id });
  } else if (outcome === 'skip') {
    await pipelined([() => endStep(scope, row, step, { status: 'skipped', outcome: 'skipped', by }), () => advance(scope, row, [step.id])]);
  } else {
    await pipelined([
      () => endStep(scope, row, step, { status: 'rejected', outcome: 'cancelled', by }),
      () => finish(scope, row, 'cancelled'),
      () => writeSteps(scope, row, [step]),
    ]);
  }
}
