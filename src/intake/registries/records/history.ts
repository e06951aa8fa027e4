import type { ReadScope } from '../../../platform/scope.ts';
import { shownData } from './present.ts';
import { listVersions, type VersionRow } from './queries.ts';
import type { RecordVersion } from './schemas.ts';
import { changedIds, findRecord, type FoundRecord } from './service.ts';
import type { RecordData } from './values.ts';

/** Maximum versions on a page. Each can have 64 KiB of values, and its changes. */
export const maxVersions = 50;

/** Returns the versions of a record, newest first, with one more than `limit` if there are more. Throws 404. */
export async function recordHistory(
  scope: ReadScope,
  at: { typeId: string; id: string },
  page: { before: number; limit: number },
): Promise<FoundRecord & { found: RecordVersion[] }> {
  const found = await findRecord(scope, at.typeId, at.id);
  const { registry, row } = found;
  const rows = await scope.db.all(listVersions, { team: scope.team, registry: registry.id, id: row.id, ...page });
  // The last row is only compared with the version after it.
  const shown = rows.slice(0, page.limit + 1).map((version, place) => present(version, rows[place + 1], registry.former_fields));
  return { ...found, found: shown };
}

function present(row: VersionRow, earlier: VersionRow | undefined, former: readonly string[]): RecordVersion {
  const data = shownData(row.data, former);
  return {
    version: row.version,
    act: row.act,
    ...(row.changed_by === null ? {} : { changedBy: row.changed_by }),
    changedByType: row.changed_by_type,
    changedAt: row.changed_at,
    changes: changesOf(earlier === undefined ? {} : shownData(earlier.data, former), data),
    data,
  };
}

function changesOf(before: RecordData, after: RecordData): RecordVersion['changes'] {
  const value = (key: 'from' | 'to', of: RecordData, id: string) => (Object.hasOwn(of, id) ? { [key]: of[id] } : {});
  return Object.fromEntries(changedIds(before, after).map((id) => [id, { ...value('from', before, id), ...value('to', after, id) }]));
}
