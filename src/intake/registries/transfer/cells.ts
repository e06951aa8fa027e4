import { type Field, isList, numberOf, optionsById } from '#fields';
import type { CellFormat } from '../../../platform/csv/dialect.ts';
import { booleanOf, booleanWord, dateCell, dateOf, formattedNumber, plainNumber } from '../../../platform/csv/values.ts';

/*
 * Values as cells of a table, and back: an import restores the values of an export. An apostrophe goes before each text that a spreadsheet
 * could read as a formula. A text that looks as if it had one already gets another.
 *
 * A spreadsheet that expects semicolons or tabs ignores the quotes of a comma-separated file, since they do not begin its cells. It
 * begins a cell after each semicolon and tab, and a row after each line break. So these places get an apostrophe too.
 */

const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const innerFormula = /([;\t\r\n])(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const escapedInnerFormula = /([;\t\r\n])'(?=['"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const unescaped = (cell: string) =>
  (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell).replaceAll(escapedInnerFormula, '$1');

/** Escapes a text that a spreadsheet could read as a formula. Numbers stay unchanged, because a minus sign alone begins no formula. */
const escaped = (text: string) => `${formula.test(text) ? "'" : ''}${text.replaceAll(innerFormula, "$1'")}`;

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The value of a field as a cell. */
export function cellOf(field: Field, value: unknown, format: CellFormat): string {
  if (value === undefined) return '';
  if (isList(field) && Array.isArray(value)) return escaped(value.join('|'));
  switch (field.type) {
    case 'number':
    case 'integer':
      return formattedNumber(written(value), format);
    case 'boolean':
    case 'checkbox':
      return typeof value === 'boolean' ? booleanWord(value, format) : escaped(written(value));
    case 'money': {
      const { amount, currency } = value as { amount: string; currency: string };
      return `${formattedNumber(amount, format)} ${currency}`;
    }
    case 'date':
      return escaped(dateCell(written(value), format));
    case 'address':
      return escaped(addressCell(value as Record<string, unknown>));
    default:
      return escaped(written(value));
  }
}

/** Returns the text of an address that has only `value`, and JSON for an address with more members. */
function addressCell(address: Record<string, unknown>): string {
  const plain = typeof address.value === 'string' && Object.keys(address).length === 1 && !address.value.startsWith('{');
  return plain ? String(address.value) : JSON.stringify(address);
}

/**
 * Returns the value of a cell. A text that does not fit the type of the field stays a text, and the rules of the field reject it. Returns
 * `Unreadable` if the cell is ambiguous or invalid in the format of the file.
 */
export function valueOf(field: Field, cell: string, format: CellFormat): unknown {
  const text = unescaped(cell);
  if (text.trim() === '') return undefined;
  if (isList(field)) return text.split('|').map((one) => choiceOf(field, one.trim()));
  switch (field.type) {
    case 'number':
    case 'integer': {
      const plain = plainNumber(text, format);
      return typeof plain === 'string' ? numberOf(plain) : (plain ?? text);
    }
    case 'boolean':
    case 'checkbox':
      return booleanOf(text.trim().toLowerCase(), format) ?? text;
    case 'money':
      return moneyOf(field, text, format);
    case 'date':
    case 'datetime':
      return dateOf(text.trim(), format);
    case 'address':
      return addressOf(text);
    case 'select':
    case 'radio':
      return choiceOf(field, text.trim());
    default:
      return text;
  }
}

/** The maximum length of an amount with its currency. Longer texts are skipped, because the pattern takes quadratic time. */
const longestMoney = 200;

function moneyOf({ options }: Field, text: string, format: CellFormat): unknown {
  if (text.length > longestMoney) return text;
  const [, digits = '', given = ''] = /^(\S(?:.*\S)?)\s+(\S+)$/s.exec(text.trim()) ?? [];
  const amount = plainNumber(digits, format);
  if (typeof amount !== 'string') return amount ?? text;
  // A field can define its units. Their spelling must then match exactly.
  return { amount, currency: options && optionsById(options).has(given) ? given : given.toUpperCase() };
}

function addressOf(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Returns the id of an option, which the cell names by its id or by its label in any language. */
function choiceOf({ options }: Field, text: string): string {
  if (options === undefined || optionsById(options).has(text)) return text;
  return labelled(options).get(text.toLowerCase()) ?? text;
}

type FieldOptions = NonNullable<Field['options']>;
const known = new WeakMap<FieldOptions, ReadonlyMap<string, string>>();

/**
 * Maps labels to option ids. Of several options with one label, the first is used. The map is cached, because an import can look up half a million
 * labels.
 */
function labelled(options: FieldOptions): ReadonlyMap<string, string> {
  const ids =
    known.get(options) ?? new Map(options.toReversed().flatMap(({ id, label }) => textsOf(label).map((one) => [one.toLowerCase(), id])));
  known.set(options, ids);
  return ids;
}

/** Returns a text in all its languages. */
export const textsOf = (text: Field['label']): string[] =>
  text === undefined ? [] : typeof text === 'string' ? [text] : Object.values(text);
