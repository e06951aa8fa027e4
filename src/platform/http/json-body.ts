import { problems } from '../problems.ts';

/** Maximum nesting depth of JSON bodies. */
export const maxDepth = 64;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON body: valid UTF-8 without a byte order mark, at most 64 levels deep. Rejects members that can change
 * the prototype of an object. An empty body gives undefined.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let parsed: unknown;
  let spelt: boolean;
  try {
    const text = decoder.decode(bytes);
    // Only a body that contains such a name, escaped or not, is searched.
    spelt = /__proto__|\\u00|constructor/.test(text);
    parsed = JSON.parse(text);
  } catch {
    throw problems.malformed_json('The body is not valid JSON. Send one JSON object in UTF-8, without a byte order mark.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw problems.malformed_json('The body must be one JSON object.');
  if (depthPast(parsed, maxDepth)) throw problems.malformed_json(`The body has more than ${maxDepth} nested levels. Send fewer levels.`);
  if (spelt && reachesPrototype(parsed))
    throw problems.malformed_json('The body has a forbidden member (`__proto__` or `constructor.prototype`). Remove it.');
  return parsed;
}

/** Returns whether any nested object has such a member. It runs after the parser, because a reviver function takes ten times as long. */
function reachesPrototype(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true;
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null && reachesPrototype(member)) return true;
  const made: unknown = Object.hasOwn(value, 'constructor') ? (value as { constructor: unknown }).constructor : undefined;
  return typeof made === 'object' && made !== null && 'prototype' in made;
}

/** Returns whether a value has more than `left` nested levels. */
export function depthPast(value: object, left: number): boolean {
  if (left === 0) return true;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof member === 'object' && member !== null && depthPast(member, left - 1)) return true;
  }
  return false;
}
