import { type Answers, type Field, isList } from './field.ts';

/**
 * Answers from what a plain HTML form sends: pairs of a control's name and its text. A control is named by the id of its field, the
 * parts of an amount, an address or a signature by `id.part`. What cannot be read stays the text it is, for the rules to name.
 * @param locale The page's language: where it writes decimals with a comma, so may who answers.
 */
export function answersFromForm(fields: readonly Field[], entries: Iterable<readonly [string, string]>, locale: string): Answers {
  const sent = new Map<string, string[]>();
  for (const [name, text] of entries) sent.set(name, [...(sent.get(name) ?? []), text]);
  const one = (name: string) => sent.get(name)?.at(-1) ?? '';
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = isList(field) ? (sent.get(field.id) ?? []).filter((text) => text !== '') : readOne(field, one, locale);
      return value === undefined || value === '' ? [] : [[field.id, value]];
    }),
  );
}

const parts = {
  address: ['value', 'street', 'city', 'region', 'postalCode', 'country'],
  signature: ['name', 'fileId'],
} as const;

function readOne(field: Field, one: (name: string) => string, locale: string): unknown {
  const { id, type } = field;
  const text = one(id);
  switch (type) {
    case 'number':
    case 'integer': {
      const plain = plainNumber(text, locale);
      return /^[+-]?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : text;
    }
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    case 'consent':
    case 'checkbox':
      return text !== '' && text !== 'false';
    case 'money': {
      const amount = plainNumber(one(`${id}.amount`), locale);
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

/** A number as people write it, in the digits of several scripts, as JSON would have it. */
function plainNumber(text: string, locale: string): string {
  const digits = text.trim().replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (digit) => {
    const zero = zeros.findLast((one) => one <= digit) ?? '0';
    return String((digit.codePointAt(0) ?? 0) - (zero.codePointAt(0) ?? 0));
  });
  const plain = digits
    .replaceAll('\u066b', '.')
    .replaceAll(/[\s\u066c\u2019']/g, '')
    .replace('\u2212', '-');
  if (!writesComma(locale)) return plain;
  return /^[+-]?\d+,\d+$/.test(plain) ? plain.replace(',', '.') : plain;
}

function writesComma(locale: string): boolean {
  try {
    return new Intl.NumberFormat(locale).format(1.5).includes(',');
  } catch {
    return false;
  }
}
