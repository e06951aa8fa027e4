import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { FormKey } from '../queries.ts';

export type DraftRow = Row<'submission_draft', 'id' | 'session_id' | 'version' | 'revision' | 'updated_at' | 'expires_at'> & {
  data: Record<string, unknown>;
};
const columns = 'id, session_id, version, data, revision, updated_at, expires_at';

/** Returns the draft of a session, unless it has expired. */
export const draftOfSession = sqlStatement<FormKey & { session: string; at: Date }, DraftRow>(
  `SELECT ${columns} FROM submission_draft
   WHERE team_id = $team AND session_id = $session AND interface_id = $interface AND expires_at > $at`,
);

/** Locks the draft of a session before its link is mailed, and returns the number of mails so far. */
export const draftToMail = sqlStatement<FormKey & { session: string; at: Date }, DraftRow & { mails: number }>(
  `SELECT ${columns}, mails FROM submission_draft
   WHERE team_id = $team AND session_id = $session AND interface_id = $interface AND expires_at > $at FOR UPDATE`,
);

/** Locks a draft by the secret of its link. Concurrent calls wait for each other. */
export const draftByLink = sqlStatement<FormKey & { hash: Buffer; at: Date }, DraftRow>(
  `SELECT ${columns} FROM submission_draft
   WHERE team_id = $team AND hash = $hash AND interface_id = $interface AND expires_at > $at FOR UPDATE`,
);

/** Counts the drafts of a form, up to its limit. */
export const draftsKept = sqlStatement<FormKey & { most: number }, { kept: number }>(
  `SELECT count(*)::int AS kept FROM (
     SELECT FROM submission_draft WHERE team_id = $team AND interface_id = $interface LIMIT $most
   ) counted`,
);

type StoredDraft = FormKey & {
  id: string;
  session: string;
  hash: Buffer;
  version: number;
  data: string;
  expected: number | null;
  at: Date;
  expires: Date;
};

/** Saves the draft of a session. Returns no row if its revision differs from `$expected`. */
export const saveDraft = sqlStatement<StoredDraft, DraftRow>(
  `INSERT INTO submission_draft AS d (team_id, id, interface_id, session_id, hash, version, data, created_at, updated_at, expires_at)
   VALUES ($team, $id, $interface, $session, $hash, $version, $data, $at, $at, $expires)
   ON CONFLICT (team_id, session_id) DO UPDATE
     SET version = excluded.version, data = excluded.data, revision = d.revision + 1, updated_at = excluded.updated_at, expires_at = excluded.expires_at
     WHERE $expected::integer IS NULL OR d.revision = $expected
   RETURNING ${columns}`,
);

/** Stores the new link of a draft. The previous link stops working. */
export const setDraftHash = sqlStatement<TeamScopedId & { hash: Buffer }, never>(
  'UPDATE submission_draft SET hash = $hash, mails = mails + 1 WHERE team_id = $team AND id = $id',
);

/** Moves a draft to the session that resumed it. */
export const moveDraft = sqlStatement<TeamScopedId & { session: string }, never>(
  'UPDATE submission_draft SET session_id = $session WHERE team_id = $team AND id = $id',
);

/** Extends the lifetime of the uploads in a draft to that of the draft, and moves them to the session that resumes it. */
export const extendUploads = sqlStatement<{ team: string; from: string; session: string; ids: string[]; expires: Date }, never>(
  `WITH locked AS (
     SELECT u.id FROM submission_upload u
     WHERE u.team_id = $team AND u.id = ANY ($ids) AND u.session_id = $from AND u.submission_id IS NULL ORDER BY u.id FOR UPDATE
   )
   UPDATE submission_upload s SET session_id = $session, expires_at = $expires FROM locked
   WHERE s.team_id = $team AND s.id = locked.id AND s.submission_id IS NULL`,
);

export const deleteDraft = sqlStatement<{ team: string; session: string }, { id: string }>(
  'DELETE FROM submission_draft WHERE team_id = $team AND session_id = $session RETURNING id',
);

/** Returns the names of uploads of a session that no submission uses yet. */
export const namesOfUploads = sqlStatement<{ team: string; session: string; ids: string[] }, { id: string; name: string }>(
  'SELECT id, name FROM submission_upload WHERE team_id = $team AND session_id = $session AND id = ANY ($ids) AND submission_id IS NULL',
);
