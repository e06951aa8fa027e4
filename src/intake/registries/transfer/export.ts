import type { ExportDialect } from '../../../platform/csv/dialect.ts';
import { encodeCursor } from '../../../platform/http/page.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { asFields } from '../fields.ts';
import { registryProblems } from '../problems.ts';
import type { AccessibleRegistry } from '../access.ts';
import { listRecords, type ListQuery } from '../records/index.ts';
import type { RegistryRecord } from '../records/schemas.ts';
import { type CsvWriter, csvWriter } from './csv-writer.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';

export type ExportFormat = 'csv' | 'json';

const pageSize = 500;
/** Maximum exports of a team at a time on one node. A slow client can keep an export open for a long time. */
const maxConcurrency = 2;
const runningByTeam = new Map<string, number>();

/** Throws 429 if the team has the maximum number of exports in progress. Call this before the response begins. */
export function requireTurn(team: string): void {
  if ((runningByTeam.get(team) ?? 0) < maxConcurrency) return;
  throw registryProblems.exports_in_progress(`Your team has ${maxConcurrency} exports in progress. Wait until one ends, and try again.`, {
    headers: { 'retry-after': '10' },
  });
}

/**
 * Yields the records of a registry as a file, in parts. Only one page is in memory. Each page is a new query,
 * which leaves out records that the actor can no longer read.
 */
export async function* exportRecords(
  scope: ReadScope,
  { registry }: AccessibleRegistry,
  { format, query, dialect }: { format: ExportFormat; query: Omit<ListQuery, 'limit' | 'cursor' | 'sort'>; dialect: ExportDialect },
): AsyncGenerator<string | Buffer> {
  runningByTeam.set(scope.team, (runningByTeam.get(scope.team) ?? 0) + 1);
  try {
    const csv = csvWriter(dialect);
    yield format === 'csv' ? csv.head(['_id', '_status', ...registry.fields.map(({ id }) => id), '_createdAt', '_updatedAt']) : '[';
    const turns = yieldToEventLoop(scope.team);
    let cursor: string | undefined;
    let first = true;
    for (;;) {
      const { page } = await listRecords(scope, registry.id, { ...query, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) });
      const body = page?.body ?? '[]';
      if (body !== '[]')
        yield format === 'csv'
          ? csv.rows(rowsOf(registry, JSON.parse(body) as RegistryRecord[], csv.cell))
          : `${first ? '' : ','}${body.slice(1, -1)}`;
      first &&= body === '[]';
      if (!page?.more || !page.last) break;
      cursor = encodeCursor(page.last);
      await turns.next();
    }
    if (format === 'json') yield ']';
  } finally {
    const left = (runningByTeam.get(scope.team) ?? 1) - 1;
    if (left > 0) runningByTeam.set(scope.team, left);
    else runningByTeam.delete(scope.team);
  }
}

function rowsOf(registry: AccessibleRegistry['registry'], records: readonly RegistryRecord[], cell: CsvWriter['cell']): string[][] {
  const fields = asFields(registry.fields);
  return records.map(({ id, status, data, createdAt, updatedAt }) => [
    id,
    status,
    ...fields.map((field) => cell(field, data[field.id])),
    createdAt,
    updatedAt,
  ]);
}
