import { approvalDecided, approvalVoided, type RoundFailure, roundProblems } from '#approvals';
import { pipelined } from '../../platform/database/pipelined.ts';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import type { Problem } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { advance, documentsForStep } from './advance.ts';
import { askRound } from './approval-steps.ts';
import { endStep } from './ending.ts';
import type { EndedBy } from './event-data.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import { reject } from './reject.ts';
import { recordStepFailure } from './step-failure.ts';

const failures: Record<RoundFailure['code'], (detail: string) => Problem> = {
  policy_input_missing: (detail) => roundProblems.policy_input_missing(detail),
  too_many_candidates: (detail) => roundProblems.too_many_candidates(detail),
  no_eligible_assignee: (detail) => workflowProblems.no_eligible_assignee(detail),
};

type AboutStep = { workflowId?: string; stepId?: string };

/** Returns the active step of a round and its workflow, which the caller has locked. Errors: 409 `workflow_paused`. */
async function stepOfRound({ db, team }: Scope, { workflowId, stepId }: AboutStep) {
  const row = workflowId === undefined ? undefined : await db.first(queries.findWorkflow, { team, id: workflowId });
  const step = row?.steps.find(({ id }) => id === stepId);
  if (!row || step?.status !== 'active') return undefined;
  if (row.status === 'paused')
    throw workflowProblems.workflow_paused('The workflow of this approval round is paused. Resume it, then repeat the request.');
  return row.status === 'active' ? { row, step } : undefined;
}

/** A round ends its step. An administrator who restarts it begins another round of the step. */
export const approvalListeners: readonly EventListener[] = [
  on(approvalDecided, async (scope, { data }) => {
    const found = await stepOfRound(scope, data);
    if (!found) return;
    const { row, step } = found;
    if (data.status === 'expired') return recordStepFailure(scope, row, step, 'timed_out');
    const { outcome = data.status, decidedBy, onBehalfOf, documentVersion, documentSha256 } = data;
    const by: EndedBy = {
      ...(decidedBy === undefined ? {} : { completedBy: decidedBy, completedByType: 'user' }),
      ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
      ...(documentVersion === undefined ? {} : { documentVersion }),
      ...(documentSha256 === undefined ? {} : { documentSha256 }),
    };
    if (data.status === 'rejected') return reject(scope, row, step, outcome, by);
    await pipelined([() => endStep(scope, row, step, { status: 'completed', outcome, by }), () => advance(scope, row, [step.id])]);
  }),
  on(approvalVoided, async (scope, { data }) => {
    const found = data.reason === 'restarted' ? await stepOfRound(scope, data) : undefined;
    if (!found) return;
    const failure = await askRound(scope, found.row, found.step, await documentsForStep(scope, found.row, found.step));
    if (failure) throw failures[failure.code](failure.detail);
  }),
];
