import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '../../../platform/http/known-members.ts';
import { checkCondition } from '../condition-check.ts';
import { type Condition, type Field, visibleFields } from '../engine/index.ts';
import { isRecord } from '../engine/field.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { DefinitionError } from '../limits.ts';
import {
  allOf,
  contains,
  defaultFits,
  defaultOf,
  edgesOf,
  finiteValues,
  type Fit,
  foreignKeyword,
  membersOf,
  maxEdges,
  resolvePlace,
  unproven,
} from './containment.ts';
import type { MappingInput, MappingInputs } from './inputs.ts';
import {
  type Conversion,
  conversions,
  converted,
  type Mapping,
  mappingLimits,
  namesInSource,
  namesInText,
  partsOfText,
  type ValueSource,
} from './source.ts';

/** An error or a warning of a mapping. `example` is the JSON of a value that the place rejects. */
export type MappingFinding = DefinitionError & { example?: string };

/** The result for one place of a target. */
export type PlaceFit = { path: string; fit: Fit };

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

const finding = (pointer: string, reason: string, rule: string): MappingFinding => ({
  name: pointer.slice(pointer.lastIndexOf('/') + 1),
  pointer,
  reason,
  rule,
});

const didYouMean = (name: string, known: Iterable<string>) => {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
};

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

/** Returns the errors in the shape and the names of a mapping. It accepts any value. `at` is its pointer. */
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
  if (!known || id === name) return [finding(at, `names no answer: ${shown}${didYouMean(name, names)}`, 'reference')];
  const parts = [...membersOf(known.schema.properties).keys()].map((part) => `${id}/${part}`);
  return [finding(at, `names no part of \`${id}\`: ${shown}${didYouMean(name, parts)}`, 'reference')];
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

/** Returns the errors of a condition on the names of a mapping. */
export function checkWhen(when: unknown, at: string, { fieldOf, names }: MappingInputs): MappingFinding[] {
  const unknown = (name: string) => `names no answer: ${name.slice(0, 100)}${didYouMean(name, names)}`;
  return checkCondition(when, { at, name: 'when', get: fieldOf, unknown });
}

/** The known results of conditions at the place of a source. */
type KnownResults = { holding: readonly Condition[]; failing: readonly Condition[] };

/** Returns the fields that have an answer if the condition has the result. */
function answeredBy(condition: Condition, result: boolean): ReadonlySet<string> {
  if ('not' in condition) return answeredBy(condition.not, !result);
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : undefined;
  if (parts) {
    const sets = parts.map((part) => answeredBy(part, result));
    if ('all' in condition === result) return new Set(sets.flatMap((set) => [...set]));
    return new Set([...(sets[0] ?? [])].filter((name) => sets.every((set) => set.has(name))));
  }
  if (!('field' in condition)) return new Set();
  // A missing answer equals no value.
  const isAnswered = 'empty' in condition ? condition.empty !== result : 'ne' in condition ? !result : result;
  return new Set(isAnswered ? [condition.field] : []);
}

const conjuncts = (condition: Condition): Condition[] => ('all' in condition ? condition.all.flatMap(conjuncts) : [condition]);

/** Returns the names that can lack a value under the facts. */
function missingUnder(needs: readonly string[], { holding, failing }: KnownResults, { fieldOf }: MappingInputs): string[] {
  const answered = new Set([
    ...holding.flatMap((one) => [...answeredBy(one, true)]),
    ...failing.flatMap((one) => [...answeredBy(one, false)]),
  ]);
  const facts = holding.flatMap(conjuncts);
  const isVisible = (condition: Condition) => conjuncts(condition).every((one) => facts.some((fact) => isDeepStrictEqual(fact, one)));
  return needs.filter((name) => {
    const field = fieldOf(name);
    const isRequired = field?.required === true && field.visibleIf !== undefined && isVisible(field.visibleIf);
    return !answered.has(name) && !isRequired;
  });
}

type DescribedSource = { schema: JsonSchema; needs: readonly string[]; unsure: readonly string[] };

/** Returns the schema of all values of a source, and the names that it needs. The names are valid. */
function describeSource(source: ValueSource, inputs: MappingInputs, facts: KnownResults): DescribedSource {
  if ('value' in source) return { schema: { const: source.value }, needs: [], unsure: [] };
  if ('first' in source) return describeFirst(source, inputs, facts);
  const used = namesInSource(source).flatMap((name) => inputs.find(name) ?? []);
  const needs = missingUnder(
    used.flatMap((input) => input.needs),
    facts,
    inputs,
  );
  const unsure = used.flatMap((input) => input.unsure ?? []);
  const [input = { schema: {}, needs: [] }] = used;
  if ('label' in source) return { schema: input.label ?? {}, needs, unsure };
  if ('text' in source) return { schema: textSchemaOf(source.text, inputs), needs, unsure };
  return { schema: convertedSchema(input, source.as), needs, unsure };
}

function describeFirst(
  source: Extract<ValueSource, { first: unknown }>,
  inputs: MappingInputs,
  { holding, failing }: KnownResults,
): DescribedSource {
  const earlier: Condition[] = [...failing];
  const branches: DescribedSource[] = [];
  for (const { when, then } of source.first) {
    branches.push(describeSource(then, inputs, { holding: [...holding, when], failing: [...earlier] }));
    earlier.push(when);
  }
  if (source.else) branches.push(describeSource(source.else, inputs, { holding, failing: earlier }));
  const isAlways = source.else !== undefined && branches.every(({ needs }) => needs.length === 0);
  return {
    schema: { anyOf: branches.map(({ schema }) => schema) },
    // Equal sources have values for the same submissions.
    needs: isAlways ? [] : [JSON.stringify(source)],
    unsure: branches.flatMap(({ unsure }) => unsure),
  };
}

function textSchemaOf(text: string, inputs: MappingInputs): JsonSchema {
  const parts = partsOfText(text).map((part, place) =>
    place % 2 === 0 ? { const: part } : plainSchema(inputs.find(part.trim())?.schema ?? {}),
  );
  const lengths = parts.map(lengthsOf);
  const isLine = parts.every((part) => part['x-answer-line'] === true || finiteValues(part)?.every((one) => !/\p{Cc}/u.test(String(one))));
  return {
    type: 'string',
    minLength: lengths.reduce((sum, [least]) => sum + least, 0),
    maxLength: lengths.reduce((sum, [, most]) => sum + most, 0),
    ...(isLine ? { 'x-answer-line': true } : {}),
  };
}

function lengthsOf(schema: JsonSchema): [number, number] {
  const values = finiteValues(schema);
  if (!values) return [Number(schema.minLength), Number(schema.maxLength)];
  const lengths = values.map((one) => Array.from(String(one)).length);
  return [Math.min(...lengths), Math.max(...lengths)];
}

/** The longest text of a number. */
const numberLength = 25;

/** Returns the schema of a value as text: see `plainText`. */
function plainSchema(schema: JsonSchema): JsonSchema {
  const values = finiteValues(schema);
  if (values?.every((one) => typeof one !== 'object')) return { enum: values.map(String) };
  const line = { type: 'string', 'x-answer-line': true };
  if (schema.type === 'string') return schema;
  if (schema.type === 'number' || schema.type === 'integer') return { ...line, minLength: 1, maxLength: numberLength };
  const members = membersOf(schema.properties);
  if (members.has('amount')) return { ...line, minLength: 5, maxLength: 25 };
  if (members.has('value')) return { type: 'string', minLength: 1, maxLength: 500 };
  if (members.has('name')) return { ...line, minLength: 0, maxLength: 255 };
  if (schema.type !== 'array') return { type: 'string', minLength: 0, maxLength: 64 * 1024 };
  const [least, most] = lengthsOf(plainSchema(schema.items as JsonSchema));
  const [fewest, longest] = [Number(schema.minItems ?? 1), Number(schema.maxItems ?? 1)];
  return { ...line, minLength: least * fewest + 2 * (fewest - 1), maxLength: most * longest + 2 * (longest - 1) };
}

/** The longest amount: a number cannot represent it. */
const longAmount = { const: '999999999999999.9999' };

/** Returns the schema of converted values. A text without a number stays a text. */
function convertedSchema({ schema }: MappingInput, as: Conversion | undefined): JsonSchema {
  if (as === undefined) return schema;
  if (as === 'text') return plainSchema(schema);
  const values = finiteValues(schema);
  if (values) return { enum: values.map((one) => converted(one, as)) };
  if (schema.type === 'integer' || schema.type === 'number') return schema;
  if (isRecord(schema['x-number'])) return schema['x-number'];
  if (schema.format === 'x-amount') return { anyOf: [{ type: 'number' }, longAmount] };
  // A pattern can allow numbers only.
  return schema['x-patterns'] === undefined ? { anyOf: [{ type: 'number' }, schema] } : {};
}

/** The schema of the values of a mapping. `called` names the target in reasons. */
export type MappingTarget = { schema: JsonSchema; called: string };

type Walk = {
  mapping: Mapping;
  inputs: MappingInputs;
  target: MappingTarget;
  at: string;
  facts: KnownResults;
  errors: MappingFinding[];
  places: PlaceFit[];
};
type PathTree = Map<string, PathTree | { path: string; source: DescribedSource }>;

/**
 * Compares a mapping with its target. `errors` prevent publication: unknown places, places that no answer fits, and required places that
 * can be empty. `places` has the result of each place. The mapping has a valid shape. `when` is the condition under which it is used.
 */
export function compareMapping(
  mapping: Mapping,
  { inputs, target, at, when }: { inputs: MappingInputs; target: MappingTarget; at: string; when?: Condition | undefined },
): { errors: MappingFinding[]; places: PlaceFit[] } {
  const facts = { holding: when === undefined ? [] : [when], failing: [] };
  const walk: Walk = { mapping, inputs, target, at, facts, errors: [], places: [] };
  const tree: PathTree = new Map();
  for (const [path, source] of Object.entries(mapping)) {
    let node = tree;
    const names = path.split('.');
    for (const name of names.slice(0, -1)) {
      const child = node.get(name);
      const next: PathTree = child instanceof Map ? child : new Map();
      node.set(name, next);
      node = next;
    }
    node.set(names.at(-1) ?? '', { path, source: describeSource(source, inputs, facts) });
  }
  walkObject(walk, tree, target.schema, '', [[]]);
  return { errors: walk.errors, places: walk.places };
}

const needsOf = (child: PathTree | { source: DescribedSource }): (readonly string[])[] =>
  child instanceof Map ? Array.from(child.values(), needsOf).flat() : [child.source.needs];

/** Whether a value exists in each case in which its object does. Each case is the set of names that have a value. */
const isPresent = (child: PathTree | { source: DescribedSource }, cases: readonly (readonly string[])[]): boolean =>
  cases.every((names) => needsOf(child).some((needs) => needs.every((need) => names.includes(need))));

function walkObject(walk: Walk, node: PathTree, schema: unknown, path: string, cases: (readonly string[])[]): void {
  const { target, errors, places, at } = walk;
  const root = target.schema;
  const place = resolvePlace(schema, root);
  const pointer = (name: string) => `${at}/${escaped(path === '' ? name : `${path}.${name}`)}`;
  if (place === undefined || place === true) {
    places.push({ path, fit: unproven('the schema of this place is not interpreted') });
    return;
  }
  if (place === false || (place.type !== undefined && ![place.type].flat().includes('object'))) {
    for (const name of node.keys())
      errors.push(finding(pointer(name), `is no place of ${target.called}: \`${path}\` has no members`, 'place'));
    return;
  }
  const foreign = foreignKeyword(place, root);
  const rules = [foreign, 'enum' in place ? 'enum' : undefined, 'const' in place ? 'const' : undefined].find((one) => one !== undefined);
  if (rules !== undefined) places.push({ path, fit: unproven(`\`${rules}\` is not compared`) });
  const taken = membersOf(place.properties);
  for (const name of [place.required ?? []].flat().map(String))
    checkRequired(walk, node.get(name), { schema: taken.get(name), pointer: pointer(name), cases });
  for (const [name, one] of taken)
    if (!node.has(name)) pushUnlessProven(places, path === '' ? name : `${path}.${name}`, defaultFits(one, root));
  for (const [name, child] of node) {
    if (taken.has(name)) walkChild(walk, child, taken.get(name), path === '' ? name : `${path}.${name}`);
    else if (
      foreign !== undefined ||
      (place.additionalProperties !== undefined && place.additionalProperties !== false) ||
      taken.size === 0
    )
      places.push({ path: path === '' ? name : `${path}.${name}`, fit: unproven('the schema does not name this place') });
    else errors.push(finding(pointer(name), `is no place of ${target.called}${didYouMean(name, taken.keys())}`, 'place'));
  }
}

function pushUnlessProven(places: PlaceFit[], path: string, fit: Fit): void {
  if (fit.is !== 'proven') places.push({ path, fit });
}

function checkRequired(
  { errors, target }: Walk,
  child: ReturnType<PathTree['get']>,
  { schema, pointer, cases }: { schema: unknown; pointer: string; cases: (readonly string[])[] },
): void {
  if (child !== undefined && isPresent(child, cases)) return;
  if (defaultOf(schema, target.schema) !== undefined) return;
  if (child === undefined)
    errors.push(finding(pointer, `is required by ${target.called}, and the mapping has no value for it`, 'required'));
  else
    errors.push({
      ...finding(
        pointer,
        `is required by ${target.called}, and can have no value; add \`first\` with \`else\`, or make its answer required`,
        'required',
      ),
      example: 'null',
    });
}

function walkChild(walk: Walk, child: PathTree | { path: string; source: DescribedSource }, schema: unknown, path: string): void {
  const { target, places, errors, at } = walk;
  if (child instanceof Map) {
    walkObject(walk, child, schema, path, needsOf(child));
    return;
  }
  const { source } = child;
  const fits = [contains(source.schema, schema, target.schema), ...source.unsure.map(unproven)];
  if (source.needs.length > 0) fits.push(defaultFits(schema, target.schema));
  const fit = allOf(fits);
  places.push({ path, fit });
  if (fit.is === 'misfit' && fit.never)
    errors.push(withExample(finding(`${at}/${escaped(path)}`, `never fits ${target.called}: ${fit.reason}`, 'misfit'), fit.example));
}

const maxExample = 100;

export function withExample(one: MappingFinding, example: unknown): MappingFinding {
  if (example === undefined) return one;
  const text = JSON.stringify(example);
  return { ...one, example: text.length > maxExample ? `${text.slice(0, maxExample)}…` : text };
}

/** Returns the places that are not proven as warnings, without those with errors. */
export function warningsOf(places: readonly PlaceFit[], at: string, called: string): MappingFinding[] {
  return places.flatMap(({ path, fit }) => {
    if (fit.is === 'proven' || (fit.is === 'misfit' && fit.never)) return [];
    const pointer = path === '' ? at : `${at}/${escaped(path)}`;
    if (fit.is === 'unproven') return [finding(pointer, `can be invalid for ${called}: ${fit.reason}`, 'unproven')];
    return [withExample(finding(pointer, `can be invalid for ${called}: ${fit.reason}`, 'misfit'), fit.example)];
  });
}

const maxTries = 300;
const maxTryBytes = 2 * 1024 * 1024;

/** Returns answers at the limits of the fields that a mapping uses: one after the other, and each optional one absent. */
export function edgeAnswers(fields: readonly Field[], names: Iterable<string>, inputs: MappingInputs): Record<string, unknown>[] {
  const used = new Set(Array.from(names, (name) => name.split('/')[0] ?? ''));
  const known = fields.flatMap((field) => {
    const input = used.has(field.id) ? inputs.find(field.id) : undefined;
    return input ? [{ field, isOptional: input.needs.length > 0, edges: edgesOf(input.schema).slice(0, maxEdges) }] : [];
  });
  const base = Object.fromEntries(known.map(({ field, edges }) => [field.id, edges[0]]));
  const tries = [base, Object.fromEntries(known.flatMap(({ field, isOptional, edges }) => (isOptional ? [] : [[field.id, edges[0]]])))];
  for (const { field, isOptional, edges } of known) {
    for (const edge of edges.slice(1)) tries.push({ ...base, [field.id]: edge });
    if (isOptional) tries.push(Object.fromEntries(Object.entries(base).filter(([id]) => id !== field.id)));
  }
  let bytes = 0;
  const kept = tries.slice(0, maxTries).filter((one) => (bytes += JSON.stringify(one).length) <= maxTryBytes);
  return kept.map((one) => {
    const visible = visibleFields(fields, one);
    return Object.fromEntries(Object.entries(one).filter(([id]) => visible.has(id)));
  });
}
