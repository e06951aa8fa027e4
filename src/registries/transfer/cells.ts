import { type Field, isList, numberOf, optionsById } from '#fields';

/*
 * Values as cells of a table, and back: an import restores what an export wrote. An apostrophe goes before everything that a spreadsheet
 * could read as a formula, and before everything that looks as if it had one already.
 *
 * A spreadsheet that expects semicolons or tabs ignores the quotes of a comma-separated file, since they do not begin its cells: it
 * begins a cell after each semicolon and tab, and a row after each line break. So these places get an apostrophe too.
 */

const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const innerFormula = /([;\t\r\n])(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const escapedInnerFormula = /([;\t\r\n])'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const unescaped = (cell: string) =>
  (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell).replaceAll(escapedInnerFormula, '$1');

/** A text as a cell. Numbers stay as they are: their minus begins no formula. */
const escaped = (text: string) => `${formula.test(text) ? "'" : ''}${text.replaceAll(innerFormula, "$1'")}`;

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value of a field as a cell. */
export function cellOf(field: Field, value: unknown): string {
  if (value === undefined) return '';
  if (isList(field) && Array.isArray(value)) return escaped(value.join('|'));
  switch (field.type) {
    case 'number':
    case 'integer':
    case 'boolean':
      return written(value);
    case 'checkbox':
      return value === true ? 'true' : written(value);
    case 'money': {
      const { amount, currency } = value as { amount: string; currency: string };
      return `${amount} ${currency}`;
    }
    case 'address':
      return escaped(addressCell(value as Record<string, unknown>));
    default:
      return escaped(written(value));
  }
}

/** An address of one text is that text; with parts of its own it is JSON. */
function addressCell(address: Record<string, unknown>): string {
  const plain = typeof address.value === 'string' && Object.keys(address).length === 1 && !address.value.startsWith('{');
  return plain ? String(address.value) : JSON.stringify(address);
}

/** How numbers are written in a file. */
export type Decimal = 'point' | 'comma';

/** What a cell says of a field; what cannot be read stays the text it is, for the rules of the field to name. */
export function valueOf(field: Field, cell: string, decimal: Decimal): unknown {
  const text = unescaped(cell);
  if (text.trim() === '') return undefined;
  if (isList(field)) return text.split('|').map((one) => choiceOf(field, one.trim()));
  switch (field.type) {
    case 'number':
    case 'integer': {
      const plain = numberText(text, decimal);
      return plain === undefined ? text : numberOf(plain);
    }
    case 'boolean':
    case 'checkbox':
      return booleans.get(text.trim().toLowerCase()) ?? text;
    case 'money':
      return moneyOf(field, text, decimal);
    case 'address':
      return addressOf(text);
    case 'select':
    case 'radio':
      return choiceOf(field, text.trim());
    default:
      return text;
  }
}

const booleans = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

/** A number as JSON would have it. */
function numberText(text: string, decimal: Decimal): string | undefined {
  const plain = decimal === 'point' ? text.trim() : text.trim().replaceAll('.', '').replace(',', '.');
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(plain) ? plain : undefined;
}

function moneyOf({ options }: Field, text: string, decimal: Decimal): unknown {
  const [, digits = '', given = ''] = /^(\S+)\s+(\S+)$/.exec(text.trim()) ?? [];
  const amount = numberText(digits, decimal);
  // A field may have units of its own, which are written as it has them.
  const currency = options && optionsById(options).has(given) ? given : given.toUpperCase();
  return amount === undefined ? text : { amount, currency };
}

function addressOf(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** An option by its identifier, or by its label in any language. */
function choiceOf({ options }: Field, text: string): string {
  if (options === undefined || optionsById(options).has(text)) return text;
  return labelled(options).get(text.toLowerCase()) ?? text;
}

type Options = NonNullable<Field['options']>;
const known = new WeakMap<Options, ReadonlyMap<string, string>>();

/** What options are kept by, by their labels, of which the first of several that are the same is meant. One cell may name them half a million times. */
function labelled(options: Options): ReadonlyMap<string, string> {
  const ids =
    known.get(options) ?? new Map(options.toReversed().flatMap(({ id, label }) => textsOf(label).map((one) => [one.toLowerCase(), id])));
  known.set(options, ids);
  return ids;
}

/** A text in all its languages. */
export const textsOf = (text: Field['label']): string[] =>
  text === undefined ? [] : typeof text === 'string' ? [text] : Object.values(text);
