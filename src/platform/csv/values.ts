import { type CellFormat, decimalSigns, type Grouping } from './dialect.ts';

/** A cell without a valid value, with the reason for the user who imports it. */
export class Unreadable {
  readonly rule: string;
  readonly reason: string;

  constructor(rule: string, reason: string) {
    this.rule = rule;
    this.reason = reason;
  }
}

const separators: Readonly<Record<Grouping, string>> = { none: '', point: '.', comma: ',', apostrophe: "'", space: ' ' };
const otherForms: Readonly<Record<string, string>> = { '’': "'", '\u00a0': ' ', '\u202f': ' ', '\u2009': ' ' };

const forms = {
  point: { plain: /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i, grouped: /^[+-]?\d{1,3}(?:([,' ])\d{3})(?:\1\d{3})*(?:\.\d+)?$/ },
  comma: { plain: /^[+-]?\d+(?:,\d+)?(?:e[+-]?\d+)?$/i, grouped: /^[+-]?\d{1,3}(?:([.' ])\d{3})(?:\1\d{3})*(?:,\d+)?$/ },
};

/**
 * Returns the number in a cell in JSON syntax; undefined if the cell has no number. A separator is accepted only between groups of three digits.
 * Without a
 * `grouping`, one group after a point or comma is ambiguous: in `1.234` the point can be a decimal sign.
 */
export function plainNumber(text: string, { decimal = 'point', grouping }: CellFormat): string | Unreadable | undefined {
  const number = text.trim().replaceAll(/[’\u00a0\u202f\u2009]/g, (one) => otherForms[one] ?? one);
  const sign = decimalSigns[decimal];
  const { plain, grouped } = forms[decimal];
  if (plain.test(number)) return number.replace(sign, '.');
  const separator = grouped.exec(number)?.[1];
  if (separator === undefined || (grouping !== undefined && separators[grouping] !== separator)) return undefined;
  const isAmbiguous = grouping === undefined && (separator === '.' || separator === ',');
  if (isAmbiguous && !number.includes(sign) && number.split(separator).length === 2)
    return new Unreadable(
      'ambiguous',
      'The number is ambiguous, for example 1.234. Set the group separator as `grouping`, or the decimal sign as `decimal`.',
    );
  return number.replaceAll(separator, '').replace(sign, '.');
}

/** Formats a number in JSON syntax so that {@link plainNumber} can read it with the same options. */
export function formattedNumber(json: string, { decimal = 'point', grouping = 'none' }: CellFormat): string {
  const [, start = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/s.exec(json) ?? [];
  // Numbers with an exponent have no groups.
  const groups = grouping === 'none' || /e/i.test(rest) ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separators[grouping]);
  return `${start}${groups}${rest.replace('.', decimalSigns[decimal])}`;
}

/** Returns the word of the file for a boolean. */
export const booleanWord = (value: boolean, { booleans = 'true|false' }: CellFormat) => booleans.split('|')[value ? 0 : 1] ?? '';

/** Formats a date in the order of the file. */
export function dateCell(date: string, { dateOrder = 'ymd' }: CellFormat): string {
  const [year, month, day] = date.split('-');
  if (dateOrder === 'ymd' || day === undefined) return date;
  return dateOrder === 'dmy' ? `${day}.${month}.${year}` : `${month}/${day}/${year}`;
}

const booleans = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

/** Returns the boolean for a word in lower case; undefined for an unknown word. */
export function booleanOf(word: string, { booleans: words }: CellFormat): boolean | undefined {
  const at = words?.toLowerCase().split('|').indexOf(word) ?? -1;
  return at === -1 ? booleans.get(word) : at === 0;
}

const otherDate = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T]+(\d.*))?$/;

/** Converts a date from the order of the file, with its time if it has one. ISO 8601 dates such as 2026-12-31 are always accepted. */
export function dateOf(text: string, { dateOrder }: CellFormat): string | Unreadable {
  const [, first = '', separator = '', second = '', third = '', time] = otherDate.exec(text) ?? [];
  if (first === '' || (separator === '-' && first.length === 4)) return text;
  if (dateOrder === undefined)
    return new Unreadable('ambiguous', 'The date does not have the form 2026-12-31. Set the order of day and month with `dateOrder`.');
  const [year, month, day] = { ymd: [first, second, third], dmy: [third, second, first], mdy: [third, first, second] }[dateOrder];
  // Two digits do not determine the century.
  if (year?.length !== 4 || day === undefined || month === undefined) return text;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time === undefined ? '' : `T${time}`}`;
}
