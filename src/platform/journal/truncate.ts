import type { TObject } from 'typebox';
import { cutText } from '../text.ts';

/** Truncates texts to `most` characters and lists to `most` items, and keeps the structure. */
export function cut(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cutText(value, most);
  if (Array.isArray(value)) return value.slice(0, most).map((one) => cut(one, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, cut(one, most)]));
}

/** Maximum size of the data of an entry in bytes, because entries are never deleted. */
export const maxEntryBytes = 16 * 1024;

/**
 * Returns the data of an entry as JSON. Normal data stay below 16 KiB. In larger data, texts and lists are truncated and `dataTruncated` is set, so
 * that the change does not fail.
 */
export function entryData(data: object): string {
  let text = JSON.stringify(data);
  for (let most = 1_024; Buffer.byteLength(text) > maxEntryBytes && most >= 1; most /= 4)
    text = JSON.stringify({ ...(cut(data, most) as object), dataTruncated: true });
  if (Buffer.byteLength(text) <= maxEntryBytes) return text;
  // Too many members: only their names are kept, as far as they fit.
  return JSON.stringify({
    members: Object.keys(data)
      .slice(0, 64)
      .map((member) => cutText(member, 64)),
    dataTruncated: true,
  });
}

/** Returns the members in the schema of a type, so that unknown members of a request are never stored. */
export function knownMembers(type: TObject, data: object): object {
  if ('additionalProperties' in type && type.additionalProperties === true) return data;
  return Object.fromEntries(Object.entries(data).filter(([member]) => Object.hasOwn(type.properties, member)));
}
