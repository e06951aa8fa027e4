import {
  type Field,
  fieldOfPart,
  inputOf,
  type MappingInput,
  type MappingInputs,
  type MappingValues,
  nameInForm,
  partOf,
  partOfInput,
} from '#fields';
import { outcomesOf, takesOutcomes } from '#tasks';
import { answersOf, waitsForAnswer } from './webhook-config.ts';

/* The names in conditions and mappings of steps: one language for `when`, approval rules and the values of documents and records. */

/** The facts of a step that names need. */
export type NamedStep = { id: string; type: string; config: Readonly<Record<string, unknown>> };
export type FindStep<S extends NamedStep = NamedStep> = (id: string) => S | undefined;

/**
 * The meaning of a name. `step` alone is the outcome of a step, with `path` an answer in its form. `submission` is a name in the form that started the
 * workflow.
 */
export type NamedValue<S extends NamedStep = NamedStep> = { step: S; path?: readonly [string, ...string[]] } | { submission: string };

/**
 * Resolves a name. If a step has the id `submission`, the name refers to this step and not to the submission that
 * started the workflow.
 */
export function placeOf<S extends NamedStep>(name: string, stepOf: FindStep<S>): NamedValue<S> | undefined {
  const step = stepOf(name);
  if (step) return { step };
  for (let cut = name.lastIndexOf('/'); cut > 0; cut = name.lastIndexOf('/', cut - 1)) {
    const formStep = stepOf(name.slice(0, cut));
    if (!formStep || formNamed(formStep) === undefined) continue;
    const [field = '', ...parts] = name.slice(cut + 1).split('/');
    return { step: formStep, path: [field, ...parts] };
  }
  return /^submission\/./.test(name) ? { submission: nameInForm(name) } : undefined;
}

/** Returns the form of a step. */
export function formNamed({ type, config: { interfaceId } }: NamedStep): string | undefined {
  return type === 'form' && typeof interfaceId === 'string' ? interfaceId.toLowerCase() : undefined;
}

/** Returns the steps whose answers the names need, each with its form. */
export function formsOfNames(names: Iterable<string>, stepOf: FindStep): Map<string, string> {
  const forms = new Map<string, string>();
  for (const name of names) {
    const place = placeOf(name, stepOf);
    if (place && 'step' in place && place.path) forms.set(place.step.id, formNamed(place.step) ?? '');
  }
  return forms;
}

/** Returns the possible outcomes of a step; undefined if they are not fixed. */
function outcomes({ type, config }: NamedStep): readonly string[] | undefined {
  if (type === 'approval' || type === 'review' || takesOutcomes(type)) return outcomesOf(type, config);
  return waitsForAnswer({ type, config }) ? answersOf({ config }) : undefined;
}

/** Returns the outcome of a step as a field. */
function outcomeField(name: string, step: NamedStep): Field {
  const known = outcomes(step);
  if (known === undefined) return { id: name, type: 'text' };
  return { id: name, type: 'select', options: [...new Set([...known, 'skipped'])].map((id) => ({ id })) };
}

/** Returns the fields of a form; undefined if its answers may not be read. */
export type FieldsOf = (form: string) => readonly Field[] | undefined;

/**
 * The forms that names are checked against. Without a member its names are accepted. The domain of forms checks the fields of steps. A workflow that no
 * form started has no submission.
 */
export type KnownForms = { fieldsOf?: FieldsOf | undefined; submission?: MappingInputs | undefined };

const asInput = (name: string): MappingInput => ({ schema: {}, needs: [name] });
const asField = (id: string): Field => ({ id, type: 'hidden' });

/** Returns the names that a step can use. `earlier` finds the steps that it depends on, by the ids `steps`. */
export function inputsOfStep(earlier: FindStep, { fieldsOf, submission }: KnownForms, steps: readonly string[] = []): MappingInputs {
  const forms = new Map<string, ReadonlyMap<string, Field>>();
  const fieldNamed = (step: NamedStep, id: string): Field | undefined => {
    const form = formNamed(step) ?? '';
    const fields = forms.get(form) ?? new Map(fieldsOf?.(form)?.map((field) => [field.id, field]));
    forms.set(form, fields);
    return fields.get(id);
  };
  const find = (name: string): MappingInput | undefined => {
    const place = placeOf(name, earlier);
    if (!place) return undefined;
    if ('submission' in place) return submission ? submission.find(place.submission) : { ...asInput(name), label: {} };
    const { step, path } = place;
    if (!path) return inputOf(outcomeField(name, step));
    if (!fieldsOf) return asInput(name);
    const [id, ...parts] = path;
    const field = fieldNamed(step, id);
    const input = field && inputOf({ ...field, id: name });
    return input && parts.length > 0 ? partOfInput(name, input, parts) : input;
  };
  return {
    names: [...steps, ...(submission?.names ?? []).map((name) => (name.startsWith('submission/') ? name : `submission/${name}`))],
    find,
    fieldOf(name) {
      const place = placeOf(name, earlier);
      if (!place) return undefined;
      if ('submission' in place) {
        const field = submission ? submission.fieldOf(place.submission) : asField(name);
        return field && { ...field, id: name };
      }
      const { step, path } = place;
      if (!path) return outcomeField(name, step);
      if (!fieldsOf) return asField(name);
      const field = path.length === 1 ? fieldNamed(step, path[0]) : fieldOfPart(name, find(name));
      return field && { ...field, id: name };
    },
  };
}

/** The answers that names need: those of forms by their step, and those of the submission that started the workflow. */
export type StepAnswers = { forms: ReadonlyMap<string, Readonly<Record<string, unknown>>>; submission: MappingValues | undefined };

type EndedStep = NamedStep & { outcome: string | null };

/** Returns the values of names for a step. */
export function valuesOfStep(earlier: FindStep<EndedStep>, { forms, submission }: StepAnswers): MappingValues {
  return {
    valueOf(name) {
      const place = placeOf(name, earlier);
      if (!place) return undefined;
      if ('submission' in place) return submission?.valueOf(place.submission);
      return place.path ? partOf(forms.get(place.step.id), place.path) : (place.step.outcome ?? undefined);
    },
    labelOf(name) {
      const place = placeOf(name, earlier);
      if (!place) return undefined;
      if ('submission' in place) return submission?.labelOf(place.submission);
      return place.path ? undefined : (place.step.outcome ?? undefined);
    },
  };
}
