import {
  checkMappingShape,
  checkSource,
  checkWhen,
  countSources,
  inputsOfForm,
  type MappingInputs,
  type SourceCount,
  localesOf,
} from '#fields';
import { didYouMean } from '../../../platform/http/known-members.ts';
import { type FieldError, fieldError } from '../../../platform/problems.ts';
import type { Definition } from '../schemas.ts';
import type { Output } from './schemas.ts';

/** The settings that `then` replaces. */
const replaced = ['createsDocument', 'startsTemplate', 'bindsRegistryTypeId', 'bindsRegistryFields', 'bindsRegistryPending'] as const;

const membersOf: Record<Output['make'], { required: readonly (keyof Output)[]; optional: readonly (keyof Output)[] }> = {
  document: { required: ['templateId', 'values'], optional: ['title'] },
  workflow: { required: ['template'], optional: ['documents', 'parameters', 'title'] },
  record: { required: ['registryId', 'fields'], optional: ['pending'] },
};
const common: readonly (keyof Output)[] = ['id', 'make', 'when', 'needs'];

/** Returns the names that the mappings of a form can use. */
export const inputsOf = ({ fields, publicSettings }: Pick<Definition, 'fields' | 'publicSettings'>): MappingInputs =>
  inputsOfForm({ fields, locales: localesOf({ publicSettings }) });

/** Returns the errors of the outputs of a form that need no look at their templates. */
export function checkOutputs({ fields, publicSettings, config }: Definition): FieldError[] {
  const { then = [] } = config;
  const both = then.length > 0 ? replaced.filter((member) => config[member]) : [];
  const checking = { inputs: inputsOf({ fields, publicSettings }), count: countSources() };
  return [
    ...both.map((member) => fieldError(`/config/${member}`, 'cannot be combined with `then`: make it an output', 'oneOf')),
    ...then.flatMap((output, place) => checkOutput(output, `/config/then/${place}`, then.slice(0, place), checking)),
  ];
}

type Checking = { inputs: MappingInputs; count: SourceCount };

function checkOutput(output: Output, at: string, earlier: readonly Output[], checking: Checking): FieldError[] {
  const { id, make, when, title, values, parameters, fields } = output;
  const { required, optional } = membersOf[make];
  const given = Object.keys(output) as (keyof Output)[];
  const foreign = given.filter((member) => ![...common, ...required, ...optional].includes(member));
  return [
    ...(earlier.some((one) => one.id === id) ? [fieldError(`${at}/id`, `is not unique: ${id}`, 'unique')] : []),
    ...required
      .filter((member) => output[member] === undefined)
      .map((member) => fieldError(`${at}/${member}`, `is required for a ${make}`, 'required')),
    ...foreign.map((member) => fieldError(`${at}/${member}`, `is not a member of a ${make} output`, 'unknown')),
    ...checkNames(output, at, earlier),
    ...(when === undefined ? [] : checkWhen(when, `${at}/when`, checking.inputs)),
    ...(title === undefined ? [] : checkSource(title, `${at}/title`, checking)),
    ...(values === undefined ? [] : checkMappingShape(values, `${at}/values`, checking)),
    ...(parameters === undefined ? [] : checkMappingShape(parameters, `${at}/parameters`, checking)),
    ...(fields === undefined ? [] : checkMappingShape(fields, `${at}/fields`, checking)),
  ];
}

/** An output can name earlier outputs only, so that no output waits for itself. */
function checkNames({ needs = [], documents = [] }: Output, at: string, earlier: readonly Output[]): FieldError[] {
  const names = (member: string, named: readonly string[], known: readonly string[], kind: string) =>
    named.flatMap((name, place) => {
      if (known.includes(name)) return [];
      return [fieldError(`${at}/${member}/${place}`, `does not name an earlier ${kind}: ${name}${didYouMean(name, known)}`, 'reference')];
    });
  const made = earlier.filter(({ make }) => make === 'document').map(({ id }) => id);
  return [
    ...names(
      'needs',
      needs,
      earlier.map(({ id }) => id),
      'output',
    ),
    ...names('documents', documents, made, 'document output'),
  ];
}
