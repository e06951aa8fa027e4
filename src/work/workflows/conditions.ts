import {
  checkCondition,
  type Condition,
  type DefinitionError,
  evaluateCondition,
  fieldsNamed,
  holds,
  type MappingInputs,
  type MappingValues,
} from '#fields';
import { isDecision } from '#tasks';
import { didYouMean } from '../../platform/http/known-members.ts';
import { conditionsOfRules } from './approval-config.ts';
import type { NamedStep } from './names.ts';

type Step = NamedStep;

/** Returns the condition of a step. It was checked when the step was stored. */
export const conditionOf = ({ config: { when } }: Pick<Step, 'config'>): Condition | undefined =>
  typeof when === 'object' && when !== null ? (when as Condition) : undefined;

/** Returns the condition of a step and those of its approval rules, each with its pointer in the step. */
export function conditionsOf(step: Pick<Step, 'config'>): { when: Condition; at: string }[] {
  const when = conditionOf(step);
  return [...(when ? [{ when, at: 'config/when' }] : []), ...conditionsOfRules(step)];
}

/** Returns the names in the conditions of a step. */
export const namesInConditions = (step: Step): string[] => conditionsOf(step).flatMap(({ when }) => [...fieldsNamed(when)]);

/** Returns the errors of a condition on the names of a step; `at` is its path. */
export function conditionErrors(when: unknown, at: string, inputs: MappingInputs): DefinitionError[] {
  return checkCondition(when, { at, name: 'when', get: inputs.fieldOf, unknown: unknownField(inputs) });
}

/** Returns the error of an unknown field in a condition. */
export const unknownField =
  ({ names }: Pick<MappingInputs, 'names'>) =>
  (name: string) =>
    `must name a step that this one depends on, or as “step/field” a field of the form of such a step. “submission/field” is a field of the form that starts the workflow: ${name.slice(0, 200)}${didYouMean(name, names)}`;

/** What happens to a step with a condition if an answer is missing. */
export const onMissingValues = ['fail', 'skip', 'begin'] as const;

/** Adds the default of `onMissing` to the `config` of a new step: a decision fails without its answer, another step is skipped. */
export function withOnMissing<T extends { type: string; config: Readonly<Record<string, unknown>> }>(step: T): T {
  if (step.config.when === undefined || step.config.onMissing !== undefined) return step;
  return { ...step, config: { ...step.config, onMissing: isDecision(step.type) ? 'fail' : 'skip' } };
}

/** Whether the condition was stored before `onMissing` existed. Such a step is skipped if an answer is missing. */
export const isOldCondition = ({ config }: Pick<Step, 'config'>): boolean => config.when !== undefined && config.onMissing === undefined;

/** Decides whether a ready step begins, is skipped or fails. The decision depends on the outcomes and answers of earlier steps, and on the submission. */
export function startOf(step: Step, answerOf: MappingValues['valueOf']): (typeof onMissingValues)[number] {
  const condition = conditionOf(step);
  if (!condition) return 'begin';
  const result = isOldCondition(step) ? holds(condition, answerOf) : evaluateCondition(condition, answerOf);
  if (result === 'unknown') return onMissingValues.find((value) => value === step.config.onMissing) ?? 'fail';
  return result ? 'begin' : 'skip';
}
