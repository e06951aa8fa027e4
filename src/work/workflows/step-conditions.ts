import { type Field, localesOf, type MappingInputs, type MappingTarget, type MappingValues, valuesOfSubmission } from '#fields';
import type { Scope } from '../../platform/scope.ts';
import { conditionErrors, conditionsOf, isOldCondition, namesInConditions, startOf } from './conditions.ts';
import { creatorInTeam } from './creator.ts';
import { cachedFields, cachedRow, cacheFields } from './transaction-cache.ts';
import type { StepError } from './step-errors.ts';
import { workflowProblems } from './problems.ts';
import * as stepQueries from './step-queries.ts';
import * as queries from './queries.ts';
import { makingErrors, makingOf, namesInMaking, targetErrors } from './making.ts';
import { type FindStep, formsOfNames, inputsOfStep, type KnownForms, placeOf, type StepAnswers, valuesOfStep } from './names.ts';
import { type FieldError, fieldError } from '../../platform/problems.ts';
import { stepsBefore } from './steps.ts';

type Earlier = (step: queries.StepRow) => FindStep<queries.StepRow>;

/** Returns a function for the steps that a step depends on, by id. It can use only these. */
function earlierIn({ steps }: Pick<queries.WorkflowRow, 'steps'>): Earlier {
  const before = stepsBefore(steps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  return (step) => (id) => (before(step.id).has(id) ? byId.get(id) : undefined);
}

/** Decides whether a step that is ready begins, is skipped or fails. */
export type StartOf = (step: queries.StepRow) => ReturnType<typeof startOf>;

/** Reads the form answers that the conditions of pending steps need, once for all of them. */
export async function readConditions(scope: Scope, row: queries.WorkflowRow): Promise<StartOf> {
  const waiting = row.steps.filter(({ status, config }) => status === 'pending' && config.when !== undefined);
  const earlier = earlierIn(row);
  const answers = await answersFor(scope, row, waiting, { earlier, namesIn: namesInConditions });
  return (step) => startOf(step, valuesOfStep(earlier(step), answers).valueOf);
}

/** Returns a function for the answers that the approval rules of a step need. */
export async function readAnswers(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<(field: string) => unknown> {
  const earlier = earlierIn(row);
  return valuesOfStep(earlier(step), await answersFor(scope, row, [step], { earlier, namesIn: namesInConditions })).valueOf;
}

/** Returns the values of the names in the mappings of a step. */
export async function readValues(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<MappingValues> {
  const earlier = earlierIn(row);
  return valuesOfStep(earlier(step), await answersFor(scope, row, [step], { earlier, namesIn: namesInMaking }));
}

type Names = { earlier: Earlier; namesIn: (step: queries.StepRow) => string[] };

/** Reads the answers that the names of steps need: those in the forms of earlier steps, and those that started the workflow. */
async function answersFor(
  { db, team }: Scope,
  row: queries.WorkflowRow,
  waiting: readonly queries.StepRow[],
  { earlier, namesIn }: Names,
): Promise<StepAnswers> {
  const formSteps = new Set(waiting.flatMap((step) => [...formsOfNames(namesIn(step), earlier(step)).keys()]));
  const tasks = row.steps.filter(({ id }) => formSteps.has(id)).flatMap((step) => step.task_ids.map((task) => [task, step.id] as const));
  const stepOf = new Map(tasks);
  const found = tasks.length === 0 ? [] : await db.all(stepQueries.answersOfTasks, { team, tasks: tasks.map(([task]) => task) });
  const isUsed = waiting.some((step) => namesIn(step).some((name) => isOfSubmission(name, earlier(step))));
  return {
    forms: new Map(found.map(({ task_id: task, data }) => [stepOf.get(task) ?? '', data])),
    submission: isUsed && row.submission_id !== null ? await submissionValues({ db, team }, row.submission_id) : undefined,
  };
}

const isOfSubmission = (name: string, earlier: FindStep): boolean => 'submission' in (placeOf(name, earlier) ?? {});

/** Returns the values of the submission that started a workflow; undefined after an erasure. */
async function submissionValues({ db, team }: Pick<Scope, 'db' | 'team'>, id: string): Promise<MappingValues | undefined> {
  const found = await db.first(stepQueries.answersOfSubmission, { team, id });
  if (!found) return undefined;
  const { fields, settings: publicSettings, data: values, records, created_at: at } = found;
  const locales = localesOf({ publicSettings });
  return valuesOfSubmission({ fields, locales }, { id, at: new Date(at), locale: found.locale ?? locales[0], values, records });
}

/** The forms that a workflow uses, with the rights of the caller or of its creator. */
export type FormsOfWorkflow = {
  /** Returns the fields of a form, or undefined if its answers may not be read. `creator`: the creator of the workflow while they own it. */
  fieldsOf: (form: string, creator: string | undefined) => Promise<readonly Field[] | undefined>;
  /** Returns the names of the form of a submission: none if its answers may not be read, or undefined if it is gone. */
  inputsOf: (submission: string, creator: string | undefined) => Promise<MappingInputs | undefined>;
};

/** Checks the form fields that pending and corrected steps use. The domain of forms calls it. Errors: 422 `workflow_steps_invalid`. */
export async function checkFormConditions(
  { db, team }: Scope,
  workflow: string,
  forms: FormsOfWorkflow,
  corrected: readonly string[] = [],
): Promise<void> {
  const row = cachedRow({ db }, workflow) ?? (await db.first(queries.findWorkflow, { team, id: workflow }));
  if (!row) return;
  const creator = creatorInTeam(row);
  const earlier = earlierIn(row);
  const steps = row.steps.map((step) => (corrected.includes(step.id) ? { ...step, status: 'pending' as const } : step));
  const pending = steps.filter(({ status }) => status === 'pending');
  const named = pending.map((step) => ({ step, names: [...namesInConditions(step), ...namesInMaking(step)] }));
  const known = new Map<string, readonly Field[] | undefined>();
  for (const { step, names } of named)
    for (const form of formsOfNames(names, earlier(step)).values())
      if (!known.has(form)) known.set(form, await forms.fieldsOf(form, creator));
  const isUsed = named.some(({ step, names }) => names.some((name) => isOfSubmission(name, earlier(step))));
  const submission = isUsed && row.submission_id !== null ? await forms.inputsOf(row.submission_id, creator) : undefined;
  const found = { fieldsOf: known.size === 0 ? undefined : (form: string) => known.get(form), submission };
  if (known.size > 0 || submission !== undefined) refuse(namingErrors(steps, found));
  cacheFields({ db }, { row: { ...row, steps }, forms: found });
}

/** Returns the errors of the values of a pending step that its target never accepts. {@link checkFormConditions} has checked its names. */
export function valueErrors({ db }: Pick<Scope, 'db'>, workflow: string, id: string, target: MappingTarget): StepError[] {
  const { row, forms } = cachedFields({ db }, workflow);
  const step = row.steps.find((one) => one.id === id);
  return step?.status === 'pending' ? targetErrors(step, inputsOfStep(earlierIn(row)(step), forms), target) : [];
}

function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
}

type NamingStep = Pick<queries.StepRow, 'id' | 'type' | 'config' | 'depends_on'> & { status?: queries.StepRow['status'] };

/** Returns the errors of the names in the conditions and mappings of steps that have not begun. */
export function namingErrors(steps: readonly NamingStep[], forms: KnownForms): FieldError[] {
  const before = stepsBefore(steps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  return steps.flatMap((step, at) => {
    const conditions = conditionsOf(step);
    if ((step.status ?? 'pending') !== 'pending' || (conditions.length === 0 && makingOf(step) === undefined)) return [];
    const earlier = before(step.id);
    const inputs = inputsOfStep((id) => (earlier.has(id) ? byId.get(id) : undefined), forms, [...earlier]);
    const found = [
      ...conditions.flatMap((one) => conditionErrors(one.when, `/steps/${at}/${one.at}`, inputs)),
      ...makingErrors(step, () => inputs).map(({ member, reason, rule }) => fieldError(`/steps/${at}/${member}`, reason, rule)),
    ];
    return isOldCondition(step) ? found.filter(({ rule }) => rule !== 'currency') : found;
  });
}
