import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { YieldingWork } from '../yield.ts';
import { type Delimiter, delimiters } from './dialect.ts';
import { asUtf8, type Encoding, type FileLimits } from './encoding.ts';

/** Maximum number of rows including empty ones, because spreadsheets can write many empty rows at the end. */
const maxLines = 100_000;
const partBytes = 32 * 1024;

/** The limits of a file and its rows, and the error for an unreadable file. */
export type TableLimits = FileLimits & { cellsPerRow: number; rowBytes: number };

/** Returns the most frequent delimiter in the first line, outside of quotes. */
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

/** Returns the line end of a file: the first one outside of quotes. Without a line end in the sample, the first row is later rejected as too long. */
function lineEndOf(content: Buffer, rowBytes: number): '\r\n' | '\n' | '\r' {
  const most = Math.min(content.length, 4 * rowBytes);
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
 * Returns a check that rejects a row with too many cells before it is parsed. In memory, an empty cell takes a hundred times its size in the file.
 * Only the line end of the file ends a row, as in the parser. Throws the error of `limits`.
 */
function shortRows(separator: string, lineEnd: string, { cellsPerRow, invalid }: TableLimits): (part: Buffer) => void {
  const between = separator.charCodeAt(0);
  const [end, beforeEnd] = [lineEnd.charCodeAt(lineEnd.length - 1), lineEnd.length > 1 ? lineEnd.charCodeAt(0) : undefined];
  let quoted = false;
  let cells = 1;
  let before = 0;
  return (part) => {
    for (const byte of part) {
      if (byte === quote) quoted = !quoted;
      else if (!quoted && byte === end && (beforeEnd ?? before) === before) cells = 1;
      else if (!quoted && byte === between && (cells += 1) > cellsPerRow)
        throw invalid(`A row of the file has more than ${cellsPerRow} cells.`);
      before = byte;
    }
  };
}

/** A first line with which spreadsheets declare the delimiter. */
const separatorLine = /^"?sep=([^\r\n])"?(?:\r\n?|\n|$)/i;

/** A row with its number in a spreadsheet. */
export type TableRow = { number: number; cells: string[] };

/** The format of a file, and its rows. */
export type Table = {
  readAs: { encoding: Encoding; delimiter: Delimiter };
  rows: AsyncGenerator<TableRow>;
};

/** Opens a file as a table. Detects missing options from its bytes and its first line. Throws the error of `limits`. */
export async function openTable(
  content: Buffer,
  given: { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined },
  limits: TableLimits,
  turns: YieldingWork,
): Promise<Table> {
  const { text, encoding } = await asUtf8(content, given.encoding, limits, turns);
  const [line = '', separator] = separatorLine.exec(text.subarray(0, 16).toString()) ?? [];
  const table = text.subarray(Buffer.byteLength(line));
  const named = (Object.keys(delimiters) as Delimiter[]).find((one) => delimiters[one] === separator);
  if (separator !== undefined && named === undefined && given.delimiter === undefined)
    throw limits.invalid('The first line of the file declares an unsupported delimiter. Save the file with commas, semicolons or tabs.');
  const delimiter = given.delimiter ?? named ?? delimiterOf(table);
  return { readAs: { encoding, delimiter }, rows: rowsOf(table, delimiter, limits, turns) };
}

/** Yields the non-empty rows. It yields to the event loop regularly. */
async function* rowsOf(content: Buffer, delimiter: Delimiter, limits: TableLimits, turns: YieldingWork): Table['rows'] {
  const { rowBytes, invalid } = limits;
  const lineEnd = lineEndOf(content, rowBytes);
  const requireShort = shortRows(delimiters[delimiter], lineEnd, limits);
  async function* parts(): AsyncGenerator<Buffer> {
    for (let at = 0; at < content.length; at += partBytes) {
      if (turns.over) await turns.next();
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
      max_record_size: rowBytes,
    }),
  );
  source.once('error', (error) => parser.destroy(error));
  let number = 0;
  try {
    for await (const row of parser) {
      const cells = row as string[];
      number += 1;
      if (number > maxLines) throw invalid(`The file has more than ${maxLines} rows, most of them empty. Delete the empty rows.`);
      if (cells.some((cell) => cell.trim() !== '')) yield { number, cells };
      if (turns.over) await turns.next();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error;
    const where = typeof lines === 'number' ? ` near line ${lines}` : '';
    throw invalid(`The file cannot be read as CSV${where}: a quote is misplaced or not closed, or a line is too long.`);
  }
}
