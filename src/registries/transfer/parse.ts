import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { FieldError } from '../../platform/problems.ts';
import type { RegistryField } from '../schemas.ts';
import { textsOf } from './cells.ts';
import { type Delimiter, delimiters } from './dialect.ts';
import { asUtf8, type Encoding } from './encoding.ts';
import { invalidCsv } from './invalid-csv.ts';

export const mostRows = 50_000;
/** Rows of a file with those that are empty: a spreadsheet may write many of them behind the others. */
const maxLines = 100_000;
/** Cells of a row: ten times as many as a registry has fields. */
const mostCells = 1_000;
const partBytes = 64 * 1024;
const mostRowBytes = 1024 * 1024;

/** What stands between the cells, by the first line: whatever of it is there most often, outside of quotes. */
function delimiterOf(content: Buffer): Delimiter {
  const counts = new Map(Object.values(delimiters).map((one) => [one, 0]));
  let quoted = false;
  for (const character of content.subarray(0, partBytes).toString()) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const names = Object.keys(delimiters) as Delimiter[];
  const count = (name: Delimiter) => counts.get(delimiters[name]) ?? 0;
  return names.reduce((best, one) => (count(one) > count(best) ? one : best));
}

const [quote, newline, back] = [0x22, 0x0a, 0x0d];

/** What ends each row of a file: its first line end outside of quotes. A first row in which there is none so far is refused as too long. */
function lineEndOf(content: Buffer): '\r\n' | '\n' | '\r' {
  const most = Math.min(content.length, 4 * mostRowBytes);
  let quoted = false;
  for (let at = 0; at < most; at += 1) {
    const byte = content[at];
    if (byte === quote) quoted = !quoted;
    else if (quoted) continue;
    else if (byte === newline) return '\n';
    else if (byte === back) return content[at + 1] === newline ? '\r\n' : '\r';
  }
  return '\n';
}

/**
 * Refuses a row with very many cells before it is read: empty ones take a hundred times their text. Any other line end than that of the file
 * ends no row, as it ends none where the row is read. Errors: 422 `registry_csv_invalid`.
 */
function shortRows(separator: string, lineEnd: string): (part: Buffer) => void {
  const between = separator.charCodeAt(0);
  const [end, beforeEnd] = [lineEnd.charCodeAt(lineEnd.length - 1), lineEnd.length > 1 ? lineEnd.charCodeAt(0) : undefined];
  let quoted = false;
  let cells = 1;
  let before = 0;
  return (part) => {
    for (const byte of part) {
      if (byte === quote) quoted = !quoted;
      else if (!quoted && byte === end && (beforeEnd ?? before) === before) cells = 1;
      else if (!quoted && byte === between && (cells += 1) > mostCells)
        throw invalidCsv(`A row of the file has more than ${mostCells} cells.`);
      before = byte;
    }
  };
}

/** A first line by which spreadsheets say what separates the cells. */
const separatorLine = /^"?sep=([^\r\n])"?(?:\r\n?|\n|$)/i;

/** The format of a file, and its rows with their numbers in a spreadsheet. */
export type Table = {
  readAs: { encoding: Encoding; delimiter: Delimiter };
  rows: AsyncGenerator<{ number: number; cells: string[] }>;
};

/** Opens a file as a table. Detects options that are not given from its bytes and its first line. Errors: 422 `registry_csv_invalid`. */
export async function openTable(
  content: Buffer,
  given: { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined },
): Promise<Table> {
  const { text, encoding } = await asUtf8(content, given.encoding);
  const [line = '', separator] = separatorLine.exec(text.subarray(0, 16).toString()) ?? [];
  const table = text.subarray(Buffer.byteLength(line));
  const named = (Object.keys(delimiters) as Delimiter[]).find((one) => delimiters[one] === separator);
  if (separator !== undefined && named === undefined && given.delimiter === undefined)
    throw invalidCsv('The first line of the file names a separator that is not supported. Save it with commas, semicolons or tabs.');
  const delimiter = given.delimiter ?? named ?? delimiterOf(table);
  return { readAs: { encoding, delimiter }, rows: rowsOf(table, delimiter) };
}

/** The rows that are not empty. Reading a file yields to the event loop. */
async function* rowsOf(content: Buffer, delimiter: Delimiter): AsyncGenerator<{ number: number; cells: string[] }> {
  const lineEnd = lineEndOf(content);
  const requireShort = shortRows(delimiters[delimiter], lineEnd);
  function* parts(): Generator<Buffer> {
    for (let at = 0; at < content.length; at += partBytes) {
      const part = content.subarray(at, at + partBytes);
      requireShort(part);
      yield part;
    }
  }
  const source = Readable.from(parts());
  const parser = source.pipe(
    parse({
      delimiter: delimiters[delimiter],
      record_delimiter: lineEnd,
      relax_column_count: true,
      max_record_size: mostRowBytes,
    }),
  );
  source.once('error', (error) => parser.destroy(error));
  let number = 0;
  try {
    for await (const row of parser) {
      const cells = row as string[];
      number += 1;
      if (number > maxLines) throw invalidCsv(`The file has more than ${maxLines} rows, most of them empty. Delete the empty rows.`);
      if (cells.some((cell) => cell.trim() !== '')) yield { number, cells };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error;
    const where = typeof lines === 'number' ? ` near line ${lines}` : '';
    throw invalidCsv(`The file cannot be read as CSV${where}: a quote stands where none can be, is not closed, or a line is too long.`);
  }
}

/** Which field a column of a file holds. A column without a name must be empty. */
export type Column = { name: string; field?: RegistryField | undefined };
export type Columns = readonly Column[];

/**
 * The fields that the first row names, by their ids or labels. Columns whose name begins with `_`, as those of an export do, are left out.
 * Errors: 422 `registry_csv_invalid`.
 */
export function columnsOf(fields: readonly RegistryField[], names: readonly string[], unknown: 'refused' | 'left out'): Columns {
  const faults: FieldError[] = [];
  const fault = (at: number, name: string, reason: string, rule: string) =>
    faults.push({ name: name.slice(0, 64), pointer: `/columns/${at}`, reason, rule });
  const seen = new Set<string>();
  const columns = names.map((given, at): Column => {
    const name = given.trim();
    if (name === '' || name.startsWith('_')) return { name };
    const field = fieldNamed(fields, name);
    if (field === undefined) {
      if (unknown === 'refused') fault(at, name, `names no field of this registry: “${name.slice(0, 64)}”`, 'unknown');
      return { name };
    }
    if (seen.has(field.id)) fault(at, name, `names the field ${field.id}, which another column names too`, 'unique');
    seen.add(field.id);
    return { name, field };
  });
  for (const { id, required, default: value } of fields)
    if (required && value === undefined && !seen.has(id)) fault(names.length, id, `is needed: the field ${id} is required`, 'required');
  const [first] = faults;
  if (first) {
    const more = faults.length > 1 ? ` And ${faults.length - 1} more, in \`errors\`.` : '';
    throw invalidCsv(`The first row of the file says what its columns are, and one of them ${first.reason}.${more}`, faults.slice(0, 100));
  }
  if (seen.size === 0) throw invalidCsv('The first row of the file names no field of this registry: it says what the columns are.');
  return columns;
}

/** By its id, or else by its label in any language, where that is one field’s alone. */
function fieldNamed(fields: readonly RegistryField[], name: string): RegistryField | undefined {
  const byId = fields.find(({ id }) => id === name);
  if (byId) return byId;
  const wanted = name.toLowerCase();
  const labelled = fields.filter(({ id, label }) => [id, ...textsOf(label)].some((text) => text.toLowerCase() === wanted));
  return labelled.length === 1 ? labelled[0] : undefined;
}
