import type { Field, MappingTarget } from '#fields';
import type { Scope } from '../../platform/scope.ts';
import { answersIn, conditionErrors, conditionsOf, formsNamed, isOldCondition, startOf } from './conditions.ts';
import { creatorInTeam } from './creator.ts';
import { cachedFields, cachedRow, cacheFields } from './transaction-cache.ts';
import { workflowProblems } from './problems.ts';
import * as stepQueries from './step-queries.ts';
import * as queries from './queries.ts';
import { formsOfMaking, makingErrors, makingOf, targetErrors } from './making.ts';
import { fieldError } from '../../platform/problems.ts';
import type { StepError } from './step-errors.ts';
import { stepsBefore } from './steps.ts';

type Earlier = (step: queries.StepRow) => (id: string) => queries.StepRow | undefined;

/** Returns a function for the steps that a step depends on, by id. Its condition can use only these. */
function earlierIn({ steps }: queries.WorkflowRow): Earlier {
  const before = stepsBefore(steps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  return (step) => (id) => (before(step.id).has(id) ? byId.get(id) : undefined);
}

/** Returns the steps that a step depends on, by id. */
function allEarlier(row: queries.WorkflowRow, step: queries.StepRow): Map<string, queries.StepRow> {
  const earlier = earlierIn(row)(step);
  return new Map(row.steps.flatMap(({ id }) => earlier(id) ?? []).map((one) => [one.id, one]));
}

/** Decides whether a step that is ready begins, is skipped or fails. */
export type StartOf = (step: queries.StepRow) => ReturnType<typeof startOf>;

/** Reads the form answers that the conditions of pending steps need, once for all of them. */
export async function readConditions(scope: Scope, row: queries.WorkflowRow): Promise<StartOf> {
  const waiting = row.steps.filter(({ status, config }) => status === 'pending' && config.when !== undefined);
  const earlier = earlierIn(row);
  const answers = await answersFor(scope, row, waiting, earlier);
  return (step) => startOf(step, earlier(step), answers);
}

/** Returns a function for the answers that the approval rules of a step need. */
export async function readAnswers(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<(field: string) => unknown> {
  const earlier = earlierIn(row);
  return answersIn(earlier(step), await answersFor(scope, row, [step], earlier));
}

/** Reads the form answers that the conditions of steps need, by the step of the form. */
async function answersFor({ db, team }: Scope, row: queries.WorkflowRow, waiting: readonly queries.StepRow[], earlier: Earlier) {
  const formSteps = new Set(waiting.flatMap((step) => [...formsNamed(step, earlier(step)).keys()]));
  const tasks = row.steps.filter(({ id }) => formSteps.has(id)).flatMap((step) => step.task_ids.map((task) => [task, step.id] as const));
  const stepOf = new Map(tasks);
  const found = tasks.length === 0 ? [] : await db.all(stepQueries.answersOfTasks, { team, tasks: tasks.map(([task]) => task) });
  return new Map(found.map(({ task_id: task, data }) => [stepOf.get(task) ?? '', data]));
}

/**
 * Checks the form fields in the conditions of pending steps. The domain of forms calls it. `fieldsOf` returns the fields of a form, or undefined if
 * its answers may not be read. `creator`: the creator of the workflow while they own it. Errors: 422 `workflow_steps_invalid`.
 */
export async function checkFormConditions(
  { db, team }: Scope,
  workflow: string,
  fieldsOf: (form: string, creator: string | undefined) => Promise<readonly Field[] | undefined>,
): Promise<void> {
  const row = cachedRow({ db }, workflow) ?? (await db.first(queries.findWorkflow, { team, id: workflow }));
  const creator = row && creatorInTeam(row);
  const earlierOf = row && earlierIn(row);
  const forms = new Map<string, readonly Field[] | undefined>();
  for (const [at, step] of (row?.steps ?? []).entries()) {
    const conditions = conditionsOf(step);
    if (!earlierOf || step.status !== 'pending' || (conditions.length === 0 && makingOf(step) === undefined)) continue;
    const earlier = earlierOf(step);
    const mapped = [...formsOfMaking(step, earlier).values()];
    const named = [...new Set([...formsNamed(step, earlier).values(), ...mapped])];
    for (const form of named) if (!forms.has(form)) forms.set(form, await fieldsOf(form, creator));
    const found = [
      ...(named.length === 0
        ? []
        : conditions.flatMap((one) => conditionErrors(one.when, `/steps/${at}/${one.at}`, earlier, (id) => forms.get(id)))),
      ...(mapped.length === 0
        ? []
        : makingErrors(
            step,
            () => allEarlier(row, step),
            (id) => forms.get(id),
          ).map(({ member, reason, rule }) => fieldError(`/steps/${at}/${member}`, reason, rule))),
    ];
    const errors = isOldCondition(step) ? found.filter(({ rule }) => rule !== 'currency') : found;
    const [first] = errors;
    if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
  }
  if (row) cacheFields({ db }, { row, fieldsOf: (id) => forms.get(id) });
}

/** Returns the errors of the values of a pending step that its target never accepts. {@link checkFormConditions} has checked its names. */
export function valueErrors({ db }: Pick<Scope, 'db'>, workflow: string, id: string, target: MappingTarget): StepError[] {
  const { row, fieldsOf } = cachedFields({ db }, workflow);
  const step = row.steps.find((one) => one.id === id);
  return step?.status === 'pending' ? targetErrors(step, allEarlier(row, step), fieldsOf, target) : [];
}
