import {
  checkMappingShape,
  compareMapping,
  type Condition,
  countSources,
  type Field,
  inputOf,
  inReason,
  type Mapping,
  type MappingInput,
  type MappingInputs,
  type MappingTarget,
  type MappingValues,
  namesInSource,
  partOf,
  partOfInput,
  type ValueSource,
} from '#fields';
import { makesTask } from '#tasks';
import { formNamed, outcomeField } from './conditions.ts';
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

/** Returns the mapping of a step, with the title of a document under its own path. The config was checked when it was stored. */
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
type FindStep<S extends Step> = (id: string) => S | undefined;

/** Resolves a name: a step means its outcome, and `step/field` an answer in the form of that step, or a part of it. */
function placeOf<S extends Step>(name: string, stepOf: FindStep<S>): { step: S; field?: string; parts: string[] } | undefined {
  const step = stepOf(name);
  if (step) return { step, parts: [] };
  for (let cut = name.lastIndexOf('/'); cut > 0; cut = name.lastIndexOf('/', cut - 1)) {
    const formStep = stepOf(name.slice(0, cut));
    if (!formStep || formNamed(formStep) === undefined) continue;
    const [field = '', ...parts] = name.slice(cut + 1).split('/');
    return { step: formStep, field, parts };
  }
  return undefined;
}

/** Returns the steps whose answers a step uses, each with its form. */
export function formsOfMaking(step: Step, stepOf: FindStep<Step>): Map<string, string> {
  const places = sourcesOf(step).flatMap((source) => namesInSource(source).map((name) => placeOf(name, stepOf)));
  return new Map(places.flatMap((place) => (place?.field === undefined ? [] : [[place.step.id, formNamed(place.step) ?? '']])));
}

/** Returns the fields of a form; undefined if the creator may not read its answers. */
export type FieldsOf = (form: string) => readonly Field[] | undefined;

function inputsOf(earlier: ReadonlyMap<string, Step>, fieldsOf: FieldsOf | undefined): MappingInputs {
  const stepOf = (id: string) => earlier.get(id);
  const fieldOf = (name: string): Field | undefined => {
    const place = placeOf(name, stepOf);
    if (place?.field === undefined) return place && outcomeField(name, place.step);
    if (!fieldsOf) return { id: name, type: 'hidden' };
    const field = fieldsOf(formNamed(place.step) ?? '')?.find(({ id }) => id === place.field);
    return field && { ...field, id: name };
  };
  return {
    names: [...earlier.keys()],
    fieldOf,
    find(name): MappingInput | undefined {
      const place = placeOf(name, stepOf);
      if (!place) return undefined;
      // The domain of forms checks the fields.
      if (place.field !== undefined && !fieldsOf) return { schema: {}, needs: [name] };
      const field = fieldOf(name);
      const input = field && inputOf(field);
      return input && place.parts.length > 0 ? partOfInput(name, input, place.parts) : input;
    },
  };
}

/** Returns the errors of a step in its names and mappings. `earlier` returns the steps that it depends on. Without `fieldsOf` the fields are not checked. */
export function makingErrors(step: Step, earlier: () => ReadonlyMap<string, Step>, fieldsOf?: FieldsOf): StepError[] {
  const kind = makingOf(step);
  if (kind === undefined) return [];
  const checking = { inputs: inputsOf(earlier(), fieldsOf), count: countSources() };
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
        'is required: the id of the step is no name of a document (letters, digits, `_` and `-`, a letter first)',
        'required',
      ),
    );
  const { update } = step.config;
  if (typeof update === 'string' && !Object.hasOwn(mappingOf(step), update))
    found.push(stepError('config/update', 'must name a field of `fields`', 'field'));
  return found;
}

/** Returns the errors of the values that the target of a step never accepts. Its names are valid. */
export function targetErrors(step: Step, earlier: ReadonlyMap<string, Step>, fieldsOf: FieldsOf, target: MappingTarget): StepError[] {
  const kind = makingOf(step);
  if (kind === undefined) return [];
  const at = `config/${mappings[kind]}`;
  // With `begin`, a step also begins if its condition lacks an answer.
  const when = step.config.onMissing === 'begin' ? undefined : (step.config.when as Condition | undefined);
  const { errors } = compareMapping(mappingOf(step), { inputs: inputsOf(earlier, fieldsOf), target, at, when });
  return errors.map(inReason).map(({ pointer, reason, rule }) => stepError(pointer, reason, rule));
}

type EndedStep = Step & { outcome: string | null };

/** Returns the values of names for a step that makes something. `answers` has the answers by step. */
export function valuesOfMaking(
  earlier: (id: string) => EndedStep | undefined,
  answers: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): MappingValues {
  return {
    valueOf(name) {
      const place = placeOf(name, earlier);
      if (!place) return undefined;
      if (place.field === undefined) return earlier(place.step.id)?.outcome ?? undefined;
      return partOf(answers.get(place.step.id), [place.field, ...place.parts]);
    },
    labelOf: (name) => earlier(name)?.outcome ?? undefined,
  };
}
