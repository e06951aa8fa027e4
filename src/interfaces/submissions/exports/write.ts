import type { Field } from '#fields';
import { cellOf, csvOf } from '#registries';
import type { Reader } from '../../../platform/database/database.ts';
import { smallestId } from '../../../platform/identifiers.ts';
import { oldestSubmissions, type Shelf } from '../list-queries.ts';
import { workInTurns } from '../../../platform/turns.ts';

/** As many as are read at a time: answers of 64 KiB each make a page end before, at 4 MiB. */
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

export type Wanted = {
  team: string;
  interface: string;
  format: 'csv' | 'json';
  shelves: readonly Shelf[];
  from: string;
  to: string;
  /** Of all versions; CSV has a column for each. */
  fields: readonly Field[];
  /** Ends the export between two pages. */
  signal: AbortSignal;
};

/**
 * Submissions as the text of a file, page by page, the oldest first: one page is in memory at a time. `counted.rows` is how many were
 * written.
 */
export async function* exportText(reader: Reader, wanted: Wanted, counted: { rows: number }): AsyncGenerator<string> {
  const { team, interface: of, format, shelves, from, to } = wanted;
  const fields = wanted.fields.filter(({ type }) => type !== 'heading');
  yield format === 'csv' ? csvOf([[...headColumns, ...fields.map(({ id }) => id)]]) : '[';
  const turns = workInTurns(team);
  let [time, beyond] = ['-infinity', smallestId];
  for (;;) {
    wanted.signal.throwIfAborted();
    const page = await reader.first(oldestSubmissions, { team, interface: of, shelves, from, to, time, beyond, limit: pageSize });
    const listed = JSON.parse(page?.body ?? '[]') as Listed[];
    if (page && listed.length > 0) {
      if (format === 'csv') yield csvOf(listed.map((one) => rowOf(one, fields)));
      else yield `${counted.rows === 0 ? '' : ','}${page.body.slice(1, -1)}`;
      counted.rows += listed.length;
    }
    if (!page?.more || !page.last) break;
    [time = time, beyond = beyond] = page.last;
    // Others are answered in between.
    await turns.next();
  }
  if (format === 'json') yield ']';
}

const rowOf = ({ id, status, version, channel, locale = '', createdAt, data = {} }: Listed, fields: readonly Field[]): string[] => [
  id,
  status,
  String(version),
  channel,
  locale,
  createdAt,
  ...fields.map((field) => cellOf(field, data[field.id])),
];
