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
 * Imports a file that was read before: a short one in this transaction, a longer one in the background.
 * Throws 403, 404, 409 `quota_exceeded`, 422 `registry_csv_invalid`, and 429 `import_queue_full`.
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
  const manner = importFormatOf(query);
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

/** Maximum waiting files of a team. Each is stored in the database until its import. */
const maxWaiting = 20;

/** Throws 429 `import_queue_full` if the team has the maximum number of waiting files. */
async function requirePlace({ db, team }: Scope): Promise<void> {
  const found = await db.locked(queries.lockImports, { team }, () => db.first(queries.countWaiting, { team, most: maxWaiting }));
  if ((found?.waiting ?? 0) < maxWaiting) return;
  throw registryProblems.import_queue_full(
    `${maxWaiting} files of your team are waiting for their import. Send this file again when fewer are waiting.`,
    {
      headers: { 'retry-after': '30' },
    },
  );
}

/** Returns the format options of a request. Throws 400 `validation_failed` for contradictory options. */
export function importFormatOf({ encoding, delimiter, unknownColumns, decimal, grouping, dateOrder, booleans }: PreviewQuery): Manner {
  const format = { decimal, grouping, dateOrder, booleans };
  requireConsistent(format);
  return { ...format, encoding, delimiter, unknown: unknownColumns === 'ignored' ? 'left out' : 'refused' };
}

/** Rows of a preview. */
const maxShown = 20;

/**
 * Reads a file like an import, without storing anything. It does not check unique values and references of other records.
 * Throws 403, 404 and 422 `registry_csv_invalid`.
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

/** Returns the report of an import. Throws 404 if the actor cannot change records. */
export async function getImport(scope: ReadScope, typeId: string, id: string): Promise<RegistryImport> {
  const reached = await readableRegistry(scope, typeId);
  if (!reached.access.can('edit')) throw notFound('import into this registry');
  return findImport(scope, reached, id);
}

/** Lists the imports into a registry, newest first. Throws 404 if the actor cannot change records. */
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
    errors: row.errors,
    ...(encoding && delimiter ? { readAs: { encoding, delimiter } } : {}),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.detail === null ? {} : { detail: row.detail }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
}
