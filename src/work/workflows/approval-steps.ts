import {
  beginRound,
  lockPolicies,
  policyNames,
  refuseTooMany,
  type RoundFailure,
  type RoundRules,
  tooManyCandidates,
  voidRounds,
} from '#approvals';
import { cancelTasks, type TaskDocument } from '#tasks';
import { teamWorkingTime } from '#working-time';
import { didYouMean } from '../../platform/http/known-members.ts';
import { fieldError } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { asksRound, policyNamed, rulesOfStep } from './approval-config.ts';
import { workflowProblems } from './problems.ts';
import { readAnswers } from './step-conditions.ts';
import { workingDaysOf } from './step-config.ts';
import { dueOf, taskFor } from './step-tasks.ts';
import type * as queries from './queries.ts';
import type { ConfiguredStep } from './steps.ts';

/**
 * Requires that the approval policies of steps exist, and locks them against deletion. Requires that no rule names more members today than a round has
 * candidates. `about`: the document whose barrier applies. Errors: 422 `workflow_steps_invalid`, `too_many_candidates`.
 */
export async function requirePolicies(scope: Scope, steps: readonly ConfiguredStep[], about: string | null = null): Promise<void> {
  const known = await lockPolicies(
    scope,
    steps.flatMap((step) => policyNamed(step) ?? []),
  );
  const unknown = steps.flatMap((step, index) => {
    const name = policyNamed(step);
    return name === undefined || known.has(name) ? [] : [{ name, pointer: `/steps/${index}/config/approval/policy` }];
  });
  const names = unknown.length === 0 ? [] : await policyNames(scope);
  const errors = unknown.map(({ name, pointer }) =>
    fieldError(pointer, `does not name an approval policy of the team: ${name}${didYouMean(name, names)}`, 'policy'),
  );
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
  for (const [index, step] of steps.entries()) {
    const rules = rulesOfStep(step) ?? known.get(policyNamed(step) ?? '')?.rules;
    if (!rules) continue;
    const at = `/steps/${index}/config/approval`;
    const found = await tooManyCandidates(scope, rules, about);
    refuseTooMany(found.map((one) => ({ ...one, pointer: policyNamed(step) === undefined ? `${at}${one.pointer}` : `${at}/policy` })));
  }
}

/** Returns the rules of a step, or those of its policy today. A policy that a step names is not deleted. */
async function rulesToday(scope: Scope, step: queries.StepRow): Promise<RoundRules> {
  const name = policyNamed(step);
  const stored = name === undefined ? undefined : (await lockPolicies(scope, [name])).get(name);
  const rules = stored?.rules ?? rulesOfStep(step);
  if (!rules) throw new Error(`the step ${step.id} has no approval rules`);
  return { rules, ...(stored ? { policy: { name: stored.name, version: stored.version } } : {}) };
}

/** Begins the approval round of a step that has begun. Returns why it cannot begin. */
export async function askRound(
  scope: Scope,
  row: queries.WorkflowRow,
  step: queries.StepRow,
  documents: readonly TaskDocument[],
): Promise<RoundFailure | undefined> {
  const given = await rulesToday(scope, step);
  const answerOf = await readAnswers(scope, row, { ...step, config: { ...step.config, approval: given.rules } });
  const time = workingDaysOf(step.config) === undefined ? undefined : await teamWorkingTime(scope);
  const due = dueOf(step, scope.now, time);
  const begun = await beginRound(
    scope,
    {
      type: 'step',
      id: `${row.id}/${step.id}`,
      step: { workflowId: row.id, stepId: step.id },
      taskType: step.type,
      documents,
      about: row.about_document_id,
      barred: row.barred,
      people: row.people,
      answerOf,
      taskFor: (person) => {
        const task = taskFor(row, step, person, due, time);
        return { ...task, document_id: documents[0]?.referred.id ?? task.document_id };
      },
    },
    given,
  );
  return 'id' in begun ? undefined : begun;
}

/** Voids the open rounds of a workflow, or of some of its steps, and cancels its open tasks. */
export async function cancelWork(
  scope: Scope,
  row: Pick<queries.WorkflowRow, 'id' | 'steps'>,
  { steps, reason }: { steps?: readonly string[]; reason?: 'document_changed' } = {},
): Promise<void> {
  if (row.steps.some(asksRound))
    await voidRounds(scope, row.id, { steps, reason: reason ?? (steps === undefined ? 'workflow_ended' : 'step_restarted') });
  await cancelTasks(scope, row.id, { ...(steps === undefined ? {} : { steps }), ...(reason === undefined ? {} : { reason }) });
}
