import { didYouMean } from '../../../platform/http/known-members.ts';
import { checkCondition } from '../condition-check.ts';
import { isRecord } from '../engine/field.ts';
import { escaped, finding, type MappingFinding } from './finding.ts';
import type { MappingInputs } from './inputs.ts';
import { membersOf } from './place.ts';
import { type Conversion, conversions, mappingLimits, namesInText, partsOfText } from './source.ts';

/** Counts the sources of all mappings of a definition. */
export type SourceCount = { left: number };
export const countSources = (): SourceCount => ({ left: mappingLimits.sources });

const membersOfSource: Readonly<Record<string, readonly string[]>> = {
  from: ['from', 'as'],
  text: ['text'],
  value: ['value'],
  label: ['label'],
  first: ['first', 'else'],
};
const kinds = Object.keys(membersOfSource);
const validPath = /^[^.\s][^.]{0,63}(?:\.[^.\s][^.]{0,63}){0,7}$/;

type Checking = { inputs: MappingInputs; count: SourceCount };

/**
 * Returns the errors in the structure of a mapping, and its unknown names. It accepts any value. `at` is the JSON
 * pointer of the mapping.
 */
export function checkMappingShape(mapping: unknown, at: string, checking: Checking): MappingFinding[] {
  if (!isRecord(mapping)) return [finding(at, 'must be an object with a source for each value', 'type')];
  const paths = Object.keys(mapping);
  const overlaps = paths.filter((one) => paths.some((other) => one.startsWith(`${other}.`)));
  return [
    ...overlaps.map((one) => finding(`${at}/${escaped(one)}`, 'is a part of another place of this mapping', 'unique')),
    ...Object.entries(mapping).flatMap(([one, source]) =>
      validPath.test(one)
        ? checkSource(source, `${at}/${escaped(one)}`, checking)
        : [finding(`${at}/${escaped(one.slice(0, 100))}`, 'is not a path such as `party.name`', 'path')],
    ),
  ];
}

/** Returns the errors of one source. */
export function checkSource(source: unknown, at: string, checking: Checking, depth = 1): MappingFinding[] {
  if (depth > mappingLimits.depth) return [finding(at, `has more than ${mappingLimits.depth} levels`, 'depth')];
  checking.count.left -= 1;
  if (checking.count.left < 0)
    return checking.count.left === -1 ? [finding(at, `is more than ${mappingLimits.sources} sources in one definition`, 'maxItems')] : [];
  if (!isRecord(source)) return [finding(at, `must be an object with one of ${kinds.join(', ')}`, 'type')];
  const named = kinds.filter((kind) => Object.hasOwn(source, kind));
  const [kind] = named;
  if (kind === undefined || named.length > 1) return wrongKind(source, at, named);
  const allowed = membersOfSource[kind] ?? [];
  const unknown = Object.keys(source).filter((name) => !allowed.includes(name));
  if (unknown.length > 0)
    return unknown.map((name) => finding(`${at}/${escaped(name.slice(0, 64))}`, `is unknown${didYouMean(name, allowed)}`, 'unknown'));
  return checkKind(kind, source, at, checking, depth);
}

function wrongKind(source: Record<string, unknown>, at: string, named: readonly string[]): MappingFinding[] {
  const [first] = Object.keys(source);
  if (named.length > 1 || first === undefined) return [finding(at, `must have exactly one of ${kinds.join(', ')}`, 'oneOf')];
  return [finding(`${at}/${escaped(first.slice(0, 64))}`, `is unknown${didYouMean(first, kinds)}`, 'unknown')];
}

function checkKind(kind: string, source: Record<string, unknown>, at: string, checking: Checking, depth: number): MappingFinding[] {
  if (kind === 'value')
    return source.value === undefined || source.value === null ? [finding(`${at}/value`, 'must not be null', 'type')] : [];
  if (kind === 'first') return checkFirst(source, at, checking, depth);
  const value = source[kind];
  if (typeof value !== 'string' || value.length === 0 || value.length > mappingLimits.text)
    return [finding(`${at}/${kind}`, `must be a text with 1 to ${mappingLimits.text} characters`, 'type')];
  if (kind === 'text') return checkText(value, `${at}/text`, checking.inputs);
  if (kind === 'label') return checkLabel(value, `${at}/label`, checking.inputs);
  const conversion = source.as === undefined || conversions.includes(source.as as Conversion);
  return [
    ...checkName(value, `${at}/from`, checking.inputs),
    ...(conversion ? [] : [finding(`${at}/as`, `must be one of ${conversions.join(', ')}`, 'enum')]),
  ];
}

function checkName(name: string, at: string, { find, names }: MappingInputs): MappingFinding[] {
  if (find(name)) return [];
  const shown = name.slice(0, 100);
  const [id = ''] = name.split('/');
  const known = find(id);
  if (!known || id === name) return [finding(at, `does not name an answer: ${shown}${didYouMean(name, names)}`, 'reference')];
  const parts = [...membersOf(known.schema.properties).keys()].map((part) => `${id}/${part}`);
  return [finding(at, `does not name a part of \`${id}\`: ${shown}${didYouMean(name, parts)}`, 'reference')];
}

function checkText(text: string, at: string, inputs: MappingInputs): MappingFinding[] {
  const isOpen = partsOfText(text).some((part, place) => place % 2 === 0 && /\{\{|\}\}/.test(part));
  if (isOpen) return [finding(at, 'has `{{` or `}}` that encloses no name, such as `{{company}}`', 'placeholder')];
  return namesInText(text).flatMap((name) => checkName(name, at, inputs));
}

function checkLabel(name: string, at: string, inputs: MappingInputs): MappingFinding[] {
  const wrong = checkName(name, at, inputs);
  return wrong.length > 0 || inputs.find(name)?.label ? wrong : [finding(at, `has no text for people: ${name.slice(0, 100)}`, 'reference')];
}

function checkFirst(source: Record<string, unknown>, at: string, checking: Checking, depth: number): MappingFinding[] {
  const { first } = source;
  if (!Array.isArray(first) || first.length === 0 || first.length > 100)
    return [finding(`${at}/first`, 'must be a list of 1 to 100 branches', 'type')];
  const branches = first.flatMap((branch: unknown, place) => checkBranch(branch, `${at}/first/${place}`, checking, depth));
  return Object.hasOwn(source, 'else') ? [...branches, ...checkSource(source.else, `${at}/else`, checking, depth + 1)] : branches;
}

const branchMembers = ['when', 'then'];

function checkBranch(branch: unknown, at: string, checking: Checking, depth: number): MappingFinding[] {
  if (!isRecord(branch)) return [finding(at, 'must have `when` and `then`', 'type')];
  const unknown = Object.keys(branch).find((name) => !branchMembers.includes(name));
  if (unknown !== undefined)
    return [finding(`${at}/${escaped(unknown.slice(0, 64))}`, `is unknown${didYouMean(unknown, branchMembers)}`, 'unknown')];
  return [...checkWhen(branch.when, `${at}/when`, checking.inputs), ...checkSource(branch.then, `${at}/then`, checking, depth + 1)];
}

/** Returns the errors of a condition on the answers and outcomes that a mapping can use. */
export function checkWhen(when: unknown, at: string, { fieldOf, names }: MappingInputs): MappingFinding[] {
  const unknown = (name: string) => `does not name an answer: ${name.slice(0, 100)}${didYouMean(name, names)}`;
  return checkCondition(when, { at, name: 'when', get: fieldOf, unknown });
}
