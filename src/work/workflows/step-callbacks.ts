import { taskProblems } from '#tasks';
import type { OpenWebhooks, SignedAnswer } from '#webhooks';
import { pipelined } from '../../platform/database/pipelined.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { enterTeam, type PublicScope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import { endStep } from './ending.ts';
import { loadWorkflowForUpdate } from './lookup.ts';
import { workflowProblems } from './problems.ts';
import * as stepQueries from './step-queries.ts';
import { answersOf } from './webhook-config.ts';

/** Maximum difference between the timestamp of a callback and the current time, in milliseconds. */
const toleranceMs = 300_000;
const nonceOf = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/;

const notProven = () =>
  workflowProblems.callback_signature_invalid(
    'The signature is invalid, or no step waits for this callback. Sign the nonce, the timestamp and the body with the secret of the endpoint. The timestamp must be within five minutes of now.',
  );

/**
 * Accepts the callback of an endpoint for a waiting step, once. Errors: 401 `callback_signature_invalid` (also if there is no such step), 409
 * `step_not_active`, `workflow_paused`, 422 `outcome_invalid`.
 */
export async function answerStep(
  outer: PublicScope,
  webhooks: OpenWebhooks,
  { id, stepId }: { id: string; stepId: string },
  { answer, outcome }: { answer: SignedAnswer; outcome: string },
): Promise<void> {
  const team = nonceOf.exec(answer.id)?.[1];
  const sent = /^\d{1,12}$/.test(answer.timestamp) ? Number(answer.timestamp) * 1_000 : Number.NaN;
  const timely = Math.abs(outer.now.getTime() - sent) <= toleranceMs;
  if (team === undefined || !timely || !isUuid(id) || stepId.includes('\0')) throw notProven();
  const scope = enterTeam(outer, team, { type: 'system' });
  // Verified before any lock, so that unauthenticated callers cannot block the team.
  const callback = await scope.db.first(stepQueries.endpointOfStep, { team, id, step: stepId });
  if (!callback || !(await webhooks.isSignedBy(scope, callback.endpoint, answer))) throw notProven();
  const row = await loadWorkflowForUpdate(scope, id);
  const step = row?.steps.find((one) => one.id === stepId);
  if (!row || step?.status !== 'active' || step.nonce !== answer.id)
    throw workflowProblems.step_not_active(`The step “${stepId}” does not wait for this callback: it has ended or restarted.`);
  if (row.status === 'paused')
    throw workflowProblems.workflow_paused('The workflow is paused. Send the callback again after the workflow resumes.');
  const answers = answersOf(step);
  if (!answers.includes(outcome))
    throw taskProblems.outcome_invalid(`The step accepts one of ${answers.map((one) => `\`${one}\``).join(', ')}.`, {
      errors: [{ name: 'outcome', pointer: '/outcome', reason: `must be one of ${answers.join(', ')}`, rule: 'enum' }],
    });
  await pipelined([
    () => endStep(scope, row, step, { status: 'completed', outcome, by: { answeredBy: callback.endpoint } }),
    () => advance(scope, row, [step.id]),
  ]);
}
