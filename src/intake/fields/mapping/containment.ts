import { isDeepStrictEqual } from 'node:util';
import { isRecord, ownMember } from '../engine/field.ts';
import type { JsonSchema } from '../json-schema.ts';

/**
 * The comparison of a source with a place. `proven`: all values are valid. `misfit`: the example is not. `unproven`: a rule, such as a pattern, is
 * not compared. `never`: no value is valid.
 */
export type Fit =
  | { is: 'proven' }
  | { is: 'unproven'; reason: string }
  | { is: 'misfit'; reason: string; example?: unknown; never: boolean };

export const proven: Fit = { is: 'proven' };
export const unproven = (reason: string): Fit => ({ is: 'unproven', reason });
const misfit = (reason: string, example?: unknown, never = false): Fit => ({
  is: 'misfit',
  reason,
  never,
  ...(example === undefined ? {} : { example }),
});

const annotations = new Set(['title', 'description', 'default', 'examples', '$comment', 'deprecated', 'readOnly', 'writeOnly', '$schema']);
const isAnnotation = (name: string) =>
  annotations.has(name) || name === '$defs' || name === 'definitions' || (name.startsWith('x-') && !name.startsWith('x-answer-'));

const understood = new Set([
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'x-answer-line',
]);

/** Returns a keyword of a schema that containment does not interpret. */
export const foreignKeyword = (schema: JsonSchema, root: JsonSchema): string | undefined =>
  Object.keys(schema).find((name) => !understood.has(name) && !isAnnotation(name) && !(name === '$id' && schema === root));

const maxDepth = 40;

/** Follows local references. Returns undefined for a reference elsewhere, or one beside other keywords. */
export function resolvePlace(schema: unknown, root: JsonSchema): JsonSchema | boolean | undefined {
  let place = schema;
  for (let hops = 0; hops < maxDepth; hops += 1) {
    if (typeof place === 'boolean') return place;
    if (!isRecord(place)) return undefined;
    if (!Object.hasOwn(place, '$ref')) return place;
    const { $ref, ...beside } = place;
    if (typeof $ref !== 'string' || !$ref.startsWith('#') || Object.keys(beside).some((name) => !isAnnotation(name))) return undefined;
    place = pointed($ref.slice(1), root);
  }
  return undefined;
}

function pointed(pointer: string, root: JsonSchema): unknown {
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const parts = pointer.split('/').slice(1);
  return parts.reduce<unknown>((one, part) => {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(one) ? (one as unknown[])[Number(name)] : isRecord(one) ? ownMember(one, name) : undefined;
  }, root);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Combines the results of several rules for the same values. */
export function allOf(fits: readonly Fit[]): Fit {
  return (
    fits.find((fit) => fit.is === 'misfit' && fit.never) ??
    fits.find(({ is }) => is === 'misfit') ??
    fits.find(({ is }) => is === 'unproven') ??
    proven
  );
}

/** Combines the results of alternatives, of which each submission has one. */
function eachOf(fits: readonly Fit[]): Fit {
  const worst = allOf(fits);
  return worst.is === 'misfit' ? { ...worst, never: fits.every((fit) => fit.is === 'misfit' && fit.never) } : worst;
}

/** Returns all values of a source if they are few. */
export function finiteValues(source: JsonSchema): readonly unknown[] | undefined {
  if ('const' in source) return [source.const];
  if (Array.isArray(source.enum)) return source.enum as unknown[];
  return source.type === 'boolean' ? [true, false] : undefined;
}

/** Compares the values of a source with a place in the schema `root`. It runs no patterns, because schemas are untrusted. */
export function contains(source: JsonSchema, schema: unknown, root: JsonSchema, depth = 0): Fit {
  if (depth > maxDepth) return unproven('the schema has too many levels');
  if (Array.isArray(source.anyOf)) return eachOf((source.anyOf as JsonSchema[]).map((one) => contains(one, schema, root, depth + 1)));
  const values = finiteValues(source);
  if (values) return containsAll(values, schema, root);
  const place = resolvePlace(schema, root);
  if (place === undefined) return unproven('the schema has a reference that cannot be followed');
  if (typeof place === 'boolean') return place ? proven : misfit('no value is allowed', undefined, true);
  const foreign = foreignKeyword(place, root);
  return allOf([
    fitsType(source, place),
    fitsChoice(source, place),
    fitsRules(source, place, root, depth),
    ...(foreign === undefined ? [] : [unproven(`\`${foreign}\` is not compared`)]),
  ]);
}

function containsAll(values: readonly unknown[], schema: unknown, root: JsonSchema): Fit {
  const results = values.map((value) => ({ value, is: accepts(value, schema, root) }));
  const wrong = results.find(({ is }) => is === false);
  if (wrong)
    return misfit(
      'is not a valid value',
      wrong.value,
      results.every(({ is }) => is === false),
    );
  return results.every(({ is }) => is === true) ? proven : unproven('the schema has rules that are tested with values only');
}

const listOf = (type: unknown): unknown[] => (type === undefined ? [] : [type].flat());

function fitsType(source: JsonSchema, { type }: JsonSchema): Fit {
  const types = listOf(type);
  const own = source.type;
  if (typeof own !== 'string') return types.length === 0 ? proven : unproven('the type of the answer is not known');
  if (types.length === 0 || types.includes(own) || (own === 'integer' && types.includes('number'))) return proven;
  const wanted = types.map(String).join(' or ');
  return misfit(
    `is of type ${own}, not ${wanted}`,
    edgesOf(source).find((one) => !acceptsType(one, { type })),
    !(own === 'number' && types.includes('integer')),
  );
}

function fitsChoice(source: JsonSchema, place: JsonSchema): Fit {
  const choices = finiteValues({ ...('const' in place ? { const: place.const } : {}), ...('enum' in place ? { enum: place.enum } : {}) });
  if (!choices) return proven;
  return misfit(
    'is not one of the allowed values',
    edgesOf(source).find((one) => !choices.includes(one)),
    choices.every((choice) => accepts(choice, source, source) === false),
  );
}

function fitsRules(source: JsonSchema, place: JsonSchema, root: JsonSchema, depth: number): Fit {
  if (source.type === 'string') return fitsText(source, place);
  if (source.type === 'number' || source.type === 'integer') return fitsNumber(source, place);
  if (source.type === 'array') return fitsList(source, place, root, depth);
  if (source.type === 'object') return fitsObject(source, place, root, depth);
  return unproven('the type of the answer is not known');
}

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

function fitsText(source: JsonSchema, place: JsonSchema): Fit {
  const [shortest, longest] = [number(source.minLength, 0), number(source.maxLength, Number.POSITIVE_INFINITY)];
  const [least, most] = [number(place.minLength, 0), number(place.maxLength, Number.POSITIVE_INFINITY)];
  const fits: Fit[] = [];
  if (shortest < least) fits.push(misfit(`can be shorter than ${least} characters`, textOf(source, shortest), longest < least));
  if (longest > most)
    fits.push(misfit(`can be longer than ${most} characters`, textOf(source, Math.min(longest, most + 1)), shortest > most));
  if (place.pattern !== undefined && !listOf(source['x-patterns'] ?? source.pattern).includes(place.pattern))
    fits.push(unproven('the place has a pattern'));
  if (place.format !== undefined && place.format !== source.format)
    fits.push(unproven(`the place has the format ${JSON.stringify(place.format)}`));
  if (place['x-answer-line'] === true && source['x-answer-line'] !== true) fits.push(unproven('the place takes one line of text'));
  return allOf(fits);
}

function fitsNumber(source: JsonSchema, place: JsonSchema): Fit {
  const low = number(source.minimum, Number.NEGATIVE_INFINITY);
  const high = number(source.maximum, Number.POSITIVE_INFINITY);
  const fits: Fit[] = [];
  const below = (bound: number, isExclusive: boolean) => {
    if (low < bound || (isExclusive && low === bound))
      fits.push(
        misfit(`can be less than ${bound}`, Number.isFinite(low) ? low : bound - 1, high < bound || (isExclusive && high === bound)),
      );
  };
  const above = (bound: number, isExclusive: boolean) => {
    if (high > bound || (isExclusive && high === bound))
      fits.push(
        misfit(`can be more than ${bound}`, Number.isFinite(high) ? high : bound + 1, low > bound || (isExclusive && low === bound)),
      );
  };
  if (typeof place.minimum === 'number') below(place.minimum, false);
  if (typeof place.exclusiveMinimum === 'number') below(place.exclusiveMinimum, true);
  if (typeof place.maximum === 'number') above(place.maximum, false);
  if (typeof place.exclusiveMaximum === 'number') above(place.exclusiveMaximum, true);
  if (place.multipleOf !== undefined && !(place.multipleOf === 1 && source.type === 'integer'))
    fits.push(unproven('the place takes multiples only'));
  return allOf(fits);
}

function fitsList(source: JsonSchema, place: JsonSchema, root: JsonSchema, depth: number): Fit {
  const [fewest, longest] = [number(source.minItems, 0), number(source.maxItems, Number.POSITIVE_INFINITY)];
  const [least, most] = [number(place.minItems, 0), number(place.maxItems, Number.POSITIVE_INFINITY)];
  const fits: Fit[] = [];
  if (fewest < least) fits.push(misfit(`can have fewer than ${least} values`, undefined, longest < least));
  if (longest > most) fits.push(misfit(`can have more than ${most} values`, undefined, fewest > most));
  if (place.uniqueItems === true && source.uniqueItems !== true) fits.push(unproven('the place takes different values only'));
  if (place.items !== undefined) {
    const each = contains(source.items as JsonSchema, place.items, root, depth + 1);
    fits.push(each.is === 'misfit' ? { ...each, never: each.never && fewest > 0 } : each);
  }
  return allOf(fits);
}

function fitsObject(source: JsonSchema, place: JsonSchema, root: JsonSchema, depth: number): Fit {
  const own = membersOf(source.properties);
  const taken = membersOf(place.properties);
  const always = new Set(listOf(source.required));
  const fits: Fit[] = [];
  for (const name of listOf(place.required).map(String)) {
    if (always.has(name) || defaultOf(taken.get(name), root) !== undefined) continue;
    fits.push(misfit(own.has(name) ? `can lack \`${name}\`` : `has no \`${name}\``, undefined, !own.has(name)));
  }
  for (const [name, schema] of own) {
    const fit = taken.has(name) ? contains(schema as JsonSchema, taken.get(name), root, depth + 1) : further(name, place);
    fits.push(fit.is === 'misfit' ? { ...fit, never: fit.never && always.has(name) } : fit);
  }
  for (const [name, schema] of taken) if (!always.has(name)) fits.push(defaultFits(schema, root));
  return allOf(fits);
}

export const membersOf = (properties: unknown): Map<string, unknown> => new Map(isRecord(properties) ? Object.entries(properties) : []);

/** Returns the result for a member that `properties` does not name. */
function further(name: string, { additionalProperties }: JsonSchema): Fit {
  if (additionalProperties === undefined || additionalProperties === true) return proven;
  return additionalProperties === false
    ? misfit(`has \`${name}\`, which is not allowed`, undefined, true)
    : unproven('it is an additional member');
}

/** Returns the default of a place. Validation fills it in. */
export function defaultOf(schema: unknown, root: JsonSchema): unknown {
  const place = isRecord(schema) && 'default' in schema ? schema : resolvePlace(schema, root);
  return isRecord(place) ? place.default : undefined;
}

/** The default of an absent member must be valid. */
export function defaultFits(schema: unknown, root: JsonSchema): Fit {
  const value = defaultOf(schema, root);
  return value === undefined || accepts(value, schema, root) === true ? proven : unproven('its default can be invalid');
}

/** Returns whether a value is valid; undefined if a rule is not interpreted here. */
export function accepts(value: unknown, schema: unknown, root: JsonSchema, depth = 0): boolean | undefined {
  const place = depth > maxDepth ? undefined : resolvePlace(schema, root);
  if (place === undefined || typeof place === 'boolean') return place;
  const results = [
    acceptsType(value, place),
    !('const' in place) || isDeepStrictEqual(place.const, value),
    !Array.isArray(place.enum) || place.enum.some((one) => isDeepStrictEqual(one, value)),
    foreignKeyword(place, root) === undefined ? true : undefined,
    ...acceptsRules(value, place, root, depth),
  ];
  return results.includes(false) ? false : results.includes(undefined) ? undefined : true;
}

function acceptsType(value: unknown, { type }: JsonSchema): boolean {
  const types = listOf(type);
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.length === 0 || types.includes(own) || (types.includes('integer') && Number.isInteger(value));
}

type Verdicts = (boolean | undefined)[];

function acceptsRules(value: unknown, place: JsonSchema, root: JsonSchema, depth: number): Verdicts {
  if (typeof value === 'string') return acceptsText(value, place);
  if (typeof value === 'number') return acceptsNumber(value, place);
  if (Array.isArray(value)) return acceptsList(value as unknown[], place, root, depth);
  return isRecord(value) ? acceptsObject(value, place, root, depth) : [];
}

function acceptsText(value: string, { minLength, maxLength, pattern, format, 'x-answer-line': line }: JsonSchema): Verdicts {
  const { length } = Array.from(value);
  return [
    length >= number(minLength, 0),
    length <= number(maxLength, length),
    pattern === undefined ? true : undefined,
    format === undefined ? true : undefined,
    line === undefined || !/\p{Cc}/u.test(value) ? true : undefined,
  ];
}

function acceptsNumber(value: number, place: JsonSchema): Verdicts {
  const { multipleOf } = place;
  return [
    value >= number(place.minimum, value),
    value <= number(place.maximum, value),
    typeof place.exclusiveMinimum !== 'number' || value > place.exclusiveMinimum,
    typeof place.exclusiveMaximum !== 'number' || value < place.exclusiveMaximum,
    multipleOf === undefined ? true : multipleOf === 1 && Number.isInteger(value) ? true : undefined,
  ];
}

function acceptsList(value: readonly unknown[], place: JsonSchema, root: JsonSchema, depth: number): Verdicts {
  const isScalar = value.every((one) => typeof one !== 'object' || one === null);
  return [
    value.length >= number(place.minItems, 0),
    value.length <= number(place.maxItems, value.length),
    place.uniqueItems !== true || (isScalar ? new Set(value).size === value.length : undefined),
    ...(place.items === undefined ? [] : value.map((one) => accepts(one, place.items, root, depth + 1))),
  ];
}

function acceptsObject(value: Record<string, unknown>, place: JsonSchema, root: JsonSchema, depth: number): Verdicts {
  const taken = membersOf(place.properties);
  const missing = listOf(place.required).some(
    (name) => !Object.hasOwn(value, String(name)) && defaultOf(taken.get(String(name)), root) === undefined,
  );
  const members = Object.entries(value).map(([name, member]) => {
    if (taken.has(name)) return accepts(member, taken.get(name), root, depth + 1);
    const fit = further(name, place);
    return fit.is === 'proven' ? true : fit.is === 'misfit' ? false : undefined;
  });
  const defaults = Array.from(
    taken,
    ([name, schema]) => Object.hasOwn(value, name) || defaultFits(schema, root).is === 'proven' || undefined,
  );
  return [!missing, ...members, ...defaults];
}

const samples: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  uuid: '01999999-0000-7000-8000-000000000002',
  'date-time': '2026-01-31T09:30:00.000Z',
  'x-time': '09:30',
  'x-datetime': '2026-01-31T09:30',
  'x-email': 'a@example.org',
  'x-phone': '+49301234567',
  'x-url': 'https://example.org',
  'x-amount': '12.50',
};

const longestSample = 20_000;

function textOf({ format }: JsonSchema, length: number): string {
  return samples[String(format)] ?? 'x'.repeat(Math.min(length, longestSample));
}

/** Returns values at the limits of a source, and all values of a short list of choices. */
export function edgesOf(source: JsonSchema): unknown[] {
  if (Array.isArray(source.anyOf)) return (source.anyOf as JsonSchema[]).flatMap(edgesOf).slice(0, maxEdges);
  const values = finiteValues(source);
  if (values) return values.slice(0, maxEdges);
  if (source.type === 'string') {
    const shortest = number(source.minLength, 1);
    return [...new Set([textOf(source, shortest), textOf(source, number(source.maxLength, 1_000))])];
  }
  if (source.type === 'number') return numberEdges(source, 0.5);
  if (source.type === 'integer') return numberEdges(source, 0);
  if (source.type === 'array') {
    const each = edgesOf(source.items as JsonSchema);
    const fewest = Math.max(1, number(source.minItems, 1));
    return [each.slice(0, fewest), each.slice(0, number(source.maxItems, each.length))];
  }
  return source.type === 'object' ? objectEdges(source) : [];
}

export const maxEdges = 100;

function numberEdges({ minimum, maximum }: JsonSchema, fraction: number): number[] {
  const low = number(minimum, Math.min(0, number(maximum, 0)));
  const high = number(maximum, Math.max(1_000_000_000, low));
  const between = low + fraction;
  return [...new Set([low, ...(fraction > 0 && between <= high ? [between] : []), high])];
}

function objectEdges({ properties, required }: JsonSchema): unknown[] {
  const always = new Set(listOf(required));
  const all = Array.from(membersOf(properties), ([name, schema]) => [name, edgesOf(schema as JsonSchema)] as const);
  const least = all.filter(([name]) => always.has(name));
  return [
    Object.fromEntries(all.map(([name, edges]) => [name, edges[0]])),
    Object.fromEntries((least.length === 0 ? all : least).map(([name, edges]) => [name, edges.at(-1)])),
  ];
}
