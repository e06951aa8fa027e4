import {
  checkMappingShape,
  compareMapping,
  type Condition,
  countSources,
  inReason,
  type Mapping,
  type MappingInputs,
  type MappingTarget,
  namesInSource,
  type ValueSource,
} from '#fields';
import { makesTask } from '#tasks';
import { type StepError, stepError } from './step-errors.ts';
import type { ConfiguredStep } from './steps.ts';

/* Steps that make a document or a record from the answers and outcomes of earlier steps. */

export type Making = 'document' | 'record';
const required: Readonly<Record<Making, readonly string[]>> = { document: ['templateId', 'values'], record: ['registryId'] };
const mappings: Readonly<Record<Making, string>> = { document: 'values', record: 'fields' };

/** Returns the kind of result of a step. Steps of these types without the required members are tasks, as before these kinds existed. */
export function makingOf({ type, config }: ConfiguredStep): Making | undefined {
  if (type !== 'document' && type !== 'record') return undefined;
  return required[type].every((member) => config[member] !== undefined) ? type : undefined;
}

/** Whether a step is a task for a person. */
export const isTaskStep = (step: ConfiguredStep): boolean => makesTask(step.type) && makingOf(step) === undefined;

/** The names of documents: see `namedDocument` in schemas.ts. */
const documentName = /^[A-Za-z][A-Za-z0-9_-]{0,49}$/;

/** Returns the name of the document that a step makes: `config.name`, or the id of the step. */
export function nameOfMade(step: ConfiguredStep & { id: string }): string | undefined {
  if (makingOf(step) !== 'document') return undefined;
  return typeof step.config.name === 'string' ? step.config.name : step.id;
}

/**
 * Returns the values that a step fills in, by their place in the template or registry. The config was checked when it
 * was stored.
 */
export function mappingOf(step: ConfiguredStep): Mapping {
  const kind = makingOf(step);
  return kind === undefined ? {} : (step.config[mappings[kind]] as Mapping);
}
export const titleOf = ({ config }: ConfiguredStep): ValueSource | undefined => config.title as ValueSource | undefined;

function sourcesOf(step: ConfiguredStep): ValueSource[] {
  const title = titleOf(step);
  return [...Object.values(mappingOf(step)), ...(title === undefined ? [] : [title])];
}

type Step = ConfiguredStep & { id: string };

/** Returns the names in the mappings of a step. */
export const namesInMaking = (step: Step): string[] => sourcesOf(step).flatMap(namesInSource);

/**
 * Returns the errors of a step that makes a document or a record. `inputs` returns the names of answers and outcomes
 * that the step can use.
 */
export function makingErrors(step: Step, inputs: () => MappingInputs): StepError[] {
  const kind = makingOf(step);
  if (kind === undefined) return [];
  const checking = { inputs: inputs(), count: countSources() };
  const title = titleOf(step);
  const found = [
    ...checkMappingShape(mappingOf(step), `config/${mappings[kind]}`, checking),
    ...(title === undefined ? [] : checkMappingShape({ title }, 'config', checking)),
  ].map(({ pointer, reason, rule }) => stepError(pointer, reason, rule));
  const name = nameOfMade(step);
  if (name !== undefined && !documentName.test(name))
    found.push(
      stepError(
        'config/name',
        'is required: the id of the step is not a valid name of a document (letters, digits, `_` and `-`, a letter first)',
        'required',
      ),
    );
  const { update } = step.config;
  if (typeof update === 'string' && !Object.hasOwn(mappingOf(step), update))
    found.push(stepError('config/update', 'must name a field of `fields`', 'field'));
  return found;
}

/** Returns the errors of the values that the target of a step never accepts. The caller has checked its names. */
export function targetErrors(step: Step, inputs: MappingInputs, target: MappingTarget): StepError[] {
  const kind = makingOf(step);
  if (kind === undefined) return [];
  const at = `config/${mappings[kind]}`;
  // With `begin`, a step also begins if its condition lacks an answer.
  const when = step.config.onMissing === 'begin' ? undefined : (step.config.when as Condition | undefined);
  const { errors } = compareMapping(mappingOf(step), { inputs, target, at, when });
  return errors.map(inReason).map(({ pointer, reason, rule }) => stepError(pointer, reason, rule));
}
