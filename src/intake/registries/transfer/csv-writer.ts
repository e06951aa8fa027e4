import { stringify } from 'csv-stringify/sync';
import type { Field } from '#fields';
import { delimiters, type ExportDialect } from '../../../platform/csv/dialect.ts';
import { cellOf } from './cells.ts';

/** Writes one CSV file, part by part. */
export type CsvWriter = {
  /** The first row, with the byte order mark of the encoding. */
  head: (names: string[]) => string | Buffer;
  rows: (rows: string[][]) => string | Buffer;
  /** The value of a field as a cell of this file. */
  cell: (field: Field, value: unknown) => string;
};

/**
 * Creates a writer of CSV (RFC 4180) for all exports. It quotes cells with any line break, because an unquoted line break would begin a new row.
 * `cell` neutralizes formulas.
 */
export function csvWriter({ encoding = 'utf-8', delimiter = 'comma', ...format }: ExportDialect): CsvWriter {
  const options = { delimiter: delimiters[delimiter], record_delimiter: '\r\n', quoted_match: /[\r\n]/ };
  const encoded = (text: string) => (encoding === 'utf-16' ? Buffer.from(text, 'utf16le') : text);
  return {
    head: (names) => encoded(`${encoding === 'utf-8' ? '' : '\ufeff'}${stringify([names], options)}`),
    rows: (rows) => encoded(stringify(rows, options)),
    cell: (field, value) => cellOf(field, value, format),
  };
}

const charsets = { 'utf-8': 'utf-8', 'utf-8-bom': 'utf-8', 'utf-16': 'utf-16' };

/** The media type of an export. */
export const exportType = (format: 'csv' | 'json', { encoding = 'utf-8' }: Pick<ExportDialect, 'encoding'>): string =>
  format === 'json' ? 'application/json; charset=utf-8' : `text/csv; charset=${charsets[encoding]}; header=present`;
