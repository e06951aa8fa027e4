import { problems } from '../problems.ts';

/** How deep JSON that is taken may nest. */
export const maxDepth = 64;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON body: valid UTF-8 without a byte order mark, at most 64 levels deep, without the members that would reach
 * an object's prototype. An empty body is no body.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let parsed: unknown;
  let spelt: boolean;
  try {
    const text = decoder.decode(bytes);
    // Only a body that spells such a member, escaped or not, pays for the look at each.
    spelt = /__proto__|\\u00|constructor/.test(text);
    parsed = JSON.parse(text);
  } catch {
    throw problems.malformed_json('The body could not be read as JSON. Send one JSON object in UTF-8, without a byte order mark.');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw problems.malformed_json('The body must be one JSON object.');
  if (depthPast(parsed, maxDepth)) throw problems.malformed_json(`The body nests deeper than ${maxDepth} levels.`);
  if (spelt && reachesPrototype(parsed))
    throw problems.malformed_json('The body has a member that no object may have (`__proto__` or `constructor.prototype`). Leave it out.');
  return parsed;
}

/** Whether any object within has such a member. Looked for behind the parser: one that hears of each value takes ten times as long. */
function reachesPrototype(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true;
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null && reachesPrototype(member)) return true;
  const made: unknown = Object.hasOwn(value, 'constructor') ? (value as { constructor: unknown }).constructor : undefined;
  return typeof made === 'object' && made !== null && 'prototype' in made;
}

/** True when a value nests deeper than so many levels. */
export function depthPast(value: object, left: number): boolean {
  if (left === 0) return true;
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && depthPast(member, left - 1)) return true;
  }
  return false;
}
