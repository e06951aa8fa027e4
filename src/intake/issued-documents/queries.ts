import type { Row } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

export type About = { kind: string; about: string };

/** The status of a document. `withdrawn` means that it was issued and its source was erased. */
export type IssuedDocumentStatus = 'pending' | 'ready' | 'failed' | 'withdrawn';

export type IssuedDocumentRow = Row<'issued_document', 'id' | 'status' | 'issued_at' | 'error'> & {
  storage_key: string | null;
  size: number | null;
  sha256: string | null;
  pages: number | null;
};

/** Inserts a document. A source has one document of each kind. */
export const insertDocument = sqlStatement<TeamScopedId & About, never>(
  'INSERT INTO issued_document (team_id, id, kind, about) VALUES ($team, $id, $kind, $about) ON CONFLICT DO NOTHING',
);

export const documentAbout = sqlStatement<About & { team: string }, IssuedDocumentRow>(
  `SELECT r.id, r.status, r.issued_at, r.error, f.storage_key, f.size, f.sha256, f.pages
   FROM issued_document r LEFT JOIN issued_document_file f ON f.team_id = r.team_id AND f.id = r.id
   WHERE r.team_id = $team AND r.kind = $kind AND r.about = $about`,
);

/** A document that is not yet issued. */
export const pendingDocument = sqlStatement<TeamScopedId, About>(
  "SELECT kind, about FROM issued_document WHERE team_id = $team AND id = $id AND status = 'pending'",
);

/** Marks a document as issued. Of two concurrent jobs only one gets a row. */
export const issueDocument = sqlStatement<TeamScopedId & { codeHash: Buffer; now: Date }, { id: string }>(
  `UPDATE issued_document SET status = 'ready', code_hash = $codeHash, issued_at = $now
   WHERE team_id = $team AND id = $id AND status = 'pending' RETURNING id`,
);

export const insertFile = sqlStatement<TeamScopedId & { key: string; size: number; sha256: string; pages: number }, never>(
  'INSERT INTO issued_document_file (team_id, id, storage_key, size, sha256, pages) VALUES ($team, $id, $key, $size, $sha256, $pages)',
);

export const failDocument = sqlStatement<TeamScopedId & { error: string }, About>(
  `UPDATE issued_document SET status = 'failed', error = $error WHERE team_id = $team AND id = $id AND status = 'pending' RETURNING kind, about`,
);

export const retryDocument = sqlStatement<About & { team: string }, { id: string }>(
  `UPDATE issued_document SET status = 'pending', error = NULL
   WHERE team_id = $team AND kind = $kind AND about = $about AND status = 'failed' RETURNING id`,
);

/** Withdraws a document. Its code stays, so that a verification can report the withdrawal. */
export const withdrawDocument = sqlStatement<About & { team: string }, { id: string; storage_key: string | null }>(
  `WITH withdrawn AS (
     UPDATE issued_document SET status = 'withdrawn', error = NULL
     WHERE team_id = $team AND kind = $kind AND about = $about AND status <> 'withdrawn' RETURNING team_id, id
   ),
   gone AS (
     DELETE FROM issued_document_file f USING withdrawn w WHERE f.team_id = w.team_id AND f.id = w.id RETURNING f.id, f.storage_key
   )
   SELECT w.id, g.storage_key FROM withdrawn w LEFT JOIN gone g ON g.id = w.id`,
);

/** The document with this code, of any team. */
export const documentByCode = sqlStatement<
  { codeHash: Buffer },
  { status: IssuedDocumentStatus; issued_at: string; issuer: string; sha256: string | null }
>('SELECT status, issued_at, issuer, sha256 FROM issued_document_by_code($codeHash)', {
  issued_at: 'a document with a code has an issue time',
});
