import type { ResourceName } from '#access';
import { joinDocumentSql } from '#documents';
import { jsonObject } from '../../../platform/database/json-page.ts';
import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { isoText } from '../../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { RequestDocument } from './documents.ts';
import type { State } from './states.ts';

export type RequestRow = RowWithout<'signature_request', 'end_reason' | 'ended_at' | 'next_retry_at' | 'team_id' | 'updated_at'> & {
  /** The documents of the request in order, at least one. Deleted documents are omitted. */
  documents: RequestDocument[];
  /** Whether a barrier protects a document of the request. */
  barred: boolean;
  /** The time of the read, from the clock of the database. */
  clock: string;
};

/** The reason for the end of a request. */
export const endReason = sqlStatement<TeamScopedId, { end_reason: string | null }>(
  'SELECT end_reason FROM signature_request WHERE team_id = $team AND id = $id',
);

const document = jsonObject({
  place: 'd.place',
  id: 'd.document_id',
  version: 'd.document_version',
  sha256: 'd.document_sha256',
  title: 'd.title',
  signedBy: 'd.signers',
  visibleTo: 'd.readers',
  presentedKey: 'd.presented_storage_key',
  presentedSha256: 'd.presented_sha256',
  presentedSize: 'd.presented_size',
  pages: 'd.pages',
  manner: 'd.manner',
  findings: 'd.findings',
  sealedVersion: 'd.sealed_version',
  sealedSha256: 'd.sealed_sha256',
  sealedAt: isoText('d.sealed_at'),
});
const columns = `r.id, r.title, r.status, r.message, r.consent_addition, r.locale, r.require_code, r.allow_delegation, r.expires_at, r.created_by,
  r.created_by_type, r.owner_id, r.requested_by, r.suspended, r.paused, r.workflow_id, r.step_id, r.step, r.error, r.step_since, r.tries,
  r.completed_at, r.version, r.created_at, signature_request_is_barred(r.team_id, r.id) AS barred, clock_timestamp() AS clock,
  (SELECT json_agg(${document} ORDER BY d.place) FROM signature_request_document d
   WHERE d.team_id = r.team_id AND d.request_id = r.id AND NOT document_is_gone(d.team_id, d.document_id)) AS documents`;
const always = 'the function never returns null';
const found = { documents: 'the statement excludes requests without documents', barred: always };

export const findRequest = sqlStatement<TeamScopedId, RequestRow>(
  `SELECT ${columns} FROM signature_request r WHERE r.team_id = $team AND r.id = $id AND NOT signature_request_is_gone($team, r.id)`,
  found,
);

/** Finds the request and the document of a sealed file by the SHA-256 of the file, in any team. */
export const requestBySeal = sqlStatement<{ sha256: string }, { team_id: string; request_id: string; place: number }>(
  'SELECT team_id, request_id, place FROM request_by_seal($sha256)',
);

/** A request with the effect of barriers on the caller. A caller with emergency access is an `outsider`, who can only read. */
export type SeenRequest = RequestRow & { excluded: boolean; outsider: boolean };
export const seenRequest = sqlStatement<TeamScopedId & { user: string | null }, SeenRequest>(
  `SELECT ${columns}, signature_request_excludes($team, r.id, $user::uuid) AS excluded, signature_request_outsider($team, r.id, $user::uuid) AS outsider
   FROM signature_request r WHERE r.team_id = $team AND r.id = $id AND NOT signature_request_is_gone($team, r.id)`,
  { ...found, excluded: always, outsider: always },
);

/** The titles of requests, with the effect of barriers on the caller. */
export const requestsNamed = sqlStatement<
  { team: string; ids: readonly string[]; user: string | null },
  ResourceName & Pick<SeenRequest, 'owner_id' | 'excluded' | 'outsider'>
>(
  `SELECT r.id, r.title AS name, r.owner_id, signature_request_excludes($team, r.id, $user::uuid) AS excluded,
     signature_request_outsider($team, r.id, $user::uuid) AS outsider
   FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM signature_request o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) r
   WHERE NOT signature_request_is_gone($team, r.id)`,
  { excluded: always, outsider: always },
);

/** Whether a barrier around one of these documents excludes a person, or the person has only emergency access. */
export const outsideOf = sqlStatement<{ team: string; documents: readonly string[]; user: string }, { outside: boolean }>(
  `SELECT coalesce(bool_or(document_outsider($team, d, $user::uuid)), false) AS outside FROM unnest($documents::uuid[]) d`,
);

/**
 * Serializes changes of one request. Lock the request first and read it afterwards. Locks its documents before the request, in the same order as
 * workflows about them.
 */
export const lockRequest = sqlStatement<TeamScopedId, { id: string }>(
  `WITH beside AS (
     SELECT lock_documents_beside($team, coalesce(array_agg(r.document_id), '{}')) FROM signature_request_document r
     WHERE r.team_id = $team AND r.request_id = $id
   ),
   documents_held AS MATERIALIZED (
     SELECT d.id FROM signature_request_document r ${joinDocumentSql('r.document_id')}
     WHERE r.team_id = $team AND r.request_id = $id AND (SELECT count(*) FROM beside) >= 0 ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   SELECT r.id FROM signature_request r WHERE r.team_id = $team AND r.id = $id AND (SELECT count(*) FROM documents_held) >= 0
   FOR NO KEY UPDATE OF r`,
);

/** Which of these documents have an unfinished request. */
export const liveOfDocuments = sqlStatement<{ team: string; documents: readonly string[] }, { id: string }>(
  'SELECT document_id AS id FROM signature_request_document WHERE team_id = $team AND document_id = ANY ($documents) AND live',
);

type NewRequest = TeamScopedId & {
  title: string;
  message: string | null;
  consentAddition: string | null;
  locale: string;
  requireCode: boolean;
  allowDelegation: boolean;
  expires: Date;
  by: string;
  byType: string;
  workflow: string | null;
  step: string | null;
  at: Date;
};
export const insertRequest = sqlStatement<NewRequest, never>(
  `INSERT INTO signature_request (team_id, id, title, message, consent_addition, locale,
     require_code, allow_delegation, expires_at, created_by, created_by_type, owner_id, requested_by, workflow_id, step_id, step, step_since, created_at, updated_at)
   VALUES ($team, $id, $title, $message, $consentAddition, $locale,
     $requireCode, $allowDelegation, $expires, $by, $byType, $by, $by, $workflow, $step, 'prepare', $at, $at, $at)`,
);

export type NewDocument = Row<
  'signature_request_document',
  'place' | 'document_id' | 'document_version' | 'document_sha256' | 'title' | 'signers' | 'readers'
>;
export const insertDocuments = sqlStatement<{ team: string; request: string; documents: string }, never>(
  `INSERT INTO signature_request_document (team_id, request_id, place, document_id, document_version, document_sha256, title, signers, readers)
   SELECT $team, $request, d.place, d.document_id, d.document_version, d.document_sha256, d.title, d.signers, d.readers
   FROM jsonb_to_recordset($documents) AS d(place integer, document_id uuid, document_version integer, document_sha256 text, title text,
     signers uuid[], readers uuid[])`,
);

export type NewSigner = Row<
  'signature_signer',
  'id' | 'place' | 'turn' | 'role' | 'email' | 'email_key' | 'name' | 'account_id' | 'locale'
>;
export const insertSigners = sqlStatement<{ team: string; request: string; signers: string }, never>(
  `INSERT INTO signature_signer (team_id, id, request_id, place, turn, role, email, email_key, name, account_id, locale)
   SELECT $team, s.id, $request, s.place, s.turn, s.role, s.email, s.email_key, s.name, s.account_id, s.locale
   FROM jsonb_to_recordset($signers) AS s(id uuid, place integer, turn integer, role text, email text, email_key text, name text, account_id uuid,
     locale text)`,
);

export type FieldRow = RowWithout<'signature_field', 'position' | 'request_id' | 'team_id'>;
export const insertFields = sqlStatement<{ team: string; request: string; fields: string }, never>(
  `INSERT INTO signature_field (team_id, request_id, id, signer_id, position, document, kind, page, x, y, width, height, label, required)
   SELECT $team, $request, f.id, f.signer_id, f.position, f.document, f.kind, f.page, f.x, f.y, f.width, f.height, f.label, f.required
   FROM jsonb_to_recordset($fields) AS f(id text, signer_id uuid, position integer, document integer, kind text, page integer, x float8, y float8, width float8,
     height float8, label text, required boolean)`,
);
export const fieldsOf = sqlStatement<{ team: string; request: string }, FieldRow>(
  `SELECT id, signer_id, document, kind, page, x, y, width, height, label, required FROM signature_field
   WHERE team_id = $team AND request_id = $request ORDER BY position`,
);

/**
 * Changes the status of a request from one of the given ones, and resets the step of the request. Returns no row if the request has a different
 * status.
 */
export const moveRequest = sqlStatement<
  TeamScopedId & {
    from: readonly State[];
    to: State;
    step: string | null;
    error: string | null;
    reason: string | null;
    ended: boolean;
    at: Date;
  },
  { id: string }
>(
  `UPDATE signature_request SET status = $to, step = $step, error = $error, tries = 0, next_retry_at = NULL,
     step_since = CASE WHEN $step::text IS NULL THEN NULL ELSE $at::timestamptz END, end_reason = $reason,
     ended_at = CASE WHEN $ended::boolean THEN $at::timestamptz END, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = ANY ($from) RETURNING id`,
);

/** Stores the error of the current step and the time of its retry. */
export const recordFailure = sqlStatement<TeamScopedId & { step: string; error: string; retryAt: Date; at: Date }, never>(
  `UPDATE signature_request SET step = $step, error = $error, tries = tries + 1, next_retry_at = $retryAt, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status IN ('preparing', 'sealing')`,
);

type DocumentPlace = { team: string; request: string; place: number };
type Presenting = DocumentPlace & { key: string; sha256: string; size: number; pages: string; manner: string; findings: readonly string[] };
export const setPresented = sqlStatement<Presenting, never>(
  `UPDATE signature_request_document SET presented_storage_key = $key, presented_sha256 = $sha256, presented_size = $size, pages = $pages,
     manner = $manner, findings = $findings
   WHERE team_id = $team AND request_id = $request AND place = $place`,
);

/** Stores which document of a request failed and why, or clears it. */
export const setDocumentError = sqlStatement<{ team: string; request: string; place: number | null; error: string | null }, never>(
  `UPDATE signature_request_document SET error = CASE WHEN place = $place THEN $error END
   WHERE team_id = $team AND request_id = $request AND error IS DISTINCT FROM CASE WHEN place = $place THEN $error::text END`,
);

export type SealRow = Row<'signature_seal', 'place' | 'storage_key' | 'sha256' | 'size' | 'level' | 'timestamped_at'>;
/** The sealed files of a request that are not versions yet. */
export const sealsOf = sqlStatement<{ team: string; request: string }, SealRow>(
  'SELECT place, storage_key, sha256, size, level, timestamped_at FROM signature_seal WHERE team_id = $team AND request_id = $request ORDER BY place',
);
type NewSeal = DocumentPlace & { key: string; sha256: string; size: number; level: string; timestampedAt: Date | null };
/** Stores a sealed file. Returns no row if another run has stored one. */
export const insertSeal = sqlStatement<NewSeal, { place: number }>(
  `INSERT INTO signature_seal (team_id, request_id, place, storage_key, sha256, size, level, timestamped_at)
   VALUES ($team, $request, $place, $key, $sha256, $size, $level, $timestampedAt) ON CONFLICT DO NOTHING RETURNING place`,
);
export const dropSeals = sqlStatement<{ team: string; request: string }, never>(
  'DELETE FROM signature_seal WHERE team_id = $team AND request_id = $request',
);

type SealedRow = DocumentPlace & { number: number; sha256: string; level: string; source: 'service' | 'timestamp'; sealedAt: Date };
export const setSealed = sqlStatement<SealedRow, never>(
  `UPDATE signature_request_document SET sealed_version = $number, sealed_sha256 = $sha256, seal_level = $level, time_source = $source,
     sealed_at = $sealedAt
   WHERE team_id = $team AND request_id = $request AND place = $place`,
);
export const setCompleted = sqlStatement<TeamScopedId, never>(
  'UPDATE signature_request SET completed_at = ended_at WHERE team_id = $team AND id = $id',
);

export const suspend = sqlStatement<TeamScopedId & { why: string | null; at: Date }, { id: string }>(
  `UPDATE signature_request SET suspended = $why, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND suspended IS DISTINCT FROM $why RETURNING id`,
);

/** Changes the person whose rights the request uses. */
export const setRequester = sqlStatement<TeamScopedId & { by: string }, never>(
  'UPDATE signature_request SET requested_by = $by WHERE team_id = $team AND id = $id',
);

/** Pauses or resumes a live request. */
export const setPaused = sqlStatement<TeamScopedId & { paused: boolean; at: Date }, { id: string }>(
  `UPDATE signature_request SET paused = $paused, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status IN ('preparing', 'pending') AND paused <> $paused RETURNING id`,
);

export const setExpiry = sqlStatement<TeamScopedId & { expires: Date; at: Date }, never>(
  'UPDATE signature_request SET expires_at = $expires, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** Increments the version after a change of the signers. */
export const touchRequest = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE signature_request SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

export type EvidenceRow = RowWithout<'signature_evidence', 'request_id' | 'team_id'>;
export const evidenceOf = sqlStatement<{ team: string; request: string }, EvidenceRow>(
  'SELECT number, signer_id, act, jws, sha256, at FROM signature_evidence WHERE team_id = $team AND request_id = $request ORDER BY number',
);
export const lastEvidence = sqlStatement<{ team: string; request: string }, { number: number; sha256: string }>(
  'SELECT number, sha256 FROM signature_evidence WHERE team_id = $team AND request_id = $request ORDER BY number DESC LIMIT 1',
);
/** The number of corrections of a signer since a time, and the time of the first of them. */
export const correctionsSince = sqlStatement<
  { team: string; request: string; signer: string; since: Date },
  { count: number; first: string | null }
>(
  `SELECT count(*)::int AS count, min(at) AS first FROM signature_evidence
   WHERE team_id = $team AND request_id = $request AND signer_id = $signer AND act = 'corrected' AND at > $since`,
);
export const insertEvidence = sqlStatement<
  { team: string; request: string; number: number; signer: string; act: string; jws: string; sha256: string; at: Date },
  never
>(
  `INSERT INTO signature_evidence (team_id, request_id, number, signer_id, act, jws, sha256, at)
   VALUES ($team, $request, $number, $signer, $act, $jws, $sha256, $at)`,
);

/** The newest requests about a document, optionally only those of a workflow. */
export const requestsAbout = sqlStatement<{ team: string; document: string; workflow: string | null; limit: number }, { id: string }>(
  `SELECT r.id FROM signature_request_document d JOIN signature_request r ON r.team_id = $team AND r.id = d.request_id
   WHERE d.team_id = $team AND d.document_id = $document AND ($workflow::uuid IS NULL OR r.workflow_id = $workflow) ORDER BY r.id DESC LIMIT $limit`,
);
