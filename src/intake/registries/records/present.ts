import type { RecordRow } from './queries.ts';
import type { RegistryRecord } from './schemas.ts';
import type { RecordData } from './values.ts';

/** Returns the values without those of removed fields. */
export function shownData(data: RecordData, former: readonly string[]): RecordData {
  return former.length === 0 ? data : Object.fromEntries(Object.entries(data).filter(([id]) => !former.includes(id)));
}

/** Builds the response of a record. */
export function presentRecord(row: RecordRow, former: readonly string[]): RegistryRecord {
  return {
    id: row.id,
    data: shownData(row.data, former),
    status: row.state,
    version: row.version,
    ...(row.created_by === null ? {} : { createdBy: row.created_by }),
    createdByType: row.created_by_type,
    ...(row.changed_by === null ? {} : { updatedBy: row.changed_by }),
    updatedByType: row.changed_by_type,
    ...(row.submission_id === null ? {} : { submissionId: row.submission_id }),
    ...(row.workflow_id === null ? {} : { workflowId: row.workflow_id }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
  };
}
