import { randomUUIDv7 } from 'node:crypto';
import { collectTexts, type Field, hasPatterns, type PatternBudget, type Patterns, PatternTexts, recordsIn } from '#fields';
import type { CellFormat, Delimiter } from '../../../platform/csv/dialect.ts';
import type { Encoding } from '../../../platform/csv/encoding.ts';
import { openTable } from '../../../platform/csv/table.ts';
import { Unreadable } from '../../../platform/csv/values.ts';
import type { FieldError } from '../../../platform/problems.ts';
import { Problem } from '../../../platform/problems.ts';
import { type YieldingWork, yieldToEventLoop } from '../../../platform/yield.ts';
import { asFields } from '../fields.ts';
import { type RecordData, type FieldsOfTeam, judgeData, prepare, withDefaults } from '../records/index.ts';
import type { RegistryField } from '../schemas.ts';
import { valueOf } from './cells.ts';
import { type Columns, columnsOf } from './columns.ts';
import { invalidCsv } from './invalid-csv.ts';
import { type UniqueValueIndex, seenValues } from './seen.ts';

const maxRows = 50_000;
/** Maximum bytes of a file, and of its text in UTF-8. */
export const maxFileBytes = 10 * 1024 * 1024;
/** A row can have ten times as many cells as a registry has fields. */
const limits = { textBytes: maxFileBytes, cellsPerRow: 1_000, rowBytes: 1024 * 1024, invalid: invalidCsv };

/** The format options for reading a file. */
export type Manner = CellFormat & {
  encoding?: Encoding | undefined;
  delimiter?: Delimiter | undefined;
  unknown: 'refused' | 'left out';
};

/**
 * A valid row. `record` is JSON with the values and keys of the record. `unique` is JSON with the values of unique fields: `[[field, key]]`. Both are
 * texts to save memory, because a file can have half a million values.
 */
export type ReadRow = {
  id: string;
  number: number;
  record: string;
  unique: string;
  named: readonly { field: string; registryTypeId: string; recordId: string }[];
};

/** An error of a row; `row` is the number in a spreadsheet, where the first row has the column names. */
export type RowError = { row: number; field?: string; reason: string; rule: string };

/** Maximum errors in a report. All rows with errors are counted. */
export const maxErrors = 1_000;

/** A row of a preview. */
export type ShownRow = { row: number; data: RecordData; errors: RowError[] };

/** The format of a file: from the request, or detected. */
export type ReadAs = { encoding: Encoding; delimiter: Delimiter };

/** The records of a file before the check against other records. `rows` is empty unless the caller needs them. */
export type ImportReading = { total: number; rows: ReadRow[]; bad: Set<number>; errors: RowError[]; readAs: ReadAs };

/** CPU time in milliseconds for the patterns of a file. */
const patternMs = 5_000;
/** The number of rows, and of characters in their cells, whose patterns are checked together. */
const batchSize = { rows: 1_000, characters: 256 * 1024 };

/** Whether to keep the rows, and the callbacks for columns and rows. */
export type ReadingOptions = { keepsRows: boolean; onColumns?: (columns: Columns) => void; onRow?: (row: ShownRow) => void };

/**
 * Reads a file as records of these fields. It keeps the rows only if requested: they take several times as much memory as the file.
 * Throws 422 `registry_csv_invalid`.
 */
export async function readFile(
  content: Buffer,
  { fields, team }: FieldsOfTeam,
  manner: Manner,
  { keepsRows, onRow, onColumns }: ReadingOptions,
): Promise<ImportReading> {
  const turns = yieldToEventLoop(team);
  const { readAs, rows } = await openTable(content, manner, limits, turns);
  const reading: ImportReading = { total: 0, rows: [], bad: new Set(), errors: [], readAs };
  const seen = seenValues();
  const judging = { fields, team, turns, budget: { leftMs: patternMs }, seen, keepsRows, onRow };
  let columns: Columns | undefined;
  let waiting: GivenRow[] = [];
  let characters = 0;
  for await (const { number, cells } of rows) {
    if (columns === undefined) {
      columns = columnsOf(fields, cells, manner.unknown);
      onColumns?.(columns);
      continue;
    }
    reading.total += 1;
    if (reading.total > maxRows)
      throw invalidCsv(`The file has more than ${maxRows} rows. Split it, and import the parts one after the other.`);
    waiting.push(readCells({ fields, columns, number, cells, format: manner }));
    characters += cells.reduce((sum, cell) => sum + cell.length, 0);
    if (waiting.length >= batchSize.rows || characters >= batchSize.characters) {
      await judgeRows(reading, waiting, judging);
      [waiting, characters] = [[], 0];
    }
  }
  await judgeRows(reading, waiting, judging);
  if (columns === undefined) throw invalidCsv('The file is empty. Its first row names the columns.');
  let before = '';
  for (const row of reading.rows) {
    row.id = before = nextId(before);
    if (turns.over) await turns.next();
  }
  return reading;
}

/** Returns an identifier greater than `before`. Lists sort by identifier within a millisecond, so this keeps the order of the file. */
function nextId(before: string): string {
  const id = randomUUIDv7();
  return id > before ? id : following(before);
}

/** Increments the last twelve hexadecimal digits, which are random. */
function following(id: string): string {
  const next = (BigInt(`0x${id.slice(24)}`) + 1n).toString(16).padStart(12, '0');
  // After the highest value there is no identifier left in this millisecond.
  return next.length > 12 ? nextId(id) : `${id.slice(0, 24)}${next}`;
}

type Reader = {
  fields: readonly RegistryField[];
  columns: Columns;
  number: number;
  cells: readonly string[];
  format: CellFormat;
};

/** A row before its values are validated. */
type GivenRow = { number: number; given: RecordData; unreadable: FieldError[] };

/** Reads the cells of a row. */
function readCells({ fields, columns, number, cells, format }: Reader): GivenRow {
  const plain = asFields(fields);
  const given: RecordData = {};
  const unreadable: FieldError[] = [];
  for (const [at, { field }] of columns.entries()) {
    const value = field && valueOf(plain[fields.indexOf(field)] ?? { id: '', type: 'text' }, cells[at] ?? '', format);
    if (field === undefined || value === undefined) continue;
    if (value instanceof Unreadable)
      unreadable.push({ name: field.id, pointer: `/data/${field.id}`, reason: value.reason, rule: value.rule });
    else given[field.id] = value;
  }
  const nameless = cells.some((cell, at) => (columns[at]?.name ?? '') === '' && cell.trim() !== '');
  if (nameless)
    unreadable.push({
      name: '',
      pointer: '',
      reason: 'A cell of the row is in a column without a name in the first row.',
      rule: 'columns',
    });
  return { number, given: unreadable.length > 0 ? given : withDefaults(fields, given), unreadable };
}

type Judging = FieldsOfTeam & {
  turns: YieldingWork;
  budget: PatternBudget;
  seen: UniqueValueIndex;
  keepsRows: boolean;
  onRow: ((row: ShownRow) => void) | undefined;
};

/** Validates the values of a batch of rows, with one check of all their patterns. */
async function judgeRows(reading: ImportReading, rows: readonly GivenRow[], judging: Judging): Promise<void> {
  const { fields, team, turns, budget, onRow } = judging;
  const plain = asFields(fields);
  const texts = new PatternTexts();
  for (const { given, unreadable } of hasPatterns(plain) ? rows : []) {
    if (unreadable.length === 0) collectTexts(plain, given, texts);
    if (turns.over) await turns.next();
  }
  const patterns = await texts.check(team, budget);
  for (const row of rows) {
    const before = reading.errors.length;
    const data = judgeRow(reading, row, { ...judging, plain, patterns });
    onRow?.({ row: row.number, data, errors: reading.errors.slice(before) });
    if (turns.over) await turns.next();
  }
}

/** Validates the values of one row, and returns them. */
function judgeRow(
  reading: ImportReading,
  { number, given, unreadable }: GivenRow,
  { fields, plain, patterns, seen, keepsRows }: Judging & { plain: Field[]; patterns: Patterns },
): RecordData {
  if (unreadable.length > 0) return (addErrors(reading, number, unreadable), given);
  const { data, errors } = judgeData(fields, given, patterns);
  if (errors.length > 0) return (addErrors(reading, number, errors), given);
  try {
    const prepared = prepare(fields, data);
    const twice = seen.take(prepared.unique, number);
    if (twice) return (addErrors(reading, number, [repeated(twice.field, twice.row)]), data);
    if (!keepsRows) return data;
    const record = JSON.stringify({ data: prepared.data, keys: prepared.keys });
    const unique = prepared.unique.length === 0 ? '' : JSON.stringify(prepared.unique.map(({ field, key }) => [field, key]));
    const named = recordsIn(plain, data);
    reading.rows.push({ id: '', number, record, unique, named: named.length > 0 ? named : none });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    addErrors(reading, number, [{ name: '', pointer: '', reason: error.detail, rule: 'size' }]);
  }
  return data;
}

const none: ReadRow['named'] = [];

const repeated = (field: string, row: number): FieldError => ({
  name: field,
  pointer: `/data/${field}`,
  reason: `The field is unique, and row ${row} has the same value.`,
  rule: 'unique',
});

/** Adds the errors of a row. The import creates no record from it. */
export function addErrors(reading: ImportReading, row: number, errors: readonly FieldError[]): void {
  reading.bad.add(row);
  for (const { name, reason, rule } of errors) {
    if (reading.errors.length >= maxErrors) return;
    reading.errors.push({ row, ...(name === '' ? {} : { field: name }), reason, rule });
  }
}
