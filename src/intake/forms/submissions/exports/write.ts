import type { Field } from '#fields';
import { type CsvWriter, csvWriter } from '#registries';
import type { ExportDialect } from '../../../../platform/csv/dialect.ts';
import type { Reader } from '../../../../platform/database/database.ts';
import { smallestId } from '../../../../platform/identifiers.ts';
import { oldestSubmissions, type Shelf } from '../list-queries.ts';
import { yieldToEventLoop } from '../../../../platform/yield.ts';

/** The maximum number of submissions of a page. A page with long answers ends earlier, at 4 MiB. */
const pageSize = 200;

type Listed = {
  id: string;
  status: string;
  version: number;
  channel: string;
  locale?: string;
  createdAt: string;
  data?: Record<string, unknown>;
};
const headColumns = ['_id', '_status', '_version', '_channel', '_locale', '_createdAt'];

export type ExportOptions = {
  team: string;
  interface: string;
  format: 'csv' | 'json';
  dialect: ExportDialect;
  shelves: readonly Shelf[];
  from: string;
  to: string;
  /** The fields of all versions. CSV has a column for each. */
  fields: readonly Field[];
  /** Stops the export between two pages. */
  signal: AbortSignal;
};

/**
 * Yields the text of a file page by page, oldest submissions first, with one page in memory. Sets `counted.rows` to the number of
 * submissions.
 */
export async function* exportText(reader: Reader, wanted: ExportOptions, counted: { rows: number }): AsyncGenerator<string | Buffer> {
  const { team, interface: of, format, dialect, shelves, from, to } = wanted;
  const csv = csvWriter(dialect);
  const fields = wanted.fields.filter(({ type }) => type !== 'heading');
  yield format === 'csv' ? csv.head([...headColumns, ...fields.map(({ id }) => id)]) : '[';
  const turns = yieldToEventLoop(team);
  let [time, beyond] = ['-infinity', smallestId];
  for (;;) {
    wanted.signal.throwIfAborted();
    const page = await reader.first(oldestSubmissions, {
      team,
      interfaces: [of],
      shelves,
      from,
      to,
      q: null,
      time,
      beyond,
      limit: pageSize,
    });
    const listed = JSON.parse(page?.body ?? '[]') as Listed[];
    if (page && listed.length > 0) {
      if (format === 'csv') yield csv.rows(listed.map((one) => rowOf(one, fields, csv.cell)));
      else yield `${counted.rows === 0 ? '' : ','}${page.body.slice(1, -1)}`;
      counted.rows += listed.length;
    }
    if (!page?.more || !page.last) break;
    [time = time, beyond = beyond] = page.last;
    // Yield, so that the process can handle other requests.
    await turns.next();
  }
  if (format === 'json') yield ']';
}

const rowOf = (
  { id, status, version, channel, locale = '', createdAt, data = {} }: Listed,
  fields: readonly Field[],
  cell: CsvWriter['cell'],
): string[] => [id, status, String(version), channel, locale, createdAt, ...fields.map((field) => cell(field, data[field.id]))];
