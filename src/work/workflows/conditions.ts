import { checkCondition, type Condition, type DefinitionError, evaluateCondition, type Field, fieldsNamed, holds } from '#fields';
import { conditionsOfRules } from './approval-config.ts';
import { isDecision, outcomesOf, takesOutcomes } from '#tasks';
import { answersOf, waitsForAnswer } from './webhook-config.ts';

/** The facts of a step that conditions need. */
type Step = { id: string; type: string; config: Readonly<Record<string, unknown>> };
type FindStep = (id: string) => Step | undefined;

/** Resolves a name in a condition: a step means its outcome, and `step/field` means an answer in the form of that step. */
function placeNamed(name: string, stepOf: FindStep): { step: Step; answer?: string } | undefined {
  const step = stepOf(name);
  if (step) return { step };
  const cut = name.lastIndexOf('/');
  const formStep = cut < 1 ? undefined : stepOf(name.slice(0, cut));
  return formStep && formNamed(formStep) !== undefined ? { step: formStep, answer: name.slice(cut + 1) } : undefined;
}

/** Returns the form of a step. */
export function formNamed({ type, config: { interfaceId } }: Step): string | undefined {
  return type === 'form' && typeof interfaceId === 'string' ? interfaceId.toLowerCase() : undefined;
}

/** Returns the condition of a step. It was checked when the step was stored. */
export const conditionOf = ({ config: { when } }: Pick<Step, 'config'>): Condition | undefined =>
  typeof when === 'object' && when !== null ? (when as Condition) : undefined;

/** Returns the condition of a step and those of its approval rules, each with its pointer in the step. */
export function conditionsOf(step: Pick<Step, 'config'>): { when: Condition; at: string }[] {
  const when = conditionOf(step);
  return [...(when ? [{ when, at: 'config/when' }] : []), ...conditionsOfRules(step)];
}

/** Returns the steps whose answers the conditions of a step need, each with its form. */
export function formsNamed(step: Step, stepOf: FindStep): Map<string, string> {
  const named = conditionsOf(step).flatMap(({ when }) => [...fieldsNamed(when)].map((name) => placeNamed(name, stepOf)));
  return new Map(named.flatMap((place) => (place?.answer === undefined ? [] : [[place.step.id, formNamed(place.step) ?? '']])));
}

/** Returns the possible outcomes of a step; undefined if they are not fixed. */
function outcomes({ type, config }: Step): readonly string[] | undefined {
  if (type === 'approval' || type === 'review' || takesOutcomes(type)) return outcomesOf(type, config);
  return waitsForAnswer({ type, config }) ? answersOf({ config }) : undefined;
}

/** Returns the outcome of a step as a field of a condition. */
export function outcomeField(name: string, step: Step): Field {
  const known = outcomes(step);
  if (known === undefined) return { id: name, type: 'text' };
  return { id: name, type: 'select', options: [...new Set([...known, 'skipped'])].map((id) => ({ id })) };
}

/**
 * Returns the errors of a condition; `at` is its path. `earlier` finds the steps that the step depends on, and `fieldsOf` the fields of a form.
 * Without `fieldsOf` the fields are not checked here but by the domain of forms.
 */
export function conditionErrors(
  when: unknown,
  at: string,
  earlier: FindStep,
  fieldsOf?: (form: string) => readonly Field[] | undefined,
): DefinitionError[] {
  return checkCondition(when, { at, name: 'when', get: conditionFields(earlier, fieldsOf), unknown: unknownField });
}

/** Returns a function for the fields that a condition may name. */
export function conditionFields(
  earlier: FindStep,
  fieldsOf?: (form: string) => readonly Field[] | undefined,
): (name: string) => Field | undefined {
  const forms = new Map<string, ReadonlyMap<string, Field>>();
  const fieldOf = (form: string, id: string): Field | undefined => {
    const fields = forms.get(form) ?? new Map(fieldsOf?.(form)?.map((field) => [field.id, field]));
    forms.set(form, fields);
    return fields.get(id);
  };
  return (name: string): Field | undefined => {
    const place = placeNamed(name, earlier);
    if (place?.answer === undefined) return place && outcomeField(name, place.step);
    if (!fieldsOf) return { id: name, type: 'hidden' };
    const field = fieldOf(formNamed(place.step) ?? '', place.answer);
    return field && { ...field, id: name };
  };
}

/** Returns the error of an unknown field in a condition. */
export const unknownField = (name: string) =>
  `must name a step that this one depends on, or as “step/field” a field of the form of such a step: ${name.slice(0, 200)}`;

/** Returns a function for the answers that conditions name: outcomes of earlier steps, and answers in their forms. */
export function answersIn(
  earlier: (id: string) => EndedStep | undefined,
  answers: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): (name: string) => unknown {
  return (name) => {
    const place = placeNamed(name, earlier);
    if (!place) return undefined;
    if (place.answer === undefined) return earlier(place.step.id)?.outcome ?? undefined;
    const given = answers.get(place.step.id) ?? {};
    return Object.hasOwn(given, place.answer) ? given[place.answer] : undefined;
  };
}

type EndedStep = Step & { outcome: string | null };

/** What happens to a step with a condition if an answer is missing. */
export const onMissingValues = ['fail', 'skip', 'begin'] as const;

/** Adds the default of `onMissing` to the `config` of a new step: a decision fails without its answer, another step is skipped. */
export function withOnMissing<T extends { type: string; config: Readonly<Record<string, unknown>> }>(step: T): T {
  if (step.config.when === undefined || step.config.onMissing !== undefined) return step;
  return { ...step, config: { ...step.config, onMissing: isDecision(step.type) ? 'fail' : 'skip' } };
}

/** Whether the condition was stored before `onMissing` existed. Such a step is skipped if an answer is missing. */
export const isOldCondition = ({ config }: Pick<Step, 'config'>): boolean => config.when !== undefined && config.onMissing === undefined;

/** Decides whether a ready step begins, is skipped or fails. The decision depends on the outcomes and answers of earlier steps. */
export function startOf(
  step: Step,
  earlier: (id: string) => EndedStep | undefined,
  answers: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): (typeof onMissingValues)[number] {
  const condition = conditionOf(step);
  if (!condition) return 'begin';
  const answerOf = answersIn(earlier, answers);
  const result = isOldCondition(step) ? holds(condition, answerOf) : evaluateCondition(condition, answerOf);
  if (result === 'unknown') return onMissingValues.find((value) => value === step.config.onMissing) ?? 'fail';
  return result ? 'begin' : 'skip';
}
