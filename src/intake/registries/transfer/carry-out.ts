import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { AccessibleRegistry } from '../access.ts';
import { registryImported } from '../events.ts';
import { endImport } from './queries.ts';
import type { ImportReading } from './read.ts';
import { type Mode, writeRows } from './write.ts';

/** Creates the records of a file, stores the report, and records one event for all rows. */
export async function carryOut(
  scope: Scope,
  { registry, access }: AccessibleRegistry,
  { id, mode, reading }: { id: string; mode: Mode; reading: ImportReading },
): Promise<void> {
  const imported = await writeRows(scope, { registry, access }, reading, mode);
  const [rows, bad] = [reading.total, reading.bad.size];
  const status = mode === 'all' && bad > 0 ? 'refused' : 'done';
  scope.db.send(endImport, {
    team: scope.team,
    id,
    status,
    total: rows,
    imported,
    bad,
    errors: JSON.stringify(reading.errors.toSorted((one, other) => one.row - other.row)),
    code: null,
    detail: null,
    at: scope.now,
  });
  await record(scope, registryImported, registry.id, { importId: id, status, rows, imported, errorCount: bad, ...access.byRole('edit') });
}
