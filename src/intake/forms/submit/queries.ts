import type { Text } from '#fields';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { FormBinding } from '../form-binding.ts';
import type { FormKey } from '../queries.ts';
import type { Definition } from '../schemas.ts';

export type AnsweredVersion = {
  number: number;
  definition: Definition;
  uses_by: string;
  bindings: FormBinding[];
  /** The publication time of the next version, if any. */
  superseded_at: string | null;
  /** Whether a later version was published with `supersede: now`. */
  at_once: boolean;
};

/** Returns a published version and whether later versions superseded it. */
export const answeredVersion = sqlStatement<FormKey & { number: number }, AnsweredVersion>(
  `SELECT v.number, v.definition, v.uses_by, v.bindings, later.superseded_at, coalesce(later.at_once, false) AS at_once
   FROM interface_version v JOIN interface i ON i.team_id = $team AND i.id = $interface
   CROSS JOIN LATERAL (
     SELECT min(n.published_at) AS superseded_at, bool_or(n.supersede = 'now') AS at_once FROM interface_version n
     WHERE n.team_id = $team AND n.interface_id = $interface AND n.number > $number
   ) later
   WHERE v.team_id = $team AND v.interface_id = $interface AND v.number = $number`,
);

/** Returns the session of a visitor with a form, by the hash of its token. */
export const findSession = sqlStatement<FormKey & { hash: Buffer }, { id: string }>(
  'SELECT id FROM submission_session WHERE team_id = $team AND hash = $hash AND interface_id = $interface AND expires_at > now()',
);

export const insertSession = sqlStatement<FormKey & { id: string; link: string; hash: Buffer; at: Date; expires: Date }, never>(
  `INSERT INTO submission_session (team_id, id, interface_id, link_id, hash, created_at, expires_at)
   VALUES ($team, $id, $interface, $link, $hash, $at, $expires)`,
);

/** Ends a session before it expires. */
export const endSession = sqlStatement<{ team: string; id: string; at: Date }, never>(
  'UPDATE submission_session SET expires_at = $at WHERE team_id = $team AND id = $id AND expires_at > $at',
);

/** Extends a session that has not expired. */
export const extendSessionUntil = sqlStatement<TeamScopedId & { at: Date; expires: Date }, never>(
  'UPDATE submission_session SET expires_at = $expires WHERE team_id = $team AND id = $id AND expires_at > $at AND expires_at < $expires',
);

/** Retires a link after its one use. Its session can read the results for a day. */
export const endLink = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE interface_link SET retired_at = $at WHERE team_id = $team AND id = $id AND retired_at IS NULL',
);

/** Deletes the draft of a session after its submission. */
export const deleteSubmittedDraft = sqlStatement<{ team: string; session: string }, never>(
  'DELETE FROM submission_draft WHERE team_id = $team AND session_id = $session',
);

type NewSubmission = FormKey & {
  id: string;
  version: number;
  channel: string;
  status: string;
  data: string;
  records: string | null;
  address: string | null;
  locale: string;
  session: string | null;
  task: string | null;
  confirmHash: Buffer | null;
  confirmUntil: Date | null;
  at: Date;
};
export const insertSubmission = sqlStatement<NewSubmission, never>(
  `INSERT INTO submission (team_id, id, interface_id, version, channel, status, data, records, address_hash, locale, session_id, task_id, confirm_hash,
     confirm_until, created_at, updated_at)
   VALUES ($team, $id, $interface, $version, $channel, $status, $data, $records, address_hash($team, $address), $locale, $session, $task, $confirmHash,
     $confirmUntil, $at, $at)`,
);

/** Marks a proof of work as used. Returns no row if it was used before. */
export const spendProof = sqlStatement<{ team: string; id: Buffer; expiresAt: Date }, { spent: boolean }>(
  `INSERT INTO submission_proof (team_id, id, expires_at) VALUES ($team, $id, $expiresAt)
   ON CONFLICT DO NOTHING RETURNING true AS spent`,
);

/** Counts the unconfirmed submissions of a form since a time, up to a limit. Excludes older ones that a legal hold keeps. */
export const countUnconfirmed = sqlStatement<FormKey & { since: Date; most: number }, { unconfirmed: number }>(
  `SELECT count(*)::int AS unconfirmed FROM (
     SELECT FROM submission WHERE team_id = $team AND interface_id = $interface AND shelf = 'held' AND created_at > $since LIMIT $most
   ) waiting`,
);

/** Confirms an unconfirmed submission. Returns no row if the link was already used or has expired. */
export const takeUnconfirmed = sqlStatement<
  FormKey & { hash: Buffer; session: string; at: Date },
  { id: string; version: number; data: Record<string, unknown> }
>(
  `UPDATE submission SET status = 'received', confirm_hash = NULL, confirm_until = NULL, session_id = $session, row_version = row_version + 1,
     updated_at = $at
   WHERE team_id = $team AND interface_id = $interface AND shelf = 'held' AND confirm_hash = $hash AND confirm_until > $at
   RETURNING id, version, data`,
  { data: 'a submission that is not erased has data' },
);

export type ClaimedUpload = { id: string; media_type: string; size: number };

/** Assigns uploads of a session to a submission. Returns no row for expired uploads and for uploads of another submission. */
export const claimUploads = sqlStatement<FormKey & { session: string | null; submission: string; ids: string[]; at: Date }, ClaimedUpload>(
  `WITH locked AS (
     SELECT u.id FROM submission_upload u WHERE u.team_id = $team AND u.id = ANY ($ids) AND u.interface_id = $interface
       AND u.session_id IS NOT DISTINCT FROM $session::uuid AND u.submission_id IS NULL AND u.expires_at > $at
     ORDER BY u.id FOR UPDATE
   )
   UPDATE submission_upload s SET submission_id = $submission, expires_at = NULL FROM locked
   WHERE s.team_id = $team AND s.id = locked.id AND s.submission_id IS NULL
   RETURNING s.id, s.media_type, s.size::float8 AS size`,
);

/**
 * Counts a submission as the last statement of the transaction. Concurrent submissions wait for the commit, so the maximum is never exceeded. Returns
 * no row if the form is full, or was closed itself or with its matter.
 */
export const countSubmission = sqlStatement<FormKey & { channel: string; most: number | null; at: Date }, { taken: number }>(
  `WITH day AS (
     INSERT INTO interface_day AS d (team_id, interface_id, day, channel, received)
     VALUES ($team, $interface, ($at::timestamptz AT TIME ZONE 'UTC')::date, $channel, 1)
     ON CONFLICT (team_id, interface_id, day, channel) DO UPDATE SET received = d.received + 1
   )
   UPDATE interface_count c SET taken = c.taken + 1
   WHERE c.team_id = $team AND c.interface_id = $interface AND ($most::bigint IS NULL OR c.taken < $most)
     AND EXISTS (SELECT FROM interface i WHERE i.team_id = $team AND i.id = $interface AND i.status = 'published'
       AND i.suspended_at IS NULL AND i.deleted_at IS NULL AND lock_open_matter($team, i.folder_id))
   RETURNING c.taken::int AS taken`,
);

export const countSpam = sqlStatement<FormKey & { channel: string; at: Date }, never>(
  `INSERT INTO interface_day AS d (team_id, interface_id, day, channel, spam)
   VALUES ($team, $interface, ($at::timestamptz AT TIME ZONE 'UTC')::date, $channel, 1)
   ON CONFLICT (team_id, interface_id, day, channel) DO UPDATE SET spam = d.spam + 1`,
);

export type DocumentToFile = {
  interface_id: string;
  document_id: string;
  owner_id: string;
  uses_by: string;
  locale: string | null;
  title: Text;
  settings: Definition['publicSettings'];
};

/** Returns the document of a submission, and the members whose rights apply. Returns no row without a document or after an erasure. */
export const documentToFile = sqlStatement<TeamScopedId, DocumentToFile>(
  `SELECT s.interface_id, e.result_id AS document_id, i.owner_id, v.uses_by, s.locale, v.definition -> 'title' AS title,
     v.definition -> 'publicSettings' AS settings
   FROM submission s
   JOIN submission_effect e ON e.team_id = $team AND e.submission_id = s.id AND e.kind = 'document' AND e.status = 'done'
   JOIN interface i ON i.team_id = $team AND i.id = s.interface_id
   JOIN interface_version v ON v.team_id = $team AND v.interface_id = s.interface_id AND v.number = s.version
   WHERE s.team_id = $team AND s.id = $id AND s.erased_at IS NULL`,
  { document_id: 'a finished document effect has a result', title: 'a definition has a title', settings: 'a definition has settings' },
);

export type EffectRow = Row<'submission_effect', 'kind' | 'status' | 'result_id' | 'code' | 'detail'>;

/** Stores the results of the effects of a submission. */
export const putEffects = sqlStatement<TeamScopedId & { effects: string; at: Date }, never>(
  `INSERT INTO submission_effect AS e (team_id, submission_id, kind, status, result_id, attempts, code, detail, updated_at)
   SELECT $team, $id, kind, status, result_id, 1, code, detail, $at
   FROM jsonb_to_recordset($effects) AS made (kind text, status text, result_id uuid, code text, detail text)
   ON CONFLICT (team_id, submission_id, kind) DO UPDATE
     SET status = excluded.status, result_id = excluded.result_id, code = excluded.code, detail = excluded.detail,
       attempts = e.attempts + 1, updated_at = excluded.updated_at`,
);

export const setSubmissionStatus = sqlStatement<TeamScopedId & { status: string; at: Date }, never>(
  `UPDATE submission SET status = $status, row_version = row_version + 1, updated_at = $at WHERE team_id = $team AND id = $id`,
);

/** Returns the last submission of a session. */
export const newestOfSession = sqlStatement<{ team: string; session: string }, { id: string }>(
  'SELECT id FROM submission WHERE team_id = $team AND session_id = $session ORDER BY id DESC LIMIT 1',
);

export const localeOfSubmission = sqlStatement<{ team: string; id: string }, { locale: string | null }>(
  'SELECT locale FROM submission WHERE team_id = $team AND id = $id',
);
