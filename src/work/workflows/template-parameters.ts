import { isUuid } from '../../platform/identifiers.ts';
import { fieldError } from '../../platform/problems.ts';
import { workflowProblems } from './problems.ts';
import type { Parameter, StepInput, TemplateStep } from './schemas.ts';
import { stepRows } from './step-rows.ts';

type ParameterValue = string | number | boolean;
type Values = ReadonlyMap<string, ParameterValue>;

// Space around a name is cut off afterwards: a pattern that looks for it as well tries each way to divide a long row of spaces.
const placeholder = /\{\{([^{}]*)\}\}/g;
const whole = /^\{\{([^{}]*)\}\}$/;
/** A value of each type that fits wherever one of the type may stand: steps are checked with these when they are saved. */
const samples: Readonly<Record<Parameter['type'], ParameterValue>> = {
  text: 'text',
  date: '2030-01-01',
  user: '00000000-0000-7000-8000-000000000000',
  number: 1,
  boolean: true,
};
const sampleAddress = 'text@example.org';
const maxText = 2_000;

/** What is wrong with a value for a parameter; nothing where it fits. */
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

/** The parameters that a value names, each with its place, and whether it stands there alone. */
function namedIn(value: unknown, at: string): { name: string; at: string; alone: boolean }[] {
  if (typeof value === 'string') {
    const alone = whole.test(value);
    return [...value.matchAll(placeholder)].map(([, name = '']) => ({ name: name.trim(), at, alone }));
  }
  if (Array.isArray(value)) return value.flatMap((one: unknown, index) => namedIn(one, `${at}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, one]) => namedIn(one, `${at}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`));
}

/** Members of a step that say what it is, and stand as they are written. */
const fixed = /^\/steps\/\d+\/(?:id|type|mode|dependsOn)(?:\/|$)/;
const ofSigner = /^\/steps\/\d+\/config\/signers\/\d+\/email$/;
const ofPeople = /^\/steps\/\d+\/(?:assignedTo$|assignees\/)/;

/**
 * Looks whether steps and the parameters that they name fit together, and whether the steps are what steps of a workflow are once these have values. Returns
 * them with such values. Errors: 422 `workflow_steps_invalid`, with the pointer of each member that is wrong.
 * `stored` names the steps that the template has already.
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
      const twice = byName.get(one.name) !== one ? [fieldError(`/parameters/${at}/name`, 'is there twice', 'unique')] : [];
      const wrong = one.default === undefined ? undefined : valueError(one, one.default);
      return [...twice, ...(wrong === undefined ? [] : [fieldError(`/parameters/${at}/default`, wrong, 'type')])];
    }),
    ...named.flatMap(({ name, at, alone }) => {
      const type = byName.get(name)?.type;
      if (type === undefined) return [fieldError(at, `names no parameter of the template: ${name.slice(0, 100)}`, 'parameter')];
      if (fixed.test(at)) return [fieldError(at, 'takes no parameter', 'parameter')];
      if (ofPeople.test(at) && !(alone && type === 'user'))
        return [fieldError(at, 'takes a parameter of type user, and nothing beside it', 'parameter')];
      if (at.endsWith('/dueInDays') && !(alone && type === 'number'))
        return [fieldError(at, 'takes a parameter of type number', 'parameter')];
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
  // A text that stands where an address does is tried out as one.
  const addresses = new Set(named.filter(({ at }) => ofSigner.test(at)).map(({ name }) => name));
  const sample = ({ name, type }: Parameter) => (type === 'text' && addresses.has(name) ? sampleAddress : samples[type]);
  return stepRows(fill(steps, new Map(parameters.map((one) => [one.name, one.default ?? sample(one)]))), stored);
}

/** The value of each parameter: as given, or what it is without. Errors: 422 `template_parameters_invalid`. */
export function valuesOf(parameters: readonly Parameter[], given: Readonly<Record<string, unknown>>): Values {
  const values = new Map<string, ParameterValue>();
  const pointer = (name: string) => `/parameters/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const errors = Object.keys(given).flatMap((name) =>
    parameters.some((one) => one.name === name) ? [] : [fieldError(pointer(name), 'is no parameter of the template', 'parameter')],
  );
  for (const one of parameters) {
    const value = Object.hasOwn(given, one.name) ? given[one.name] : one.default;
    const wrong = value === undefined ? (one.required === true ? 'is needed' : undefined) : valueError(one, value);
    if (wrong !== undefined) errors.push(fieldError(pointer(one.name), wrong, value === undefined ? 'required' : 'type'));
    else if (value !== undefined) values.set(one.name, value as ParameterValue);
  }
  const [first] = errors;
  if (first) throw workflowProblems.template_parameters_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
  return values;
}

/** Characters that values come to in the steps of one workflow at most, which is as many as it has in all. */
const maxFilled = 256 * 1024;

/**
 * Steps with values in the place of parameters. What stands there alone becomes the value as it is, and is left out where there is none; values name
 * no others. Errors: 422 `workflow_steps_invalid` where values that are named again and again come to more than a workflow has.
 */
export function fill(steps: readonly TemplateStep[], values: Values): StepInput[] {
  let room = maxFilled;
  const valueOf = (name: string): ParameterValue | undefined => {
    const value = values.get(name.trim());
    room -= String(value ?? '').length;
    if (room < 0)
      throw workflowProblems.workflow_steps_invalid(
        `With these values the steps take more than ${maxFilled / 1024} KiB. Give shorter ones, or name them in fewer places.`,
      );
    return value;
  };
  return filled(steps, valueOf) as StepInput[];
}

function filled(value: unknown, valueOf: (name: string) => ParameterValue | undefined): unknown {
  if (typeof value === 'string') {
    const alone = whole.exec(value)?.[1];
    if (alone !== undefined) return valueOf(alone);
    return value.replaceAll(placeholder, (_, name: string) => String(valueOf(name) ?? ''));
  }
  if (Array.isArray(value)) return value.map((one: unknown) => filled(one, valueOf)).filter((one) => one !== undefined);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([member, one]): [string, unknown] => [member, filled(one, valueOf)]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}
