import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../engine/field.ts';
import type { JsonSchema } from '../json-schema.ts';
import {
  defaultOf,
  type Fit,
  foreignKeyword,
  listOf,
  maxDepth,
  membersOf,
  misfit,
  number,
  proven,
  resolvePlace,
  unproven,
} from './place.ts';

/** Returns whether a value is valid; undefined if a rule is not interpreted here. */
export function accepts(value: unknown, schema: unknown, root: JsonSchema, depth = 0): boolean | undefined {
  const place = depth > maxDepth ? undefined : resolvePlace(schema, root);
  if (place === undefined || typeof place === 'boolean') return place;
  const results = [
    acceptsType(value, place),
    !('const' in place) || isDeepStrictEqual(place.const, value),
    !Array.isArray(place.enum) || place.enum.some((one) => isDeepStrictEqual(one, value)),
    foreignKeyword(place, root) === undefined && place['x-answer-range'] === undefined ? true : undefined,
    ...acceptsRules(value, place, root, depth),
  ];
  return results.includes(false) ? false : results.includes(undefined) ? undefined : true;
}

export function acceptsType(value: unknown, { type }: JsonSchema): boolean {
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

/** Returns whether the default of an absent member is valid. */
export function defaultFits(schema: unknown, root: JsonSchema): Fit {
  const value = defaultOf(schema, root);
  return value === undefined || accepts(value, schema, root) === true ? proven : unproven('its default can be invalid');
}

/** Returns whether a member that `properties` does not name is valid, by `additionalProperties`. */
export function further(name: string, { additionalProperties }: JsonSchema): Fit {
  if (additionalProperties === undefined || additionalProperties === true) return proven;
  return additionalProperties === false
    ? misfit(`has \`${name}\`, which is not allowed`, undefined, true)
    : unproven('it is an additional member');
}
