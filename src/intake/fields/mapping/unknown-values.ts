import { unknownNames } from '../../../platform/http/known-members.ts';
import type { FieldError } from '../../../platform/problems.ts';
import { isRecord } from '../engine/field.ts';
import type { JsonSchema } from '../json-schema.ts';
import { acceptsOthers, maxDepth, membersOf, resolvePlace } from './place.ts';

/**
 * Returns an error for each value that the schema does not name, with the nearest name. It is stricter than JSON Schema: without
 * `additionalProperties`, an object accepts only the members that its schema names. `within` is the path of the values in the request.
 */
export const unknownValues = (schema: JsonSchema, values: unknown, within: readonly string[]): FieldError[] =>
  unknownIn(schema, values, within);

function unknownIn(root: JsonSchema, value: unknown, path: readonly string[], schema: unknown = root): FieldError[] {
  const place = path.length > maxDepth ? undefined : resolvePlace(schema, root);
  if (!isRecord(place)) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => unknownIn(root, item, [...path, String(at)], place.items ?? true));
  if (!isRecord(value)) return [];
  const members = membersOf(place.properties);
  const unknown = acceptsOthers(place, root) ? [] : unknownNames(value, members.keys(), path);
  const known = Object.entries(value).filter(([name]) => members.has(name));
  return [...unknown, ...known.flatMap(([name, member]) => unknownIn(root, member, [...path, name], members.get(name)))];
}
