import { isDate, isDatetime, isTime } from './calendar.ts';
import { placeOf } from './conditions.ts';
import { countries, currencies } from './codes.ts';
import { type Field, type FieldType, isList, isRecord, type Validation } from './field.ts';
import { exactDigits, isExact, isNumber } from './numbers.ts';
import { optionsById } from './options.ts';

/** A broken rule, with the limit that its message names. `at` is the position inside the answer. */
export type Breach = { rule: BrokenRule; limit?: number | string; at?: string };

/** All rules that an answer can break: its type, or a member of `validation`. */
export type BrokenRule =
  | 'required'
  | 'text'
  | 'characters'
  | 'number'
  | 'integer'
  | 'digits'
  | 'yesNo'
  | 'list'
  | 'option'
  | 'duplicate'
  | 'email'
  | 'phone'
  | 'url'
  | 'country'
  | 'currency'
  | 'money'
  | 'date'
  | 'time'
  | 'datetime'
  | 'address'
  | 'upload'
  | 'record'
  | 'signature'
  | 'consent'
  | 'min'
  | 'max'
  | 'step'
  | 'minLength'
  | 'maxLength'
  | 'lines'
  | 'pattern'
  | 'patternTime'
  | 'minItems'
  | 'maxItems'
  | 'accept'
  | 'maxSizeMb';

/**
 * Returns whether a complete text matches a pattern; undefined if the CPU time limit ended the check.
 * Pages have no pattern engine: the server checks patterns.
 */
export type Matches = (pattern: string, text: string) => boolean | undefined;

/** Maximum lengths of texts without `maxLength`, in characters. */
export const longest: Partial<Record<FieldType, number>> = { text: 1_000, textarea: 10_000, email: 254, phone: 40, url: 2_048 };

/** Maximum lines of an answer, and of all answers of a form. Short lines would otherwise produce a document of hundreds of pages. */
export const maxLines = { ofOne: 1_000, ofAll: 4_000 } as const;

/** Counts the lines of an answer after the first. */
export const furtherLines = (value: unknown): number => (typeof value === 'string' ? value.split('\n').length - 1 : 0);

/** Returns the broken rules of a non-empty answer. Never throws, for any value. */
export function breachesOf(field: Field, value: unknown, matches: Matches): Breach[] {
  if (isList(field)) return listBreaches(field, value);
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'phone':
    case 'url':
      return textBreaches(field, value, matches);
    case 'number':
    case 'integer':
      return numberBreaches(field, value);
    case 'money':
      return moneyBreaches(field, value);
    case 'date':
    case 'time':
    case 'datetime':
      return momentBreaches(field.type, field.validation ?? {}, value);
    case 'boolean':
      return typeof value === 'boolean' ? [] : [{ rule: 'yesNo' }];
    case 'consent':
    case 'checkbox':
      return value === true ? [] : [{ rule: field.type === 'consent' ? 'consent' : 'yesNo' }];
    case 'address':
      return addressBreaches(value);
    case 'signature':
      return signatureBreaches(value);
    case 'hidden':
    case 'heading':
      return [];
    default:
      return itemBreaches(field, value);
  }
}

const control = /[\p{Cc}\p{Cs}]/u;
const controlButLines = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** Returns whether a text has no control characters and no lone surrogates. */
function isPlain(text: string, lines = false): boolean {
  return !(lines ? controlButLines : control).test(text);
}

function textBreaches({ type, validation = {} }: Field, value: unknown, matches: Matches): Breach[] {
  if (typeof value !== 'string') return [{ rule: 'text' }];
  if (!isPlain(value, type === 'textarea')) return [{ rule: 'characters' }];
  const most = validation.maxLength ?? longest[type] ?? 1_000;
  // Counted only when necessary: there are never more code points than code units.
  const length = value.length > most || validation.minLength !== undefined ? Array.from(value).length : 0;
  if (length > most) return [{ rule: 'maxLength', limit: most }];
  if (validation.minLength !== undefined && length < validation.minLength) return [{ rule: 'minLength', limit: validation.minLength }];
  if (furtherLines(value) >= maxLines.ofOne) return [{ rule: 'lines', limit: maxLines.ofOne }];
  const known = kinds[type];
  if (known && !known.is(value)) return [{ rule: known.rule }];
  const fits = validation.pattern === undefined || matches(validation.pattern, value);
  return fits ? [] : [{ rule: fits === undefined ? 'patternTime' : 'pattern' }];
}

const kinds: Partial<Record<FieldType, { rule: BrokenRule; is: (text: string) => boolean }>> = {
  email: { rule: 'email', is: isEmail },
  phone: { rule: 'phone', is: isPhone },
  url: { rule: 'url', is: isWebAddress },
};

/** Checks for a name, one `@`, and a domain with a dot. Only a mail can verify more. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || name.length > 64 || /[\s@"(),:;<>[\]\\]/.test(name) || name.startsWith('.') || name.endsWith('.')) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label));
}

function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return /^\+?[\d\s()./-]+$/.test(text) && digits >= 4 && digits <= 15;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}

function numberBreaches({ type, validation = {} }: Field, value: unknown): Breach[] {
  if (typeof value === 'string' && isNumber(value) && !isExact(value)) return [{ rule: 'digits', limit: exactDigits }];
  if (typeof value !== 'number' || !Number.isFinite(value)) return [{ rule: type === 'integer' ? 'integer' : 'number' }];
  if (type === 'integer' && !Number.isSafeInteger(value))
    return [Number.isInteger(value) ? { rule: 'digits', limit: exactDigits } : { rule: 'integer' }];
  return rangeBreaches(validation, value);
}

/** @param digits the number as the user typed it, if known: an amount can have more digits than a double */
function rangeBreaches(validation: Validation, value: number | string, digits?: string): Breach[] {
  const { min, max, step } = validation;
  const at = placeOf(value);
  if (min !== undefined && isBefore(at, placeOf(min))) return [{ rule: 'min', limit: min }];
  if (max !== undefined && isBefore(placeOf(max), at)) return [{ rule: 'max', limit: max }];
  if (step === undefined || typeof value !== 'number') return [];
  return isMultiple(digits ?? digitsOf(value), typeof min === 'number' ? min : 0, step) ? [] : [{ rule: 'step', limit: step }];
}

const isBefore = (a: number | string | undefined, b: number | string | undefined) =>
  typeof a === typeof b && a !== undefined && b !== undefined && a < b;

/** Removes rounding errors of calculations: 0.1 + 0.2 becomes 0.3. */
const digitsOf = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));

/** Maximum digits of the exact calculation. Pairs that need more digits, such as 1e300 and 0.1, are calculated as doubles. */
const maxDigits = 60;

/**
 * Returns whether a number is a whole number of steps from another, by exact decimal arithmetic. With doubles 0.3 / 0.1 is less than 3,
 * and for large numbers the rounding error can exceed the step.
 */
function isMultiple(digits: string, from: number, step: number): boolean {
  const parts = [digits, String(from), String(step)].map((written) => {
    const [, sign = '', whole = '0', decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(written) ?? [];
    return { digits: BigInt(`${sign}${whole}${decimals}`), exponent: Number(exponent) - decimals.length };
  });
  const least = Math.min(...parts.map(({ exponent }) => exponent));
  if (parts.some(({ exponent }) => exponent - least > maxDigits)) return Number.isInteger((Number(digits) - from) / step);
  const [at = 0n, begin = 0n, each = 1n] = parts.map((part) => part.digits * 10n ** BigInt(part.exponent - least));
  return (at - begin) % each === 0n;
}

const amount = /^-?\d{1,15}(?:\.\d{1,4})?$/;

function moneyBreaches({ options, validation = {} }: Field, value: unknown): Breach[] {
  if (!isRecord(value) || typeof value.amount !== 'string' || !amount.test(value.amount) || !hasOnly(value, ['amount', 'currency']))
    return [{ rule: 'money' }];
  const { currency } = value;
  const known = options ? options.some(({ id }) => id === currency) : typeof currency === 'string' && currencies().has(currency);
  return known ? rangeBreaches(validation, Number(value.amount), value.amount) : [{ rule: 'currency', at: '/currency' }];
}

const moments = { date: isDate, time: isTime, datetime: isDatetime };

function momentBreaches(type: keyof typeof moments, validation: Validation, value: unknown): Breach[] {
  return typeof value === 'string' && moments[type](value) ? rangeBreaches(validation, value) : [{ rule: type }];
}

const addressTexts = ['value', 'street', 'city', 'region', 'postalCode', 'country'];

function addressBreaches(value: unknown): Breach[] {
  if (!isRecord(value) || typeof value.value !== 'string' || !hasOnly(value, [...addressTexts, 'latitude', 'longitude']))
    return [{ rule: 'address' }];
  const place = [value.latitude ?? 0, value.longitude ?? 0];
  if (!place.every((one) => typeof one === 'number' && Math.abs(one) <= 180)) return [{ rule: 'address' }];
  return addressTexts.flatMap((name): Breach[] => {
    const text = value[name] ?? '';
    if (typeof text !== 'string') return [{ rule: 'text', at: `/${name}` }];
    if (Array.from(text).length > 500) return [{ rule: 'maxLength', limit: 500, at: `/${name}` }];
    return isPlain(text, true) ? [] : [{ rule: 'characters', at: `/${name}` }];
  });
}

function signatureBreaches(value: unknown): Breach[] {
  if (!isRecord(value) || !hasOnly(value, ['name', 'fileId'])) return [{ rule: 'signature' }];
  const { name, fileId } = value;
  if (name === undefined && fileId === undefined) return [{ rule: 'signature' }];
  if (fileId !== undefined && !isIdentifier(fileId)) return [{ rule: 'upload', at: '/fileId' }];
  if (name === undefined) return [];
  if (typeof name !== 'string') return [{ rule: 'text', at: '/name' }];
  if (Array.from(name).length > 255) return [{ rule: 'maxLength', limit: 255, at: '/name' }];
  return isPlain(name) ? [] : [{ rule: 'characters', at: '/name' }];
}

const hasOnly = (value: object, names: readonly string[]) => Object.keys(value).every((name) => names.includes(name));

function listBreaches(field: Field, value: unknown): Breach[] {
  if (!Array.isArray(value)) return [{ rule: 'list' }];
  const { minItems = 0, maxItems = field.options?.length ?? 1 } = field.validation ?? {};
  if (value.length > maxItems) return [{ rule: 'maxItems', limit: maxItems }];
  if (value.length < minItems) return [{ rule: 'minItems', limit: minItems }];
  const seen = new Set<unknown>();
  return value.flatMap((item: unknown, place): Breach[] => {
    const breach: Breach | undefined = seen.has(item) ? { rule: 'duplicate' } : itemBreaches(field, item)[0];
    seen.add(item);
    return breach ? [{ ...breach, at: `/${place}` }] : [];
  });
}

/** Checks one choice: an option, a country, an upload or a record. */
function itemBreaches({ type, options }: Field, value: unknown): Breach[] {
  if (type === 'file') return isIdentifier(value) ? [] : [{ rule: 'upload' }];
  if (type === 'registry') return isIdentifier(value) ? [] : [{ rule: 'record' }];
  if (type === 'country') return typeof value === 'string' && countries.has(value) ? [] : [{ rule: 'country' }];
  return options && typeof value === 'string' && optionsById(options).has(value) ? [] : [{ rule: 'option' }];
}

/** Returns whether a value is an identifier of this service. */
export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value);
}
