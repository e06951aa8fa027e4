import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { undeliverableByHash } from '../../../platform/mail/undeliverable-queries.ts';
import type { Undeliverable } from '../../../platform/schema-parts.ts';
import { type Shelf } from './list-queries.ts';

export type SubmissionRow = Row<'submission', 'id' | 'interface_id' | 'version' | 'channel' | 'locale' | 'session_id' | 'task_id'> &
  Row<'submission', 'created_at' | 'updated_at' | 'erased_at' | 'erased_for'> & {
    shelf: Shelf;
    data: Record<string, unknown> | null;
    records: Record<string, unknown> | null;
    undeliverable: Undeliverable | null;
  };

/** Returns the form of a submission. */
export const interfaceOf = sqlStatement<TeamScopedId, { interface_id: string }>(
  'SELECT interface_id FROM submission WHERE team_id = $team AND id = $id',
);

/** Returns the folder with the submissions of a form, even if it was deleted. */
export const folderOfAnswers = sqlStatement<{ team: string; interface: string }, { folder_id: string | null }>(
  'SELECT folder_id FROM interface WHERE team_id = $team AND id = $interface',
);

/** Returns a submission of a form, erased or not. */
export const findSubmission = sqlStatement<TeamScopedId & { interface: string }, SubmissionRow>(
  `SELECT id, interface_id, version, channel, shelf, data, records, locale, session_id, task_id, created_at, updated_at, erased_at, erased_for,
     ${undeliverableByHash('submission.address_hash')} AS undeliverable
   FROM submission WHERE team_id = $team AND id = $id AND interface_id = $interface`,
  { shelf: 'generated from the status' },
);

export type EffectRow = RowWithout<'submission_effect', 'submission_id' | 'team_id' | 'updated_at'>;

/** Returns the effects of a submission. */
export const effectsOf = sqlStatement<TeamScopedId, EffectRow>(
  `SELECT kind, status, result_id, attempts, code, detail FROM submission_effect
   WHERE team_id = $team AND submission_id = $id ORDER BY kind`,
);

export type FileRow = Row<'submission_upload', 'id' | 'name' | 'media_type' | 'size' | 'sha256'>;

/** Returns the files of a submission. */
export const filesOf = sqlStatement<TeamScopedId, FileRow>(
  `SELECT id, name, media_type, size::float8 AS size, sha256 FROM submission_upload
   WHERE team_id = $team AND submission_id = $id ORDER BY id`,
);

/**
 * Erases the content of a submission and its dependent rows; the row itself stays. Returns no row if it was already erased. Replaces
 * the confirmation hash of an unconfirmed submission by its identifier, so no link can confirm it.
 */
export const eraseSubmission = sqlStatement<
  TeamScopedId & { by: string | null; byType: string; why: 'request' | 'retention' | 'deletion'; at: Date },
  { session_id: string | null; storage_keys: string[] }
>(
  `WITH kept AS (
     SELECT id, session_id FROM submission WHERE team_id = $team AND id = $id AND erased_at IS NULL FOR UPDATE
   ), erased AS (
     UPDATE submission s SET data = NULL, records = NULL, address_hash = NULL, locale = NULL, session_id = NULL, task_id = NULL,
       confirm_hash = CASE WHEN s.confirm_hash IS NOT NULL THEN uuid_send(s.id) END, row_version = s.row_version + 1,
       updated_at = $at, erased_at = $at, erased_by = $by, erased_by_type = $byType, erased_for = $why
     FROM kept WHERE s.team_id = $team AND s.id = kept.id
   ), effects AS (
     DELETE FROM submission_effect e USING kept WHERE e.team_id = $team AND e.submission_id = kept.id
   ), outputs AS (
     DELETE FROM submission_output o USING kept WHERE o.team_id = $team AND o.submission_id = kept.id
   ), files AS (
     DELETE FROM submission_upload u USING kept WHERE u.team_id = $team AND u.submission_id = kept.id RETURNING u.storage_key
   ), drafts AS (
     DELETE FROM submission_draft d USING kept WHERE d.team_id = $team AND d.session_id = kept.session_id
   )
   SELECT session_id, coalesce((SELECT array_agg(storage_key) FROM files), '{}') AS storage_keys FROM kept`,
);

/** Deletes a session without submissions. */
export const endSession = sqlStatement<TeamScopedId, never>(
  `DELETE FROM submission_session s WHERE s.team_id = $team AND s.id = $id
     AND NOT EXISTS (SELECT FROM submission o WHERE o.team_id = $team AND o.session_id = s.id)`,
);

/** Sets the status of a submission after a retry. Returns no row if it was erased in the meantime. */
export const settleSubmission = sqlStatement<TeamScopedId & { status: 'received' | 'failed'; at: Date }, { id: string }>(
  `UPDATE submission SET status = $status, row_version = row_version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND erased_at IS NULL RETURNING id`,
);
