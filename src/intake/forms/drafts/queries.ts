import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { FormKey } from '../queries.ts';

export type DraftRow = Row<'submission_draft', 'id' | 'session_id' | 'version' | 'revision' | 'updated_at' | 'expires_at'> & {
  data: Record<string, unknown>;
};
const columns = 'id, session_id, version, data, revision, updated_at, expires_at';

/** The draft of a session, while it lasts. */
export const draftOfSession = sqlStatement<FormKey & { session: string; at: Date }, DraftRow>(
  `SELECT ${columns} FROM submission_draft
   WHERE team_id = $team AND session_id = $session AND interface_id = $interface AND expires_at > $at`,
);

/** The same, held until its link is mailed, with how often it was before. */
export const draftToMail = sqlStatement<FormKey & { session: string; at: Date }, DraftRow & { mails: number }>(
  `SELECT ${columns}, mails FROM submission_draft
   WHERE team_id = $team AND session_id = $session AND interface_id = $interface AND expires_at > $at FOR UPDATE`,
);

/** Takes a draft by the secret of its link: of two who do so at once, one comes after the other. */
export const draftByLink = sqlStatement<FormKey & { hash: Buffer; at: Date }, DraftRow>(
  `SELECT ${columns} FROM submission_draft
   WHERE team_id = $team AND hash = $hash AND interface_id = $interface AND expires_at > $at FOR UPDATE`,
);

/** How many drafts a form keeps, counted no further than it may have. */
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

/** Keeps the draft of a session. No row: it has another revision than the one expected. */
export const saveDraft = sqlStatement<StoredDraft, DraftRow>(
  `INSERT INTO submission_draft AS d (team_id, id, interface_id, session_id, hash, version, data, created_at, updated_at, expires_at)
   VALUES ($team, $id, $interface, $session, $hash, $version, $data, $at, $at, $expires)
   ON CONFLICT (team_id, session_id) DO UPDATE
     SET version = excluded.version, data = excluded.data, revision = d.revision + 1, updated_at = excluded.updated_at, expires_at = excluded.expires_at
     WHERE $expected::integer IS NULL OR d.revision = $expected
   RETURNING ${columns}`,
);

/** Its link was mailed: the one of before leads nowhere from now on. */
export const setDraftHash = sqlStatement<TeamScopedId & { hash: Buffer }, never>(
  'UPDATE submission_draft SET hash = $hash, mails = mails + 1 WHERE team_id = $team AND id = $id',
);

/** Gives a draft to the session that goes on with it. */
export const moveDraft = sqlStatement<TeamScopedId & { session: string }, never>(
  'UPDATE submission_draft SET session_id = $session WHERE team_id = $team AND id = $id',
);

/** Uploads that a draft names live as long as it does; whoever goes on with it has them. */
export const holdUploads = sqlStatement<{ team: string; from: string; session: string; ids: string[]; expires: Date }, never>(
  `WITH held AS (
     SELECT u.id FROM submission_upload u
     WHERE u.team_id = $team AND u.id = ANY ($ids) AND u.session_id = $from AND u.submission_id IS NULL ORDER BY u.id FOR UPDATE
   )
   UPDATE submission_upload s SET session_id = $session, expires_at = $expires FROM held
   WHERE s.team_id = $team AND s.id = held.id AND s.submission_id IS NULL`,
);

export const deleteDraft = sqlStatement<{ team: string; session: string }, { id: string }>(
  'DELETE FROM submission_draft WHERE team_id = $team AND session_id = $session RETURNING id',
);

/** What files of a session are called that no submission refers to yet. */
export const namesOfUploads = sqlStatement<{ team: string; session: string; ids: string[] }, { id: string; name: string }>(
  'SELECT id, name FROM submission_upload WHERE team_id = $team AND session_id = $session AND id = ANY ($ids) AND submission_id IS NULL',
);
