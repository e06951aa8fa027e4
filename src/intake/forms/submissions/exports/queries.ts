import type { Field } from '#fields';
import type { RowWithout } from '../../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../../platform/database/statement.ts';
import type { Dialect } from './schemas.ts';
import type { SubmissionFilters } from '../schemas.ts';

/** Serializes export requests of a team, so that the limit of concurrent exports holds. */
export const lockExports = sqlStatement<{ team: string }, { locked: unknown }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('submission exports ' || $team, 0)) AS locked",
);
export const waitingExports = sqlStatement<{ team: string }, { waiting: number }>(
  "SELECT count(*)::int AS waiting FROM submission_export WHERE team_id = $team AND status = 'waiting'",
);

const erasingKey = "hashtextextended('submissions erased ' || $interface, 0)";
/** Acquires a shared lock before an erasure deletes the exports of a form. The erasure keeps it until its commit. */
export const lockErasureShared = sqlStatement<{ interface: string }, { locked: unknown }>(
  `SELECT pg_advisory_xact_lock_shared(${erasingKey}) AS locked`,
);
/** Waits for all erasures that have already ended the exports of a form. */
export const awaitErasing = sqlStatement<{ interface: string }, { locked: unknown }>(
  `SELECT pg_advisory_xact_lock(${erasingKey}) AS locked`,
);

type NewExport = TeamScopedId & {
  interface: string;
  format: string;
  dialect: string;
  filters: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertExport = sqlStatement<NewExport, never>(
  `INSERT INTO submission_export (team_id, id, interface_id, format, dialect, filters, created_by, created_by_type, created_at)
   VALUES ($team, $id, $interface, $format, $dialect, $filters, $by, $byType, $at)`,
);

export type ExportRow = RowWithout<'submission_export', 'dialect' | 'filters' | 'team_id'> & {
  dialect: Dialect;
  filters: SubmissionFilters;
  storage_key: string | null;
  size: number | null;
  sha256: string | null;
};

export const findExport = sqlStatement<TeamScopedId, ExportRow>(
  `SELECT e.id, e.interface_id, e.format, e.dialect, e.filters, e.status, e.submissions::float8 AS submissions, e.code, e.detail, e.created_by,
     e.created_by_type, e.created_at, e.ended_at, f.storage_key, f.size::float8 AS size, f.sha256
   FROM submission_export e LEFT JOIN submission_export_file f ON f.team_id = $team AND f.id = e.id
   WHERE e.team_id = $team AND e.id = $id`,
);

export type Column = { field: Field };

/** Returns the fields of all versions of a form, each in its newest form. Fields of the newest version come first. */
export const fieldsOfVersions = sqlStatement<{ team: string; interface: string }, Column>(
  `SELECT field FROM (
     SELECT DISTINCT ON (f.field ->> 'id') f.field, v.number, f.n FROM interface_version v
     CROSS JOIN LATERAL jsonb_array_elements(v.definition -> 'fields') WITH ORDINALITY AS f(field, n)
     WHERE v.team_id = $team AND v.interface_id = $interface ORDER BY f.field ->> 'id', v.number DESC
   ) newest ORDER BY number DESC, n`,
);

/** Completes an export. Returns no row if it was ended in the meantime. */
export const finishExport = sqlStatement<TeamScopedId & { submissions: number; at: Date }, { id: string }>(
  `UPDATE submission_export SET status = 'done', submissions = $submissions, ended_at = $at
   WHERE team_id = $team AND id = $id AND status = 'waiting' RETURNING id`,
);
export const insertFile = sqlStatement<TeamScopedId & { key: string; size: number; sha256: string }, never>(
  'INSERT INTO submission_export_file (team_id, id, storage_key, size, sha256) VALUES ($team, $id, $key, $size, $sha256)',
);

export const failExport = sqlStatement<TeamScopedId & { code: string; detail: string }, never>(
  `UPDATE submission_export SET status = 'failed', code = $code, detail = $detail, ended_at = now()
   WHERE team_id = $team AND id = $id AND status = 'waiting'`,
);

/** Deletes the exports of a form in a fixed order, because they may contain erased answers. */
export const endExportsOf = sqlStatement<{ team: string; interface: string }, { storage_key: string | null }>(
  `WITH ended AS (
     SELECT id FROM submission_export WHERE team_id = $team AND interface_id = $interface ORDER BY id FOR UPDATE
   ), files AS (
     DELETE FROM submission_export_file f USING ended WHERE f.team_id = $team AND f.id = ended.id RETURNING f.id, f.storage_key
   ), gone AS (
     DELETE FROM submission_export e USING ended WHERE e.team_id = $team AND e.id = ended.id RETURNING e.id
   ) SELECT f.storage_key FROM gone LEFT JOIN files f ON f.id = gone.id`,
);

/** Deletes expired exports with their files, oldest first, up to the limit. */
export const dropExports = sqlStatement<{ before: Date; limit: number }, { storage_key: string | null }>(
  `WITH ended AS (
     SELECT team_id, id FROM submission_export WHERE ended_at < $before ORDER BY ended_at LIMIT $limit FOR UPDATE SKIP LOCKED
   ), files AS (
     DELETE FROM submission_export_file f USING ended WHERE f.team_id = ended.team_id AND f.id = ended.id RETURNING f.id, f.storage_key
   ), gone AS (
     DELETE FROM submission_export e USING ended WHERE e.team_id = ended.team_id AND e.id = ended.id RETURNING e.id
   ) SELECT f.storage_key FROM gone LEFT JOIN files f ON f.id = gone.id`,
);
