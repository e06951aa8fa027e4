import { once } from 'node:events';
import { parse } from 'csv-parse';
import { parseEmail } from '#accounts';
import type { FieldError } from '../platform/problems.ts';
import { hasLink, isPrintable, mixesScripts } from '../platform/text.ts';
import type { Turns } from '../platform/turns.ts';
import { batchProblems } from './problems.ts';
import { most } from './schemas.ts';

/** A row of the file: whom to ask, and the values for their document. */
export type Row = { number: number; email: string; name: string; data: Record<string, unknown> };

export const fault = (row: number, column: string, reason: string, rule: string): FieldError => ({
  name: column,
  pointer: `/csv/${row}${column === '' ? '' : `/${column}`}`,
  reason: `row ${row}: ${reason}`,
  rule,
});
export const invalid = (errors: FieldError[]) =>
  batchProblems.batch_rows_invalid('Nobody was asked: something in the file is wrong. `errors` says what, row by row.', {
    errors: errors.slice(0, 1_000),
  });

/** What `data` says where there is no template that it could be for. Errors: 422 `batch_rows_invalid`. */
export const invalidData = () =>
  invalid([{ name: 'data', pointer: '/data', reason: 'a copy of a document takes no values', rule: 'data' }]);

const columnName = /^[A-Za-z][A-Za-z0-9_-]{0,63}(\.[A-Za-z][A-Za-z0-9_-]{0,63}){0,7}$/;

/**
 * Reads the rows of a file, whole, in turns: what is wrong with any is told of all. `typeOf` says what the values of a column are. Errors:
 * 422 `batch_rows_invalid`.
 */
export async function readRows(
  text: string,
  base: Record<string, unknown>,
  { typeOf, turns }: { typeOf: (path: readonly string[]) => string | undefined; turns: Turns },
): Promise<Row[]> {
  await turns.next();
  const [names = [], ...lines] = await tableOf(text, turns);
  if (names.length > most.columns) throw invalid([fault(0, '', `the first row names more than ${most.columns} columns`, 'columns')]);
  const wrong = names.flatMap((name, at) => {
    if (!columnName.test(name))
      return [fault(0, name.slice(0, 64), 'the first row names columns such as `email`, `name` and `party.name`', 'column')];
    return names.indexOf(name) < at ? [fault(0, name, 'the column is there twice', 'unique')] : [];
  });
  for (const needed of ['email', 'name']) if (!names.includes(needed)) wrong.push(fault(0, needed, 'the column is missing', 'required'));
  if (lines.length === 0 || lines.length > most.rows)
    wrong.push(fault(0, '', `there must be 1 to ${most.rows} rows behind the names`, 'rows'));
  if (wrong.length > 0) throw invalid(wrong);
  // What is said for all rows is kept with each of them.
  if (lines.length * Buffer.byteLength(JSON.stringify(base)) > most.values)
    throw invalid([fault(0, '', `with \`data\` the values of all rows have more than ${most.values / 1024 ** 2} MiB`, 'size')]);
  const seen = new Map<string, number>();
  const columns = names.map((name): Column => ({ name, path: name.split('.'), type: typeOf(name.split('.')) }));
  const rows: Row[] = [];
  for (const [at, cells] of lines.entries()) {
    rows.push(readRow(columns, cells, at + 1, { base, wrong, seen }));
    if (turns.over) await turns.next();
  }
  if (wrong.length > 0) throw invalid(wrong);
  return rows;
}

/** As many as the rows that are taken may have together. */
const mostCells = (most.rows + 1) * most.columns;

/** Refuses a file of very many cells before it is read: empty ones keep the whole node for a second and more, and take many times their text. */
function requireFewCells(text: string): void {
  let cells = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === ',' || letter === ';' || letter === '\t')) cells += 1;
  }
  if (cells > mostCells)
    throw invalid([
      fault(0, '', `the file has more cells than ${most.rows} rows of ${most.columns} columns and the names of these have`, 'cells'),
    ]);
}

const partBytes = 32 * 1024;

function* partsOf(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
}

/** The rows of a file as they stand in it, read part by part, between which others are served. */
async function tableOf(text: string, turns: Turns): Promise<string[][]> {
  requireFewCells(text);
  // One row more than are taken says that there are too many: nothing behind it is read.
  const to = most.rows + 2;
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    trim: true,
    relax_column_count: true,
    delimiter: [',', ';', '\t'],
    to,
    max_record_size: most.row,
  });
  const rows: string[][] = [];
  parser.on('data', (row: string[]) => rows.push(row));
  const ended = once(parser, 'end');
  ended.catch(() => undefined);
  try {
    for (const part of partsOf(text)) {
      await new Promise<void>((resolve, reject) => parser.write(part, (error) => (error ? reject(error) : resolve())));
      // It takes nothing more then, and does not say so.
      if (parser.info.records >= to) break;
      if (turns.over) await turns.next();
    }
    parser.end();
    await ended;
  } catch (error) {
    throw invalid([
      fault(0, '', `the file is no CSV: ${error instanceof Error ? error.message.slice(0, 200) : 'it cannot be read'}`, 'csv'),
    ]);
  }
  return rows;
}

type Reading = {
  base: Record<string, unknown>;
  wrong: FieldError[];
  seen: Map<string, number>;
};

type Column = { name: string; path: readonly string[]; type: string | undefined };

function readRow(columns: readonly Column[], cells: readonly string[], number: number, { base, wrong, seen }: Reading): Row {
  const data = structuredClone(base);
  const row: Row = { number, email: '', name: '', data };
  if (cells.length > columns.length) wrong.push(fault(number, '', 'it has more cells than the first row', 'columns'));
  for (const [at, { name, path, type }] of columns.entries()) {
    const cell = cells[at] ?? '';
    if (name === 'email') row.email = cell;
    else if (name === 'name') row.name = cell;
    else if (cell !== '') put(data, path, valueOf(cell, type));
  }
  const address = parseEmail(row.email);
  if (!address) wrong.push(fault(number, 'email', 'the address cannot be written to', 'email'));
  else if (seen.has(address.key)) wrong.push(fault(number, 'email', `row ${seen.get(address.key)} has the same address`, 'unique'));
  else seen.set(address.key, number);
  if (
    row.name === '' ||
    row.name.length > 200 ||
    row.name.includes('/') ||
    !isPrintable(row.name) ||
    hasLink(row.name) ||
    mixesScripts(row.name)
  )
    wrong.push(
      fault(number, 'name', 'the name must have 1 to 200 printable characters, without a slash and without an address of a page', 'name'),
    );
  return row;
}

/** A cell as the schema says; what is none stays text, which the schema then refuses. */
function valueOf(cell: string, type: string | undefined): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d{1,15}(\.\d{1,15})?$/.test(cell)) return Number(cell);
  if (type === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = Object.hasOwn(into, name) ? into[name] : undefined;
  const next = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Record<string, unknown>) : {};
  into[name] = next;
  put(next, rest, value);
}

type Schema = { type?: unknown; properties?: Record<string, Schema>; $ref?: unknown; $defs?: Record<string, Schema> };

/** What a schema says that the member at a path is, as far as it says so plainly. */
export function typeIn(schema: Schema, path: readonly string[]): string | undefined {
  let at: Schema | undefined = schema;
  for (const name of ['', ...path]) {
    if (name !== '') at = at?.properties && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
    const def: string | undefined = typeof at?.$ref === 'string' ? /^#\/\$defs\/([\w-]+)$/.exec(at.$ref)?.[1] : undefined;
    if (def !== undefined) at = schema.$defs && Object.hasOwn(schema.$defs, def) ? schema.$defs[def] : undefined;
  }
  return typeof at?.type === 'string' ? at.type : undefined;
}
