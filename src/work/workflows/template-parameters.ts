import { didYouMean } from '../../platform/http/known-members.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { fieldError } from '../../platform/problems.ts';
import { nameFrom } from '../../platform/text.ts';
import { workflowProblems } from './problems.ts';
import type { Parameter, StepInput, TemplateStep } from './schemas.ts';
import { stepRows } from './step-rows.ts';

type ParameterValue = string | number | boolean;
type ParameterValues = ReadonlyMap<string, ParameterValue>;

// Spaces around a name are trimmed afterwards. A pattern that matches them would backtrack on a long run of spaces.
const placeholder = /\{\{([^{}]*)\}\}/g;
const whole = /^\{\{([^{}]*)\}\}$/;
/** A valid value of each type. The steps of a template are checked with these values when they are stored. */
const samples: Readonly<Record<Parameter['type'], ParameterValue>> = {
  text: 'text',
  date: '2030-01-01',
  user: '00000000-0000-7000-8000-000000000000',
  number: 1,
  boolean: true,
};
const sampleAddress = 'text@example.org';
const maxText = 2_000;

/** Returns the error of a value for a parameter; undefined if it is valid. */
function valueError({ type }: Parameter, value: unknown): string | undefined {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number';
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (typeof value !== 'string') return 'must be a text';
  if (type === 'user') return isUuid(value) ? undefined : 'must be the id of a member';
  if (type === 'date') return isDate(value) ? undefined : 'must be a date such as 2026-12-31';
  return value.length <= maxText && !value.includes('\0') ? undefined : `must have at most ${maxText} characters`;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

/** The texts of mappings, whose placeholders are names of steps and not parameters. */
const ofMapping = /^\/steps\/\d+\/config\/(?:values|fields|title)\/(?:.*\/)?text$/;

/** Returns the parameters in a value. For each, returns its path and whether the text consists only of the parameter. */
function namedIn(value: unknown, at: string): { name: string; at: string; alone: boolean }[] {
  if (ofMapping.test(at)) return [];
  if (typeof value === 'string') {
    const alone = whole.test(value);
    return [...value.matchAll(placeholder)].map(([, name = '']) => ({ name: name.trim(), at, alone }));
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown, index) => namedIn(one, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, one]) => namedIn(one, `${at}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`));
}

/** Members that identify a step. They cannot contain parameters. */
const fixed = /^\/steps\/\d+\/(?:id|type|mode|dependsOn)(?:\/|$)/;
const ofSigner = /^\/steps\/\d+\/config\/signers\/\d+\/email$/;
const ofPeople = /^\/steps\/\d+\/(?:assignedTo$|assignees\/)/;

/**
 * Checks that steps and parameters match, and that the steps are valid with sample values. Returns the steps with these values. `stored` names the
 * steps that the template already has. Errors: 422 `workflow_steps_invalid`, with the pointer of each error.
 */
export function checkTemplate(
  steps: readonly TemplateStep[],
  parameters: readonly Parameter[],
  stored: ReadonlySet<string> = new Set(),
): ReturnType<typeof stepRows> {
  const byName = new Map(parameters.map((one) => [one.name, one]));
  const named = namedIn(steps, '/steps');
  const errors = [
    ...parameters.flatMap((one, at) => {
      const twice = byName.get(one.name) !== one ? [fieldError(`/parameters/${at}/name`, 'must be unique', 'unique')] : [];
      const wrong = one.default === undefined ? undefined : valueError(one, one.default);
      return [...twice, ...(wrong === undefined ? [] : [fieldError(`/parameters/${at}/default`, wrong, 'type')])];
    }),
    ...named.flatMap(({ name, at, alone }) => {
      const type = byName.get(name)?.type;
      if (type === undefined)
        return [fieldError(at, `names an unknown parameter: ${name.slice(0, 100)}${didYouMean(name, byName.keys())}`, 'parameter')];
      if (fixed.test(at)) return [fieldError(at, 'cannot contain a parameter', 'parameter')];
      if (ofPeople.test(at) && !(alone && type === 'user')) return [fieldError(at, 'must be a single parameter of type user', 'parameter')];
      if (at.endsWith('/dueInDays') && !(alone && type === 'number'))
        return [fieldError(at, 'must be a single parameter of type number', 'parameter')];
      return [];
    }),
    ...steps.flatMap(({ dueInDays: days }, at) =>
      typeof days === 'string' && !whole.test(days)
        ? [fieldError(`/steps/${at}/dueInDays`, 'must be a number or a parameter', 'type')]
        : [],
    ),
  ];
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
  return stepRows(filledWithSamples(steps, parameters), stored);
}

/** Returns the steps of a template with the default or a sample for each parameter. */
export function filledWithSamples(steps: readonly TemplateStep[], parameters: readonly Parameter[]): StepInput[] {
  // A text parameter in the place of an address is checked with a sample address.
  const addresses = new Set(namedIn(steps, '/steps').flatMap(({ at, name }) => (ofSigner.test(at) ? [name] : [])));
  const sample = ({ name, type }: Parameter) => (type === 'text' && addresses.has(name) ? sampleAddress : samples[type]);
  return fill(steps, new Map(parameters.map((one) => [one.name, one.default ?? sample(one)])));
}

/** Returns the value of each parameter: the given one or the default. Errors: 422 `template_parameters_invalid`. */
export function valuesOf(parameters: readonly Parameter[], given: Readonly<Record<string, unknown>>): ParameterValues {
  const values = new Map<string, ParameterValue>();
  const pointer = (name: string) => `/parameters/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const known = parameters.map(({ name }) => name);
  const errors = Object.keys(given).flatMap((name) =>
    known.includes(name) ? [] : [fieldError(pointer(name), `is not a parameter of the template${didYouMean(name, known)}`, 'parameter')],
  );
  for (const one of parameters) {
    const value = Object.hasOwn(given, one.name) ? given[one.name] : one.default;
    const wrong = value === undefined ? (one.required === true ? 'is required' : undefined) : valueError(one, value);
    if (wrong !== undefined) errors.push(fieldError(pointer(one.name), wrong, value === undefined ? 'required' : 'type'));
    else if (value !== undefined) values.set(one.name, value as ParameterValue);
  }
  const [first] = errors;
  if (first) throw workflowProblems.template_parameters_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
  return values;
}

/** Maximum number of characters that parameter values add to the steps of one workflow. It equals the limit for all steps of a workflow. */
const maxFilled = 256 * 1024;

/**
 * Replaces parameters in steps by their values. If a text consists only of a parameter, the value replaces the text, also a value of another type.
 * Without a value, the member is removed. Parameters within values are not replaced. Errors: 422 `workflow_steps_invalid` if repeated values exceed
 * the limit of a workflow.
 */
export function fill(steps: readonly TemplateStep[], values: ParameterValues): StepInput[] {
  let room = maxFilled;
  const valueOf = (name: string): ParameterValue | undefined => {
    const value = values.get(name.trim());
    room -= String(value ?? '').length;
    if (room < 0)
      throw workflowProblems.workflow_steps_invalid(
        `With these values the steps exceed ${maxFilled / 1024} KiB. Use shorter values, or use them in fewer places.`,
      );
    return value;
  };
  const result = filled(steps, valueOf, '/steps') as StepInput[];
  // A name has no slash, unlike values such as “Acme A/S”.
  return result.map((step, at) =>
    step.name === undefined || step.name === steps[at]?.name ? step : { ...step, name: nameFrom(step.name) ?? step.name },
  );
}

function filled(value: unknown, valueOf: (name: string) => ParameterValue | undefined, at: string): unknown {
  if (ofMapping.test(at)) return value;
  if (typeof value === 'string') {
    const alone = whole.exec(value)?.[1];
    if (alone !== undefined) return valueOf(alone);
    return value.replaceAll(placeholder, (_, name: string) => String(valueOf(name) ?? ''));
  }
  if (Array.isArray(value))
    return value.map((one: unknown, index) => filled(one, valueOf, `${at}/${index}`)).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([member, one]): [string, unknown] => [
    member,
    filled(one, valueOf, `${at}/${member.replaceAll('/', '~1')}`),
  ]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}
