import { randomUUIDv7 } from 'node:crypto';
import { requireConsistent } from '../../../platform/csv/dialect.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { type AccessibleRegistry, readableRegistry, writableRegistry } from '../access.ts';
import { importQueued } from '../events.ts';
import { registryProblems } from '../problems.ts';
import { type Ahead, atOnce, readAhead, readingFor } from './ahead.ts';
import { carryOut } from './carry-out.ts';
import { importJob } from './jobs.ts';
import * as queries from './queries.ts';
import type { Columns } from './columns.ts';
import type { Manner, ShownRow } from './read.ts';
import type { ImportPreview, ImportQuery, PreviewQuery, RegistryImport } from './schemas.ts';

/**
 * Imports a file of records, which was read before: at once where it is short, and else in the background.
 * Errors: 403, 404, 409 `quota_exceeded`, 422 `registry_csv_invalid`, 429 `import_queue_full`.
 */
export async function importFile(
  scope: Scope,
  typeId: string,
  { content, ahead }: { content: Buffer; ahead: Ahead },
  query: ImportQuery,
): Promise<RegistryImport> {
  const { actor } = scope;
  if (!('id' in actor)) throw new Error('an import needs an actor with an identifier');
  const reached = await writableRegistry(scope, typeId);
  const { mode = 'all' } = query;
  const manner = mannerOf(query);
  const reading = await readingFor(ahead, { ...reached, team: scope.team }, content, manner);
  const id = randomUUIDv7();
  const waits = content.length > atOnce.bytes || reading.total > atOnce.rows;
  if (waits) await requirePlace(scope);
  scope.db.send(queries.insertImport, {
    team: scope.team,
    id,
    registry: reached.registry.id,
    status: 'waiting',
    mode,
    manner: JSON.stringify({ ...manner, ...reading.readAs }),
    content: waits ? content : Buffer.alloc(0),
    total: reading.total,
    by: actor.id,
    byType: actor.type,
    at: scope.now,
  });
  if (waits) {
    enqueue(scope, importJob, { team: scope.team, import: id }, { id });
    await recordAudit(scope, importQueued, reached.registry.id, { importId: id, rows: reading.total, ...reached.access.byRole('edit') });
  } else await carryOut(scope, reached, { id, mode, reading });
  return findImport(scope, reached, id);
}

/** Files of one team that wait: each stands in the database until its records are made. */
const maxWaiting = 20;

/** Errors: 429 `import_queue_full`. */
async function requirePlace({ db, team }: Scope): Promise<void> {
  const found = await db.locked(queries.lockImports, { team }, () => db.first(queries.countWaiting, { team, most: maxWaiting }));
  if ((found?.waiting ?? 0) < maxWaiting) return;
  throw registryProblems.import_queue_full(`${maxWaiting} files of your team wait to be imported. Send this one when some of them are.`, {
    headers: { 'retry-after': '30' },
  });
}

/** How a file is read, as the request says. Errors: 400 `validation_failed` for options that contradict each other. */
export function mannerOf({ encoding, delimiter, unknownColumns, decimal, grouping, dateOrder, booleans }: PreviewQuery): Manner {
  const format = { decimal, grouping, dateOrder, booleans };
  requireConsistent(format);
  return { ...format, encoding, delimiter, unknown: unknownColumns === 'ignored' ? 'left out' : 'refused' };
}

/** Rows that a preview shows. */
const maxShown = 20;

/**
 * Reads a file as an import would, and keeps nothing. Unique values of other records, and records that rows name, are not looked up.
 * Errors: 403, 404, 422 `registry_csv_invalid`.
 */
export async function previewImport(scope: ReadScope, typeId: string, content: Buffer, manner: Manner): Promise<ImportPreview> {
  let columns: Columns = [];
  const first: ShownRow[] = [];
  const { reading } = await readAhead(scope, typeId, content, manner, {
    keepsRows: false,
    onColumns: (found) => (columns = found),
    onRow: (row) => first.length < maxShown && first.push(row),
  });
  return {
    readAs: reading.readAs,
    columns: columns.map(({ name, field }) => ({ name: name.slice(0, 64), ...(field ? { fieldId: field.id } : {}) })),
    rows: reading.total,
    errorCount: reading.bad.size,
    first,
    errors: reading.errors,
  };
}

async function findImport(scope: Scope | ReadScope, { registry }: AccessibleRegistry, id: string): Promise<RegistryImport> {
  const row = await scope.db.first(queries.findImport, { team: scope.team, registry: registry.id, id: pathId(id, 'import') });
  if (!row) throw notFound('import into this registry');
  return present(row);
}

/** What came of an import, for those who may change records. Errors: 404. */
export async function getImport(scope: ReadScope, typeId: string, id: string): Promise<RegistryImport> {
  const reached = await readableRegistry(scope, typeId);
  if (!reached.access.can('edit')) throw notFound('import into this registry');
  return findImport(scope, reached, id);
}

/** The last imports into a registry, the newest first, for those who may change records. Errors: 404. */
export async function listImports(scope: ReadScope, typeId: string, page: { before: string; limit: number }): Promise<RegistryImport[]> {
  const { registry, access } = await readableRegistry(scope, typeId);
  if (!access.can('edit')) throw notFound('import into this registry');
  return (await scope.db.all(queries.listImports, { team: scope.team, registry: registry.id, ...page })).map(present);
}

function present(row: queries.ImportRow): RegistryImport {
  const { encoding, delimiter } = row.manner;
  return {
    id: row.id,
    registryId: row.registry_id,
    status: row.status,
    mode: row.mode,
    rows: row.total,
    imported: row.imported,
    errorCount: row.bad,
    errors: row.faults,
    ...(encoding && delimiter ? { readAs: { encoding, delimiter } } : {}),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.detail === null ? {} : { detail: row.detail }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}
