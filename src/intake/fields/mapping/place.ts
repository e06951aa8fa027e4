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
export const misfit = (reason: string, example?: unknown, never = false): Fit => ({
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
  'x-answer-range',
]);

/** Returns a keyword of a schema that containment does not interpret. */
export const foreignKeyword = (schema: JsonSchema, root: JsonSchema): string | undefined =>
  Object.keys(schema).find((name) => !understood.has(name) && !isAnnotation(name) && !(name === '$id' && schema === root));

/** The levels of schemas and the references to follow. */
export const maxDepth = 40;

/**
 * Follows the local references of a schema. Returns undefined for a reference to another document, and for a reference
 * beside other keywords.
 */
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

/** Returns all values of a source if they are few. */
export function finiteValues(source: JsonSchema): readonly unknown[] | undefined {
  if ('const' in source) return [source.const];
  if (Array.isArray(source.enum)) return source.enum as unknown[];
  return source.type === 'boolean' ? [true, false] : undefined;
}

export const listOf = (type: unknown): unknown[] => (type === undefined ? [] : [type].flat());

export const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

export const membersOf = (properties: unknown): Map<string, unknown> => new Map(isRecord(properties) ? Object.entries(properties) : []);

/**
 * Returns whether an object accepts members that its schema does not name. It does if the schema names none, allows others, or has a keyword
 * that is not interpreted.
 */
export const acceptsOthers = (place: JsonSchema, root: JsonSchema): boolean =>
  foreignKeyword(place, root) !== undefined ||
  (place.additionalProperties !== undefined && place.additionalProperties !== false) ||
  membersOf(place.properties).size === 0;

/** Returns the default of a place. Validation fills it in. */
export function defaultOf(schema: unknown, root: JsonSchema): unknown {
  const place = isRecord(schema) && 'default' in schema ? schema : resolvePlace(schema, root);
  return isRecord(place) ? place.default : undefined;
}
