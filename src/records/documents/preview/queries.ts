import { sqlStatement } from '../../../platform/database/statement.ts';
import { ended } from '../reference-queries.ts';
import type { DocumentVersionRow } from '../queries.ts';

type VersionKey = { team: string; document: string; version: number };
const one = 'team_id = $team AND document_id = $document AND version = $version';

export const insertPreview = sqlStatement<VersionKey, never>(
  'INSERT INTO document_preview (team_id, document_id, version) VALUES ($team, $document, $version)',
);

/** Selects a version with a pending preview. Erased documents are excluded. */
export const previewToMake = sqlStatement<VersionKey, Pick<DocumentVersionRow, 'storage_key' | 'size'>>(
  `SELECT v.storage_key, v.size FROM document_preview p
   JOIN document_version v ON v.team_id = $team AND v.document_id = p.document_id AND v.number = p.version
   JOIN document d ON d.team_id = $team AND d.id = p.document_id
   WHERE p.team_id = $team AND p.document_id = $document AND p.version = $version AND p.status = 'pending'
     AND d.deleted_at IS DISTINCT FROM ${ended}`,
);

/** Marks a preview as ready. Returns no row if its version is gone or another node finished first. */
export const previewMade = sqlStatement<VersionKey, { version: number }>(
  `UPDATE document_preview SET status = 'ready' WHERE ${one} AND status = 'pending' RETURNING version`,
);

export const insertPreviewFile = sqlStatement<
  VersionKey & { key: string; size: number; sha256: string; width: number; height: number; pages: number },
  never
>(
  `INSERT INTO document_preview_file (team_id, document_id, version, storage_key, size, sha256, width, height, pages)
   VALUES ($team, $document, $version, $key, $size, $sha256, $width, $height, $pages)`,
);

/** Marks a preview as failed. Reasons: `locked`, `unreadable`, `limit`, or `missing` if the file is not in the storage. */
export const previewFailed = sqlStatement<VersionKey & { reason: string }, never>(
  `UPDATE document_preview SET status = 'failed', reason = $reason WHERE ${one} AND status = 'pending'`,
);

/** The state of a version’s preview and its file. */
export const findPreview = sqlStatement<
  VersionKey,
  { status: string; reason: string | null; storage_key: string | null; size: number | null; sha256: string | null }
>(
  `SELECT p.status, p.reason, f.storage_key, f.size, f.sha256 FROM document_preview p
   LEFT JOIN document_preview_file f ON f.team_id = $team AND f.document_id = p.document_id AND f.version = p.version
   WHERE p.team_id = $team AND p.document_id = $document AND p.version = $version`,
);
