import { randomUUIDv7 } from 'node:crypto';
import { recordsIn } from '#fields';
import type { FieldError } from '../../platform/problems.ts';
import { Problem } from '../../platform/problems.ts';
import { workInTurns } from '../../platform/turns.ts';
import { asFields } from '../fields.ts';
import { type Data, judgeData, prepare, withDefaults } from '../records/index.ts';
import type { RegistryField } from '../schemas.ts';
import { type Decimal, valueOf } from './cells.ts';
import { type Columns, columnsOf, type Delimiter, invalidCsv, mostRows, rowsOf } from './parse.ts';
import { type Seen, seenValues } from './seen.ts';

/** How a file is read. */
export type Manner = { delimiter?: Delimiter | undefined; decimal: Decimal; unknown: 'refused' | 'left out' };

/**
 * A row that can be made a record; `record` is its values and what it is found by, as JSON, and `unique` what nobody else may have, as JSON:
 * `[[field, key]]`. Texts, since of the largest file there are half a million such values.
 */
export type Row = {
  id: string;
  number: number;
  record: string;
  unique: string;
  named: readonly { field: string; registryTypeId: string; recordId: string }[];
};

/** What is wrong with a row; `row` is its number in a spreadsheet, in which the first row names the columns. */
export type RowFault = { row: number; field?: string; reason: string; rule: string };

/** Faults that a report tells at most; the others are counted. */
export const mostFaults = 1_000;

/** A file as records, as far as it can be told without asking for others; without `rows` where nobody makes records of them yet. */
export type Reading = { total: number; rows: Row[]; bad: Set<number>; faults: RowFault[] };

/**
 * Reads a file as records of these fields, and keeps its rows where they are wanted: they take several times as much memory as the file. Errors:
 * 422 `registry_csv_invalid`.
 */
export async function readFile(
  content: Buffer,
  fields: readonly RegistryField[],
  { delimiter, decimal, unknown }: Manner,
  { keepsRows }: { keepsRows: boolean },
): Promise<Reading> {
  const reading: Reading = { total: 0, rows: [], bad: new Set(), faults: [] };
  const seen = seenValues();
  const turns = workInTurns();
  let columns: Columns | undefined;
  for await (const cells of rowsOf(content, delimiter)) {
    if (columns === undefined) {
      columns = columnsOf(fields, cells, unknown);
      continue;
    }
    reading.total += 1;
    if (reading.total > mostRows)
      throw invalidCsv(`The file has more than ${mostRows} rows. Divide it, and import the parts one after the other.`);
    readRow(reading, { fields, columns, cells, decimal, seen, keepsRows });
    if (turns.over) await turns.next();
  }
  if (columns === undefined) throw invalidCsv('The file is empty. Its first row names the columns.');
  let before = '';
  for (const row of reading.rows) {
    row.id = before = nextId(before);
    if (turns.over) await turns.next();
  }
  return reading;
}

/** Records are listed by age, and those of one millisecond by their identifiers: in the order of the file. */
function nextId(before: string): string {
  const id = randomUUIDv7();
  return id > before ? id : following(before);
}

/** The identifier after one, by its last twelve digits, which are random: there is room behind them. */
function following(id: string): string {
  const next = (BigInt(`0x${id.slice(24)}`) + 1n).toString(16).padStart(12, '0');
  // Of all ones there is none in this millisecond.
  return next.length > 12 ? nextId(id) : `${id.slice(0, 24)}${next}`;
}

type Reader = {
  fields: readonly RegistryField[];
  columns: Columns;
  cells: readonly string[];
  decimal: Decimal;
  seen: Seen;
  keepsRows: boolean;
};

function readRow(reading: Reading, { fields, columns, cells, decimal, seen, keepsRows }: Reader): void {
  const number = reading.total + 1;
  const plain = asFields(fields);
  const given: Data = {};
  for (const [at, field] of columns.entries()) {
    const value = field && valueOf(plain[fields.indexOf(field)] ?? { id: '', type: 'text' }, cells[at] ?? '', decimal);
    if (field && value !== undefined) given[field.id] = value;
  }
  const beyond = cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (beyond)
    return addFaults(reading, number, [{ name: '', pointer: '', reason: 'The row has more cells than the first row.', rule: 'columns' }]);
  const { data, faults } = judgeData(fields, withDefaults(fields, given));
  if (faults.length > 0) return addFaults(reading, number, faults);
  try {
    const prepared = prepare(fields, data);
    const twice = seen.take(prepared.unique, number);
    if (twice) return addFaults(reading, number, [repeated(twice.field, twice.row)]);
    if (!keepsRows) return;
    const record = JSON.stringify({ data: prepared.data, keys: prepared.keys });
    const unique = prepared.unique.length === 0 ? '' : JSON.stringify(prepared.unique.map(({ field, key }) => [field, key]));
    const named = recordsIn(plain, data);
    reading.rows.push({ id: '', number, record, unique, named: named.length > 0 ? named : none });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    addFaults(reading, number, [{ name: '', pointer: '', reason: error.detail, rule: 'size' }]);
  }
}

const none: Row['named'] = [];

const repeated = (field: string, row: number): FieldError => ({
  name: field,
  pointer: `/data/${field}`,
  reason: `The field is unique, and row ${row} has the same value.`,
  rule: 'unique',
});

/** Says of a row what is wrong with it: it is made no record. */
export function addFaults(reading: Reading, row: number, faults: readonly FieldError[]): void {
  reading.bad.add(row);
  for (const { name, reason, rule } of faults) {
    if (reading.faults.length >= mostFaults) return;
    reading.faults.push({ row, ...(name === '' ? {} : { field: name }), reason, rule });
  }
}
