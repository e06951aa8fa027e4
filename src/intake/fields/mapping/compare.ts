import { didYouMean } from '../../../platform/http/known-members.ts';
import { type Condition, type Field, visibleFields } from '../engine/index.ts';
import type { JsonSchema } from '../json-schema.ts';
import { defaultFits } from './accepts.ts';
import { contains } from './containment.ts';
import { type DescribedSource, describeSource, type KnownResults } from './describe.ts';
import { edgesOf, maxEdges } from './edges.ts';
import { escaped, finding, type MappingFinding, withExample } from './finding.ts';
import { type MappingInputs, nameInForm } from './inputs.ts';
import { acceptsOthers, allOf, defaultOf, type Fit, foreignKeyword, membersOf, resolvePlace, unproven } from './place.ts';
import type { Mapping } from './source.ts';

/** The result for one place of a target. */
export type PlaceFit = { path: string; fit: Fit };

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
 * can be empty. `places` has the result of each place. The caller has checked the shape of the mapping. `when` is the condition under which it is used.
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
      errors.push(finding(pointer(name), `is not a place of ${target.called}: \`${path}\` has no members`, 'place'));
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
    else if (acceptsOthers(place, root))
      places.push({ path: path === '' ? name : `${path}.${name}`, fit: unproven('the schema does not name this place') });
    else errors.push(finding(pointer(name), `is not a place of ${target.called}${didYouMean(name, taken.keys(), path)}`, 'place'));
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
    errors.push(
      finding(
        pointer,
        `is required by ${target.called}, and can have no value; add \`first\` with \`else\`, or make its answer required`,
        'required',
      ),
    );
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
    errors.push(
      withExample(finding(`${at}/${escaped(path)}`, `never fits ${target.called}: ${fit.reason}${usePart(source)}`, 'misfit'), fit.example),
    );
}

const usePart = ({ parts = [] }: DescribedSource): string =>
  parts.length === 0 ? '' : `; use a part: ${parts.map((part) => `\`${part}\``).join(', ')}`;

/** Returns a warning for each place that has no error but is not proven to accept all values. */
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

/**
 * Returns answers at the limits of the fields that a mapping uses. Each set changes one field, or omits an optional one.
 */
export function edgeAnswers(fields: readonly Field[], names: Iterable<string>, inputs: MappingInputs): Record<string, unknown>[] {
  const used = new Set(Array.from(names).flatMap((name) => [name, nameInForm(name)].map((one) => one.split('/')[0] ?? '')));
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
