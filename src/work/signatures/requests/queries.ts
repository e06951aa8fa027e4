import { joinDocumentSql } from '#documents';
import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { PageSize } from '../sealing/index.ts';
import type { State } from './states.ts';

export type RequestRow = RowWithout<
  'signature_request',
  'end_reason' | 'ended_at' | 'next_retry_at' | 'pages' | 'seal_level' | 'sealed_at' | 'team_id' | 'time_source' | 'updated_at'
> & {
  pages: PageSize[] | null;
  /** Whether a barrier protects the document of the request. */
  barred: boolean;
  /** The time of the read, from the clock of the database. */
  clock: string;
};

/** The reason for the end of a request. */
export const endReason = sqlStatement<TeamScopedId, { end_reason: string | null }>(
  'SELECT end_reason FROM signature_request WHERE team_id = $team AND id = $id',
);

const columns = `r.id, r.document_id, r.document_version, r.document_sha256, r.title, r.status, r.message, r.consent_addition, r.locale, r.require_code,
  r.allow_delegation, r.expires_at, r.created_by, r.created_by_type, r.owner_id, r.requested_by, r.suspended, r.paused, r.workflow_id, r.step_id,
  r.presented_storage_key, r.presented_sha256, r.presented_size, r.pages, r.manner, r.findings, r.step, r.error, r.step_since, r.tries, r.sealed_version, r.sealed_sha256,
  r.completed_at, r.version, r.created_at, document_is_barred(r.team_id, r.document_id) AS barred, clock_timestamp() AS clock`;

export const findRequest = sqlStatement<TeamScopedId, RequestRow>(
  `SELECT ${columns} FROM signature_request r WHERE r.team_id = $team AND r.id = $id AND NOT document_is_gone($team, r.document_id)`,
);

/** Finds the request of a sealed file by the SHA-256 of the file, in any team. */
export const requestBySeal = sqlStatement<{ sha256: string }, { team_id: string; request_id: string; title: string; sealed_at: string }>(
  'SELECT team_id, request_id, title, sealed_at FROM request_by_seal($sha256)',
  { sealed_at: 'it is set together with `sealed_sha256`, which the function searches' },
);

/** A request with the effect of barriers on the caller. A caller with emergency access is an `outsider`, who can only read. */
export type SeenRequest = RequestRow & { excluded: boolean; outsider: boolean };
export const seenRequest = sqlStatement<TeamScopedId & { user: string | null }, SeenRequest>(
  `SELECT ${columns}, document_excludes($team, r.document_id, $user::uuid) AS excluded, document_outsider($team, r.document_id, $user::uuid) AS outsider
   FROM signature_request r WHERE r.team_id = $team AND r.id = $id AND NOT document_is_gone($team, r.document_id)`,
);

/** Whether a barrier around a document excludes a person, or the person has only emergency access. */
export const outsideOf = sqlStatement<{ team: string; document: string; user: string }, { outside: boolean }>(
  `SELECT document_outsider($team, $document, $user::uuid) AS outside`,
);

/**
 * Serializes changes of one request. Lock the request first and read it afterwards. Locks the document before the request, in the same order as
 * workflows about the document.
 */
export const lockRequest = sqlStatement<TeamScopedId, { id: string }>(
  `WITH document_held AS (
     SELECT d.id FROM signature_request r ${joinDocumentSql('r.document_id')}
     WHERE r.team_id = $team AND r.id = $id FOR NO KEY UPDATE OF d
   )
   SELECT r.id FROM signature_request r WHERE r.team_id = $team AND r.id = $id AND (SELECT count(*) FROM document_held) >= 0
   FOR NO KEY UPDATE OF r`,
);

/** The unfinished request about a document. */
export const liveOfDocument = sqlStatement<{ team: string; document: string }, { id: string; status: State }>(
  `SELECT id, status FROM signature_request
   WHERE team_id = $team AND document_id = $document AND status IN ('preparing', 'pending', 'sealing')`,
);

type NewRequest = TeamScopedId & {
  document: string;
  documentVersion: number;
  documentSha256: string;
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
  `INSERT INTO signature_request (team_id, id, document_id, document_version, document_sha256, title, message, consent_addition, locale,
     require_code, allow_delegation, expires_at, created_by, created_by_type, owner_id, requested_by, workflow_id, step_id, step, step_since, created_at, updated_at)
   VALUES ($team, $id, $document, $documentVersion, $documentSha256, $title, $message, $consentAddition, $locale,
     $requireCode, $allowDelegation, $expires, $by, $byType, $by, $by, $workflow, $step, 'prepare', $at, $at, $at)`,
);

export type NewSigner = Row<'signature_signer', 'id' | 'place' | 'turn' | 'role' | 'email' | 'email_key' | 'name' | 'account_id'>;
export const insertSigners = sqlStatement<{ team: string; request: string; signers: string }, never>(
  `INSERT INTO signature_signer (team_id, id, request_id, place, turn, role, email, email_key, name, account_id)
   SELECT $team, s.id, $request, s.place, s.turn, s.role, s.email, s.email_key, s.name, s.account_id
   FROM jsonb_to_recordset($signers) AS s(id uuid, place integer, turn integer, role text, email text, email_key text, name text, account_id uuid)`,
);

export type FieldRow = RowWithout<'signature_field', 'position' | 'request_id' | 'team_id'>;
export const insertFields = sqlStatement<{ team: string; request: string; fields: string }, never>(
  `INSERT INTO signature_field (team_id, request_id, id, signer_id, position, kind, page, x, y, width, height, label, required)
   SELECT $team, $request, f.id, f.signer_id, f.position, f.kind, f.page, f.x, f.y, f.width, f.height, f.label, f.required
   FROM jsonb_to_recordset($fields) AS f(id text, signer_id uuid, position integer, kind text, page integer, x float8, y float8, width float8,
     height float8, label text, required boolean)`,
);
export const fieldsOf = sqlStatement<{ team: string; request: string }, FieldRow>(
  `SELECT id, signer_id, kind, page, x, y, width, height, label, required FROM signature_field
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

type Presenting = TeamScopedId & { key: string; sha256: string; size: number; pages: string; manner: string; findings: readonly string[] };
export const setPresented = sqlStatement<Presenting, never>(
  `UPDATE signature_request SET presented_storage_key = $key, presented_sha256 = $sha256, presented_size = $size, pages = $pages, manner = $manner,
     findings = $findings
   WHERE team_id = $team AND id = $id`,
);

type SealedRow = TeamScopedId & { number: number; sha256: string; level: string; source: 'service' | 'timestamp'; sealedAt: Date };
export const setSealed = sqlStatement<SealedRow, never>(
  `UPDATE signature_request SET sealed_version = $number, sealed_sha256 = $sha256, seal_level = $level, time_source = $source, sealed_at = $sealedAt,
     completed_at = ended_at
   WHERE team_id = $team AND id = $id`,
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
  `SELECT id FROM signature_request
   WHERE team_id = $team AND document_id = $document AND ($workflow::uuid IS NULL OR workflow_id = $workflow) ORDER BY id DESC LIMIT $limit`,
);
