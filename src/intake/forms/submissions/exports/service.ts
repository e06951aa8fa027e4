import { randomUUIDv7 } from 'node:crypto';
import { exportType } from '#registries';
import { requireConsistent } from '../../../../platform/csv/dialect.ts';
import type { KeptFile } from '../../../../platform/http/downloads.ts';
import { notFound, pathId, smallestId } from '../../../../platform/identifiers.ts';
import { enqueue } from '../../../../platform/jobs/job.ts';
import { recordAudit } from '../../../../platform/journal/record.ts';
import { problems } from '../../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../../platform/scope.ts';
import type { Storage } from '../../../../platform/storage/storage.ts';
import { withSubmissions } from '../access.ts';
import { submissionsExported } from '../events.ts';
import { oldestSubmissions } from '../list-queries.ts';
import { managementProblems } from '../problems.ts';
import { chosen } from '../service.ts';
import { exportJob } from './jobs.ts';
import * as queries from './queries.ts';
import type { ExportBody } from './schemas.ts';

const maxConcurrency = 2;

/** Requests an export. The job writes the file after the commit. Throws 400, 403, 404, 409 `quota_exceeded`, 429 `exports_in_progress`. */
export async function requestExport(scope: Scope, interfaceId: string, body: ExportBody): Promise<queries.ExportRow> {
  const { db, team, actor, now: at } = scope;
  const { format, encoding, delimiter, decimal, grouping, dateOrder, booleans, ...filters } = body;
  const dialect = { encoding, delimiter, decimal, grouping, dateOrder, booleans };
  requireConsistent(dialect);
  const { row, access } = await withSubmissions(scope, interfaceId);
  if (actor.type === 'system') throw problems.forbidden('An export needs a user, a client or an agent.');
  // Run the query once, so that invalid filters fail at the request and not in the job.
  await db.first(oldestSubmissions, {
    team,
    interfaces: [row.id],
    ...chosen(filters),
    q: null,
    time: '-infinity',
    beyond: smallestId,
    limit: 1,
  });
  const id = randomUUIDv7();
  const waiting = await db.locked(queries.lockExports, { team }, () => db.first(queries.waitingExports, { team }));
  if ((waiting?.waiting ?? 0) >= maxConcurrency)
    throw managementProblems.exports_in_progress(`Your team already has ${maxConcurrency} running exports. Wait until one ends.`, {
      headers: { 'retry-after': '10' },
    });
  db.send(queries.insertExport, {
    team,
    id,
    interface: row.id,
    format,
    dialect: JSON.stringify(dialect),
    filters: JSON.stringify(filters),
    by: actor.id,
    byType: actor.type,
    at,
  });
  enqueue(scope, exportJob, { team, export: id });
  await recordAudit(scope, submissionsExported, row.id, { exportId: id, format, ...access.byRole('view_submissions') });
  return required(await db.first(queries.findExport, { team, id }));
}

/** Returns an export of a form whose submissions the actor can read. Throws 403, 404. */
export async function getExport(scope: ReadScope, interfaceId: string, exportId: string): Promise<queries.ExportRow & { via?: 'role' }> {
  const { row, access } = await withSubmissions(scope, interfaceId);
  const found = await scope.db.first(queries.findExport, { team: scope.team, id: pathId(exportId, 'export') });
  return { ...required(found?.interface_id === row.id ? found : undefined), ...access.byRole('view_submissions') };
}

/** Returns the file of an export, its form, and the access of the actor. Throws 403, 404, 409 `export_not_ready`. */
export async function exportFile(
  scope: ReadScope,
  interfaceId: string,
  exportId: string,
): Promise<KeptFile & { interfaceId: string; via?: 'role' | undefined }> {
  const { storage_key: key, size, sha256, format, dialect, status, detail, ...row } = await getExport(scope, interfaceId, exportId);
  if (key === null || size === null || sha256 === null)
    throw managementProblems.export_not_ready(
      status === 'failed' ? `The export failed: ${detail ?? ''}` : 'Chancery is writing the file. Try again in a few seconds.',
      status === 'failed' ? {} : { headers: { 'retry-after': '2' } },
    );
  const file = { storage_key: key, size, sha256, file_name: `submissions.${format}`, media_type: exportType(format, dialect) };
  return { ...file, interfaceId: row.interface_id, via: row.via };
}

/** Deletes finished and running exports of a form, because they may contain erased answers. */
export async function endExports(storage: Storage, { db, team }: Scope, interfaceId: string): Promise<void> {
  const ended = await db.locked(queries.lockErasureShared, { interface: interfaceId }, () =>
    db.all(queries.endExportsOf, { team, interface: interfaceId }),
  );
  for (const { storage_key: key } of ended)
    // If the process ends before this, the nightly cleanup removes the file.
    if (key !== null) db.afterCommit(() => void storage.remove(key).catch(() => undefined));
}

function required(row: queries.ExportRow | undefined): queries.ExportRow {
  if (!row) throw notFound('export');
  return row;
}
