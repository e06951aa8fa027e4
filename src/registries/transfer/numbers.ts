import { type CellFormat, decimalSigns, type Grouping } from './dialect.ts';

/** A cell that has no value, with the reason for the person who imports it. */
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
 * A number of a cell as JSON writes it; undefined where the cell has none. A separator counts between groups of three digits only. Without a
 * `grouping`, one group behind a point or comma is ambiguous: `1.234` may have a decimal sign.
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
      'The number is ambiguous, such as 1.234. Give the separator of groups of digits as `grouping`, or the decimal sign as `decimal`.',
    );
  return number.replaceAll(separator, '').replace(sign, '.');
}

/** A number as JSON writes it, in the form that {@link plainNumber} reads with the same options. */
export function formattedNumber(json: string, { decimal = 'point', grouping = 'none' }: CellFormat): string {
  const [, start = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/s.exec(json) ?? [];
  // A number with an exponent has no groups.
  const groups = grouping === 'none' || /e/i.test(rest) ? whole : whole.replaceAll(/\B(?=(?:\d{3})+$)/g, separators[grouping]);
  return `${start}${groups}${rest.replace('.', decimalSigns[decimal])}`;
}
