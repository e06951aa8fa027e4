import { createHash } from 'node:crypto';
import { type Field, isList } from '#fields';
import { nameKey } from '../../../platform/text.ts';
import { wordsOf } from './words.ts';

/** The search and sort keys of a record, by field. Their byte order is the order of the values. */
export type Keys = Record<string, string[]>;

/** Returns a key that sorts after every text with this prefix. */
export const last = '\u{10ffff}';
/** The suffix for the end of a range with one key. A key with this suffix is greater than the key and less than all greater keys. */
const exactly = '\u0001';
/** Maximum bytes of the sort part of a text key, because index entries and cursors must be short. */
const maxBytes = 180;

const marks = /[\u0300-\u036f]/g;
// JSON needs several bytes for these characters, and control characters have a meaning in keys.
const costly = /["\\\p{Cc}]/gu;

/** Folds a text for sorting and searching: without accents and case, cut after 180 bytes. */
export function folded(text: string): string {
  const plain = nameKey(text).normalize('NFKD').replaceAll(marks, '').normalize('NFC').replaceAll(costly, ' ');
  if (Buffer.byteLength(plain) <= maxBytes) return plain;
  // Removes a character that was cut in half.
  return Buffer.from(plain)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '');
}

/** Returns the key of a text. Texts with the same `exact` are equal. A hash is appended if the folded letters differ from `exact`. */
function textKey(text: string, exact: string): string {
  const letters = folded(text);
  if (letters === exact) return letters;
  return `${letters}${exactly}${createHash('sha256').update(exact).digest('base64url').slice(0, 22)}`;
}

/** Encodes a number as 16 hexadecimal digits: its IEEE 754 bits with an adjusted sign, so that byte order is numeric order. */
export function numberKey(value: number): string {
  const bits = Buffer.alloc(8);
  // Zero and negative zero have the same key.
  bits.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bits[0] ?? 0) >= 0x80;
  for (let at = 0; at < 8; at += 1) bits[at] = negative ? 0xff - (bits[at] ?? 0) : (bits[at] ?? 0);
  if (!negative) bits[0] = (bits[0] ?? 0) | 0x80;
  return bits.toString('hex');
}

/** Encodes an amount of up to 15 digits and 4 decimals exactly, after its currency. */
export function amountKey({ amount, currency }: { amount: string; currency: string }): string {
  const negative = amount.startsWith('-');
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const digits = BigInt(whole + decimals.padEnd(4, '0'));
  const least = 10n ** 19n;
  return `${currency} ${(negative ? least - digits : least + digits).toString().padStart(20, '0')}`;
}

/** Converts a local time without an offset as if it were in UTC, independent of the time zone of the machine. */
const wallClock = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** The latest instant. Years with five digits would sort before all others, and an offset can lead from the last day of 9999 to such a year. */
const last9999 = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);

/** Converts a time to the same instant in UTC, in a fixed length. */
export const instantKey = (value: string): string => {
  const at = Date.parse(wallClock.test(value) ? `${value}Z` : value);
  return Number.isNaN(at) ? value : new Date(Math.min(at, last9999)).toISOString();
};

/** Returns the search key of a value; undefined if values of this type cannot be searched. */
export function keyOf(type: Field['type'], value: unknown): string | undefined {
  switch (type) {
    case 'text':
    case 'email':
    case 'phone':
    case 'url':
      return typeof value === 'string' ? textKey(value, nameKey(value)) : undefined;
    case 'number':
    case 'integer':
      return typeof value === 'number' ? numberKey(value) : undefined;
    case 'money':
      return amountKey(value as { amount: string; currency: string });
    case 'datetime':
      return typeof value === 'string' ? instantKey(value) : undefined;
    case 'address':
      return textKey((value as { value: string }).value, nameKey((value as { value: string }).value));
    case 'registry':
      return String(value).toLowerCase();
    case 'boolean':
    case 'checkbox':
      return typeof value === 'string' ? textKey(value, value) : String(value);
    case 'date':
    case 'time':
    case 'select':
    case 'radio':
    case 'multiselect':
    case 'country':
      return typeof value === 'string' ? textKey(value, value) : undefined;
    default:
      return undefined;
  }
}

/** Types whose texts are searched by words. */
const searched: ReadonlySet<Field['type']> = new Set(['text', 'textarea', 'email', 'phone', 'url', 'address', 'number', 'integer']);

/** Returns the index field for the words of a field. */
export const wordsField = (id: string): string => `${id}#`;
export const isSearched = ({ type }: Pick<Field, 'type'>): boolean => searched.has(type);

function wordsIn(type: Field['type'], value: unknown): string[] {
  if (!searched.has(type)) return [];
  return wordsOf(
    type === 'address'
      ? Object.values(value as Record<string, unknown>)
          .filter((one) => typeof one === 'string')
          .join(' ')
      : String(value),
  );
}

/** Returns all keys of a record with these values. */
export function keysOf(fields: readonly Field[], data: Record<string, unknown>): Keys {
  const keys: Keys = {};
  for (const field of fields) {
    const value = data[field.id];
    if (value === undefined) continue;
    const values = isList(field) && Array.isArray(value) ? (value as unknown[]) : [value];
    const own = [...new Set(values.flatMap((one) => keyOf(field.type, one) ?? []))];
    if (own.length > 0) keys[field.id] = own;
    const words = wordsIn(field.type, value);
    if (words.length > 0) keys[wordsField(field.id)] = words;
  }
  return keys;
}
