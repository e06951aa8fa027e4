import type { TObject } from 'typebox';
import { cutText } from '../text.ts';

/** The same shape with texts of at most so many characters and lists of at most so many members. */
export function cut(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cutText(value, most);
  if (Array.isArray(value)) return value.slice(0, most).map((one) => cut(one, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, cut(one, most)]));
}

/** Bytes of an entry's data at most: an entry stays for good. */
export const maxEntryBytes = 16 * 1024;

/**
 * What an entry keeps of its data, as JSON: all of it where it is at most 16 KiB, as every act of the service is. Should one
 * ever carry more, texts and lists are cut, and `dataTruncated` says so: the change is not lost for that.
 */
export function entryData(data: object): string {
  let text = JSON.stringify(data);
  for (let most = 1_024; Buffer.byteLength(text) > maxEntryBytes && most >= 1; most /= 4)
    text = JSON.stringify({ ...(cut(data, most) as object), dataTruncated: true });
  if (Buffer.byteLength(text) <= maxEntryBytes) return text;
  // Nothing but members, very many: their names are left, as far as they fit.
  return JSON.stringify({
    members: Object.keys(data)
      .slice(0, 64)
      .map((member) => cutText(member, 64)),
    dataTruncated: true,
  });
}

/** The members that a type knows: what somebody sent under other names is written nowhere. */
export function knownMembers(type: TObject, data: object): object {
  if ('additionalProperties' in type && type.additionalProperties === true) return data;
  return Object.fromEntries(Object.entries(data).filter(([member]) => Object.hasOwn(type.properties, member)));
}
