import { problems } from '../../platform/problems.ts';
import { isObject } from '../../platform/json.ts';

const maxBytes = 16 * 1024;

/**
 * Merges the unknown members of a body into the stored metadata (RFC 7396: null removes). At most 16 KiB of JSON. The body may also contain
 * `metadata` as an object, as responses do.
 */
export function mergeMetadata(
  kept: Record<string, unknown>,
  body: Record<string, unknown>,
  known: readonly string[],
): Record<string, unknown> {
  const merged = new Map(Object.entries(kept));
  const given = Object.entries(body).flatMap(([member, value]) => {
    if (known.includes(member)) return [];
    return member === 'metadata' && isObject(value) ? Object.entries(value) : [[member, value] as const];
  });
  for (const [member, value] of given) {
    if (value === null) merged.delete(member);
    else merged.set(member, value);
  }
  const result = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(result)) > maxBytes) {
    throw problems.validation_failed('Unknown members of the body are stored as `metadata`, which has at most 16 KiB of JSON.', {
      errors: [{ name: 'metadata', pointer: '', reason: 'is larger than 16 KiB', rule: 'max_length' }],
    });
  }
  return result;
}
