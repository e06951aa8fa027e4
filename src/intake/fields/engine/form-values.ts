import { type Answers, type Field, isList } from './field.ts';
import { numberOf } from './numbers.ts';

/**
 * Converts the names and texts of a plain HTML form to answers. The name of a control is the id of its field, or `id.part` for the parts of
 * an amount, an address or a signature. Values that cannot be parsed stay texts, and the validation reports them.
 *
 * @param locale the language of the page, which determines the decimal separator
 * @param by the origin of the values: a link always has decimal points, and a person may type the separators of the language
 */
export function answersFromForm(
  fields: readonly Field[],
  entries: Iterable<readonly [string, string]>,
  locale: string,
  by: 'hand' | 'link' = 'hand',
): Answers {
  const sent = new Map<string, string[]>();
  for (const [name, text] of entries) sent.set(name, [...(sent.get(name) ?? []), text]);
  const one = (name: string) => sent.get(name)?.at(-1) ?? '';
  const plain = (text: string) => plainNumber(text, locale, by);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = isList(field) ? (sent.get(field.id) ?? []).filter((text) => text !== '') : readOne(field, one, plain);
      return value === undefined || value === '' ? [] : [[field.id, value]];
    }),
  );
}

const parts = {
  address: ['value', 'street', 'city', 'region', 'postalCode', 'country'],
  signature: ['name', 'fileId'],
} as const;

type Reads = (text: string) => string;

function readOne(field: Field, one: Reads, numberIn: Reads): unknown {
  const { id, type } = field;
  const text = one(id);
  switch (type) {
    case 'number':
    case 'integer': {
      const plain = numberIn(text);
      return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? numberOf(plain) : text;
    }
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'consent':
    case 'checkbox':
      return text !== '' && text !== 'false';
    case 'money': {
      const amount = numberIn(one(`${id}.amount`));
      return amount === '' ? undefined : { amount, currency: one(`${id}.currency`) };
    }
    case 'address':
    case 'signature': {
      const given = parts[type].map((part) => [part, one(`${id}.${part}`)] as const).filter(([, value]) => value.trim() !== '');
      return given.length === 0 ? text : Object.fromEntries(given);
    }
    default:
      return text;
  }
}

const zeros = ['\u0660', '\u06f0', '\u0966', '\uff10'];

/** Converts a number in several scripts and formats to the JSON format. */
function plainNumber(text: string, locale: string, by: 'hand' | 'link'): string {
  const digits = text.trim().replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (digit) => {
    const zero = zeros.findLast((one) => one <= digit) ?? '0';
    return String((digit.codePointAt(0) ?? 0) - (zero.codePointAt(0) ?? 0));
  });
  const plain = digits
    .replaceAll('\u066b', '.')
    .replaceAll(/[\s\u066c\u2019']/g, '')
    .replace('\u2212', '-');
  const { group, decimal } = marksOf(locale);
  // In a language with 1.234,50 the text 1.234 means more than a thousand; in a language with 1,234.50 it means a little more than one.
  const whole = by === 'hand' && isGrouped(plain, group, decimal) ? plain.replaceAll(group, '') : plain;
  return decimal === ',' && /^[+-]?\d+,\d+$/.test(whole) ? whole.replace(',', '.') : whole;
}

function isGrouped(text: string, group: string, decimal: string): boolean {
  const [whole = '', rest = '', ...more] = text.split(decimal);
  const [first = '', ...groups] = whole.split(group);
  const grouped = groups.length > 0 && /^[+-]?[1-9]\d{0,2}$/.test(first) && groups.every((one) => /^\d{3}$/.test(one));
  return grouped && more.length === 0 && (text === whole || /^\d+$/.test(rest));
}

type Marks = { group: string; decimal: string };

/** Returns the group and decimal separators of a language; those of English if the language is unknown. */
function marksOf(locale: string): Marks {
  try {
    const shown = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1_234_567.5);
    const mark = (type: string) => shown.find((part) => part.type === type)?.value;
    return { group: mark('group') ?? ',', decimal: mark('decimal') ?? '.' };
  } catch {
    return { group: ',', decimal: '.' };
  }
}

/** Formats an amount for the locale, in a format that {@link answersFromForm} reads. */
export function localAmount(amount: string, locale: string): string {
  return /^-?\d+\.\d+$/.test(amount) ? amount.replace('.', marksOf(locale).decimal === ',' ? ',' : '.') : amount;
}
