import type { DocumentRow, VersionRow } from './queries.ts';
import type { Document, DocumentStatus, Version } from './schemas.ts';

export function presentVersion(row: VersionRow): Version {
  return {
    number: row.number,
    fileName: row.file_name,
    mediaType: row.media_type,
    size: row.size,
    sha256: row.sha256,
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
  };
}

/**
 * A document that somebody keeps as a record, with the version that they keep: what was written about it besides its title may be
 * about a newer one.
 */
export function presentKept(row: DocumentRow, current: VersionRow | null): Document {
  return presentDocument({ ...row, description: null, metadata: {}, labels: [], current });
}

/** The document as responses show it: what has no value is left out. */
export function presentDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    title: row.title,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.folder_id === null ? {} : { folderId: row.folder_id }),
    userId: row.user_id,
    // The table's own check allows no other.
    status: row.status as DocumentStatus,
    ...(row.current === null ? {} : { currentVersion: presentVersion(row.current) }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    ...(Object.keys(row.metadata).length === 0 ? {} : { metadata: row.metadata }),
    ...(row.labels.length === 0 ? {} : { labels: row.labels }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
