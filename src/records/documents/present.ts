import type { DocumentRow, DocumentVersionRow } from './queries.ts';
import { type Document, type TextMember, textMembers, type Version } from './schemas.ts';

/** `preview`: the state of the preview, if the type has one and the response shows it. */
export function presentVersion(row: DocumentVersionRow, preview?: string): Version {
  return {
    number: row.number,
    fileName: row.file_name,
    mediaType: row.media_type,
    size: row.size,
    sha256: row.sha256,
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    // A check constraint of the table allows no other value.
    ...(preview === undefined ? {} : { preview: preview as NonNullable<Version['preview']> }),
  };
}

const presentTexts = (row: DocumentRow): Partial<Record<TextMember, string>> =>
  Object.fromEntries(textMembers.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])));

/** Converts a row to the document of the API. Members without a value are absent. */
export function presentDocument(row: DocumentRow): Document {
  return {
    id: row.id,
    title: row.title,
    ...presentTexts(row),
    ...(row.folder_id === null || row.folder_id === row.matter_id ? {} : { folderId: row.folder_id }),
    ...(row.matter_id === null ? {} : { matterId: row.matter_id }),
    userId: row.user_id,
    // A check constraint of the table allows no other value.
    status: row.status,
    ...(row.current === null ? {} : { currentVersion: presentVersion(row.current) }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    ...(Object.keys(row.metadata).length === 0 ? {} : { metadata: row.metadata }),
    ...(row.labels.length === 0 ? {} : { labels: row.labels }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
