import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

export type Listed = Row<'document', 'id' | 'title' | 'folder_id'> & { size: number | null; file_name: string | null };

const columns = `d.id, d.title, d.folder_id,
  (SELECT v.size::float8 FROM document_version v WHERE v.team_id = $team AND v.document_id = d.id AND v.number = d.current_version) AS size,
  (SELECT v.file_name FROM document_version v WHERE v.team_id = $team AND v.document_id = d.id AND v.number = d.current_version) AS file_name`;

/** Selects the given documents that exist, with their newest files. */
export const documentsNamed = sqlStatement<{ team: string; ids: readonly string[] }, Listed>(
  `SELECT ${columns} FROM (SELECT unnest($ids::uuid[]) AS id) named CROSS JOIN LATERAL (
     SELECT o.id, o.title, o.folder_id, o.current_version FROM document o WHERE o.team_id = $team AND o.id = named.id AND o.deleted_at IS NULL OFFSET 0
   ) d`,
);

/** Selects the documents in these folders, with their newest files. */
export const documentsInFolders = sqlStatement<{ team: string; folders: readonly string[]; limit: number }, Listed>(
  `SELECT ${columns} FROM (SELECT unnest($folders::uuid[]) AS id) named CROSS JOIN LATERAL (
     SELECT o.id, o.title, o.folder_id, o.current_version FROM document o
     WHERE o.team_id = $team AND o.folder_id = named.id AND o.deleted_at IS NULL ORDER BY o.id LIMIT $limit
   ) d LIMIT $limit`,
);
