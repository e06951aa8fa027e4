import { sqlStatement } from '../../../platform/database/statement.ts';
import type { KeptFile } from '../../../platform/http/downloads.ts';
import type { FormKey } from '../queries.ts';

/** Serializes uploads to one form, so that the limits include concurrent uploads. */
export const lockUploads = sqlStatement<{ interface: string }, { locked: unknown }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('form uploads ' || $interface, 0)) AS locked",
);

export type UploadUsage = { session_files: number; session_bytes: number; waiting_files: number; waiting_bytes: number };

/** Returns the uploads of a session, and the uploads of a form without a submission. */
export const uploadsKept = sqlStatement<FormKey & { session: string | null }, UploadUsage>(
  `SELECT s.files::int AS session_files, s.bytes::float8 AS session_bytes, w.files::int AS waiting_files, w.bytes::float8 AS waiting_bytes
   FROM (SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM submission_upload WHERE team_id = $team AND session_id = $session::uuid) s,
     (SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM submission_upload
      WHERE team_id = $team AND interface_id = $interface AND submission_id IS NULL) w`,
);

type NewUpload = FormKey & {
  id: string;
  session: string | null;
  key: string;
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  at: Date;
  expires: Date;
};
export const insertUpload = sqlStatement<NewUpload, never>(
  `INSERT INTO submission_upload (team_id, id, interface_id, session_id, storage_key, name, media_type, size, sha256, created_at, expires_at)
   VALUES ($team, $id, $interface, $session, $key, $name, $mediaType, $size, $sha256, $at, $expires)`,
);

/** Returns whether a row refers to a file. */
export const uploadOfFile = sqlStatement<{ team: string; key: string }, { id: string }>(
  'SELECT id FROM submission_upload WHERE team_id = $team AND storage_key = $key',
);

/** Deletes some expired uploads of all teams. Waits for a concurrent submission that claims an upload, and then keeps the upload. */
export const endUploads = sqlStatement<{ before: Date }, { storage_key: string }>(
  `DELETE FROM submission_upload u USING (
     SELECT team_id, id FROM submission_upload WHERE expires_at < $before ORDER BY expires_at LIMIT 500
   ) over WHERE u.team_id = over.team_id AND u.id = over.id AND u.expires_at < $before
   RETURNING u.storage_key`,
);

type OfSubmission = FormKey & { submission: string };
/** Returns a file of a submission for a download. */
export const fileOf = sqlStatement<OfSubmission & { id: string }, KeptFile>(
  `SELECT u.storage_key, u.name AS file_name, u.media_type, u.size::float8 AS size, u.sha256
   FROM submission_upload u JOIN submission s ON s.team_id = $team AND s.id = u.submission_id
   WHERE u.team_id = $team AND u.id = $id AND u.submission_id = $submission AND s.interface_id = $interface AND s.erased_at IS NULL`,
);
