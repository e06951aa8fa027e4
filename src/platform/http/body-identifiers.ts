import { isUuid } from '../identifiers.ts';

/**
 * Members with the UUID of a user or a resource of the service. Identifiers of other systems (an external document, a passkey) and of
 * callers (a step) are stored and returned as sent.
 */
const named = /^(?!(?:document|external|raw|credential|step)Ids?$)\w+Ids?$|^assign(?:edTo|ees?)$/;

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; allOf?: Schema[] };

/**
 * Converts UUIDs in a body to lower case, as PostgreSQL writes them, if a schema defines the member. Identifiers are then compared as text. Members
 * without a schema, such as metadata, stay unchanged.
 */
export function lowerIdentifiers(schema: Schema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) lowerIdentifiers(part, value);
  if (Array.isArray(value)) {
    if (schema.items) for (const item of value) lowerIdentifiers(schema.items, item);
    return;
  }
  const members = value as Record<string, unknown>;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(members, name)) continue;
    if (named.test(name)) members[name] = lowered(members[name]);
    else lowerIdentifiers(property, members[name]);
  }
}

/** Converts an identifier, a list or an object of lists to lower case. Returns other values unchanged. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lowered(item)]));
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : value;
}
