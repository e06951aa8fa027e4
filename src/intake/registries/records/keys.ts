import { createHash } from 'node:crypto';
import { type Field, isList } from '#fields';
import { nameKey } from '../../../platform/text.ts';
import { wordsOf } from './words.ts';

/** What a record is found and sorted by: for each field texts, whose order (by their bytes) is that of the values. */
export type Keys = Record<string, string[]>;

/** After every text that begins as this one. */
export const last = '\u{10ffff}';
/** Behind a key: what follows is none that is equal, and comes before all that is greater. */
const exactly = '\u0001';
/** Bytes of the part that texts are sorted by: an index takes no long ones, and a cursor holds one. */
const maxBytes = 180;

const marks = /[\u0300-\u036f]/g;
// What JSON would escape takes the room of several; controls have a meaning in keys.
const costly = /["\\\p{Cc}]/gu;

/** The letters that a text is sorted and looked for by: without accents, case or whatever lies behind the first 180 bytes. */
export function folded(text: string): string {
  const plain = nameKey(text).normalize('NFKD').replaceAll(marks, '').normalize('NFC').replaceAll(costly, ' ');
  if (Buffer.byteLength(plain) <= maxBytes) return plain;
  // Half of a character at the end is none.
  return Buffer.from(plain)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd+$/, '');
}

/** The key of a text that counts as equal to those of the same `exact`: by its letters, and by a hash where they do not say all. */
function textKey(text: string, exact: string): string {
  const letters = folded(text);
  if (letters === exact) return letters;
  return `${letters}${exactly}${createHash('sha256').update(exact).digest('base64url').slice(0, 22)}`;
}

/** A number as 16 hexadecimal digits: its bits, those of negative ones turned round. */
export function numberKey(value: number): string {
  const bits = Buffer.alloc(8);
  // There is one nought.
  bits.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bits[0] ?? 0) >= 0x80;
  for (let at = 0; at < 8; at += 1) bits[at] = negative ? 0xff - (bits[at] ?? 0) : (bits[at] ?? 0);
  if (!negative) bits[0] = (bits[0] ?? 0) | 0x80;
  return bits.toString('hex');
}

/** An amount of up to 15 digits and 4 decimals, exactly; that of each currency by itself. */
export function amountKey({ amount, currency }: { amount: string; currency: string }): string {
  const negative = amount.startsWith('-');
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const digits = BigInt(whole + decimals.padEnd(4, '0'));
  const least = 10n ** 19n;
  return `${currency} ${(negative ? least - digits : least + digits).toString().padStart(20, '0')}`;
}

/** Local times without an offset compare as if all were in one time zone, independent of the zone of the machine. */
const wallClock = /T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** Behind it years have five digits, which would stand before all others: an offset leads there from the last day of 9999. */
const last9999 = Date.UTC(9_999, 11, 31, 23, 59, 59, 999);

/** A time as the same instant in UTC, of one length. */
export const instantKey = (value: string): string => {
  const at = Date.parse(wallClock.test(value) ? `${value}Z` : value);
  return Number.isNaN(at) ? value : new Date(Math.min(at, last9999)).toISOString();
};

/** The key of one value; nothing where records are not looked for by such values. */
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

/** Types whose texts are searched by their words. */
const searched: ReadonlySet<Field['type']> = new Set(['text', 'textarea', 'email', 'phone', 'url', 'address', 'number', 'integer']);

/** Under what the words of a field are kept. */
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

/** All that a record with these values is found and sorted by. */
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
