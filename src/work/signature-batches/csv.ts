import { parseEmail } from '#accounts';
import type { CellFormat } from '../../platform/csv/dialect.ts';
import { asUtf8, type Encoding } from '../../platform/csv/encoding.ts';
import { openTable, type TableLimits, type TableRow } from '../../platform/csv/table.ts';
import { booleanOf, dateOf, plainNumber, Unreadable } from '../../platform/csv/values.ts';
import type { FieldError } from '../../platform/problems.ts';
import { hasLink, isPrintable, mixesScripts } from '../../platform/text.ts';
import { type YieldingWork, yieldToEventLoop } from '../../platform/yield.ts';
import { batchProblems } from './problems.ts';
import { type CreateBatch, most } from './schemas.ts';

/** A row of the file: the signer and the template values. */
export type CsvRow = { number: number; email: string; name: string; data: Record<string, unknown> };

export const rowError = (row: number, column: string, reason: string, rule: string): FieldError => ({
  name: column,
  pointer: `/csv/${row}${column === '' ? '' : `/${column}`}`,
  reason: row === 0 ? reason : `row ${row}: ${reason}`,
  rule,
});
export const invalid = (errors: FieldError[]) =>
  batchProblems.batch_rows_invalid('The file has errors, and no request was sent. `errors` names each row.', {
    errors: errors.slice(0, 1_000),
  });

/** Rejects `data` without a template. Throws 422 `batch_rows_invalid`. */
export const invalidData = () =>
  invalid([{ name: 'data', pointer: '/data', reason: 'a copy of a document accepts no values', rule: 'data' }]);

const columnName = /^[A-Za-z][A-Za-z0-9_-]{0,63}(\.[A-Za-z][A-Za-z0-9_-]{0,63}){0,7}$/;

const limits: TableLimits = {
  textBytes: most.characters,
  cellsPerRow: most.columns,
  rowBytes: most.row,
  invalid: (detail) => invalid([rowError(0, '', detail, 'csv')]),
};

/** Returns the text of an uploaded file. Throws 422 `batch_rows_invalid`. */
export async function textOf(content: Buffer, encoding: Encoding | undefined, team: string): Promise<string> {
  return (await asUtf8(content, encoding, limits, yieldToEventLoop(team))).text.toString();
}

/** The schema of the columns: the type of each, and the errors of values that it does not name. */
type ColumnSchema = { typeOf: (path: readonly string[]) => string | undefined; unknownIn?: (values: object) => FieldError[] };

/**
 * Reads all rows of a file, yielding to the event loop, and reports all errors together. Throws 422 `batch_rows_invalid`.
 */
export async function readRows(
  { csv, data: base = {}, delimiter, ...format }: Pick<CreateBatch, 'csv' | 'data' | 'delimiter' | keyof CellFormat>,
  { typeOf, unknownIn = () => [], turns }: ColumnSchema & { turns: YieldingWork },
): Promise<CsvRow[]> {
  await turns.next();
  const table = await openTable(Buffer.from(csv), { encoding: 'utf-8', delimiter }, limits, turns);
  const read: TableRow[] = [];
  for await (const row of table.rows) if (read.push(row) > most.rows + 1) break;
  const [head = { number: 0, cells: [] }, ...lines] = read;
  const names = head.cells.map((cell) => cell.trim());
  const wrong = names.flatMap((name, at) => {
    if (name !== '' && !columnName.test(name))
      return [rowError(0, name.slice(0, 64), 'the first row must have column names such as `email`, `name` and `party.name`', 'column')];
    return name !== '' && names.indexOf(name) < at ? [rowError(0, name, 'the column occurs twice', 'unique')] : [];
  });
  for (const needed of ['email', 'name']) if (!names.includes(needed)) wrong.push(rowError(0, needed, 'the column is missing', 'required'));
  const values = {};
  for (const name of names) if (columnName.test(name) && !['email', 'name'].includes(name)) put(values, name.split('.'), '');
  wrong.push(...unknownIn(values).map(({ pointer, reason, rule }) => rowError(0, pointer.slice(1).replaceAll('/', '.'), reason, rule)));
  if (lines.length === 0 || lines.length > most.rows)
    wrong.push(rowError(0, '', `the file must have 1 to ${most.rows} rows after the header`, 'rows'));
  if (wrong.length > 0) throw invalid(wrong);
  // Each stored row contains a copy of `data`.
  if (lines.length * Buffer.byteLength(JSON.stringify(base)) > most.values)
    throw invalid([rowError(0, '', `\`data\` multiplied by the number of rows exceeds ${most.values / 1024 ** 2} MiB`, 'size')]);
  const reading: RowReadContext = { base, format, wrong, seen: new Map() };
  const columns = names.map((name): Column => ({ name, path: name.split('.'), type: typeOf(name.split('.')) }));
  const rows: CsvRow[] = [];
  for (const { number, cells } of lines) {
    rows.push(readRow(columns, cells, number - head.number, reading));
    if (turns.over) await turns.next();
  }
  if (wrong.length > 0) throw invalid(wrong);
  return rows;
}

type RowReadContext = {
  base: Record<string, unknown>;
  format: CellFormat;
  wrong: FieldError[];
  seen: Map<string, number>;
};

type Column = { name: string; path: readonly string[]; type: string | undefined };

function readRow(
  columns: readonly Column[],
  cells: readonly string[],
  number: number,
  { base, format, wrong, seen }: RowReadContext,
): CsvRow {
  const data = structuredClone(base);
  const row: CsvRow = { number, email: '', name: '', data };
  if (cells.some((cell, at) => (columns[at]?.name ?? '') === '' && cell.trim() !== ''))
    wrong.push(rowError(number, '', 'a cell is in a column without a name', 'columns'));
  for (const [at, { name, path, type }] of columns.entries()) {
    const cell = cells[at]?.trim() ?? '';
    if (name === 'email') row.email = cell;
    else if (name === 'name') row.name = cell;
    else if (name !== '' && cell !== '') {
      const value = valueOf(cell, type, format);
      if (value instanceof Unreadable) wrong.push(rowError(number, name, value.reason, value.rule));
      else put(data, path, value);
    }
  }
  const address = parseEmail(row.email);
  if (!address) wrong.push(rowError(number, 'email', 'the email address is invalid', 'email'));
  else if (seen.has(address.key)) wrong.push(rowError(number, 'email', `row ${seen.get(address.key)} has the same address`, 'unique'));
  else seen.set(address.key, number);
  if (
    row.name === '' ||
    row.name.length > 200 ||
    row.name.includes('/') ||
    !isPrintable(row.name) ||
    hasLink(row.name) ||
    mixesScripts(row.name)
  )
    wrong.push(rowError(number, 'name', 'the name must have 1 to 200 printable characters, without slashes and web addresses', 'name'));
  return row;
}

/** Converts a cell to the type of the schema. An invalid cell stays text, which the schema then rejects. */
function valueOf(cell: string, type: string | undefined, format: CellFormat): unknown {
  if (type === 'boolean') return booleanOf(cell.toLowerCase(), format) ?? cell;
  if (type === 'date') return dateOf(cell, format);
  if (type !== 'number' && type !== 'integer') return cell;
  const plain = plainNumber(cell, format) ?? cell;
  return typeof plain === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(plain) ? Number(plain) : plain;
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

type DataSchema = {
  type?: unknown;
  format?: unknown;
  properties?: Record<string, DataSchema>;
  $ref?: unknown;
  $defs?: Record<string, DataSchema>;
};

/** Returns the type of the schema at a path, or `date` for a string of that format. */
export function typeIn(schema: DataSchema, path: readonly string[]): string | undefined {
  let at: DataSchema | undefined = schema;
  for (const name of ['', ...path]) {
    if (name !== '') at = at?.properties && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
    const def: string | undefined = typeof at?.$ref === 'string' ? /^#\/\$defs\/([\w-]+)$/.exec(at.$ref)?.[1] : undefined;
    if (def !== undefined) at = schema.$defs && Object.hasOwn(schema.$defs, def) ? schema.$defs[def] : undefined;
  }
  if (at?.type === 'string' && at.format === 'date') return 'date';
  return typeof at?.type === 'string' ? at.type : undefined;
}
