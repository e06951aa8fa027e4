import { isUuid } from '../identifiers.ts';

/**
 * Members that name a person or a thing of the service by its UUID. Those of other systems (a document elsewhere, a passkey) and of
 * callers (a step) are kept and shown as they were sent.
 */
const named = /^(?!(?:document|external|raw|credential|step)Ids?$)\w+Ids?$|^assign(?:edTo|ees?)$/;

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; allOf?: Schema[] };

/**
 * Writes the UUIDs of what was sent as the database writes them, in lower case, where a schema names such a member: identifiers
 * are compared as texts from here on. What a schema does not know, such as metadata, is left as it is.
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

/** An identifier, a list of some, or such lists by name, in lower case; anything else as it is. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lowered(item)]));
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : value;
}
