import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { Manner, RowError } from './read.ts';

export type ImportStatus = 'waiting' | 'done' | 'refused' | 'failed';
export type ImportRow = RowWithout<'registry_import', 'content' | 'errors' | 'manner' | 'team_id'> & { manner: Manner; errors: RowError[] };

const columns =
  'id, registry_id, status, mode, manner, total, imported, bad, errors, code, detail, created_by, created_by_type, created_at, ended_at';

type NewImport = TeamScopedId & {
  registry: string;
  status: ImportStatus;
  mode: string;
  manner: string;
  content: Buffer | null;
  total: number;
  by: string;
  byType: string;
  at: Date;
};
export const insertImport = sqlStatement<NewImport, never>(
  `INSERT INTO registry_import (team_id, id, registry_id, status, mode, manner, content, total, created_by, created_by_type, created_at)
   VALUES ($team, $id, $registry, $status, $mode, $manner, $content, $total, $by, $byType, $at)`,
);

/** Serializes the queueing of files of a team, so that the limit holds. */
export const lockImports = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('registry imports ' || $team, 0)) AS locked",
);
/** Counts the waiting files of a team, up to `most`. */
export const countWaiting = sqlStatement<{ team: string; most: number }, { waiting: number }>(
  "SELECT count(*)::int AS waiting FROM (SELECT FROM registry_import i WHERE i.team_id = $team AND i.status = 'waiting' LIMIT $most) standing",
);

export const findImport = sqlStatement<TeamScopedId & { registry: string }, ImportRow>(
  `SELECT ${columns} FROM registry_import WHERE team_id = $team AND registry_id = $registry AND id = $id`,
);

/** The imports of a registry, newest first. */
export const listImports = sqlStatement<{ team: string; registry: string; before: string; limit: number }, ImportRow>(
  `SELECT ${columns} FROM registry_import WHERE team_id = $team AND registry_id = $registry AND id < $before ORDER BY id DESC LIMIT $limit + 1`,
);

export type WaitingImport = Pick<ImportRow, 'id' | 'registry_id' | 'mode' | 'manner' | 'created_by' | 'created_by_type'> & {
  bytes: number;
};

/** A waiting import; no row after it has ended. */
export const waitingImport = sqlStatement<TeamScopedId, WaitingImport>(
  `SELECT id, registry_id, mode, manner, octet_length(content) AS bytes, created_by, created_by_type FROM registry_import
   WHERE team_id = $team AND id = $id AND status = 'waiting'`,
  { bytes: 'a waiting import has its content' },
);

/** A part of the content of a waiting import. */
export const waitingPart = sqlStatement<TeamScopedId & { from: number; many: number }, { part: Buffer }>(
  `SELECT substring(content FROM $from FOR $many) AS part FROM registry_import WHERE team_id = $team AND id = $id AND status = 'waiting'`,
  { part: 'a waiting import has its content' },
);

/** Locks a waiting import, so that only one job imports it. */
export const lockImport = sqlStatement<TeamScopedId, { id: string }>(
  "SELECT id FROM registry_import WHERE team_id = $team AND id = $id AND status = 'waiting' FOR UPDATE",
);

type End = TeamScopedId &
  Row<'registry_import', 'status' | 'total' | 'imported' | 'bad' | 'code' | 'detail'> & { errors: string; at: Date };
export const endImport = sqlStatement<End, never>(
  `UPDATE registry_import SET status = $status, content = NULL, total = $total, imported = $imported, bad = $bad, errors = $errors, code = $code,
     detail = $detail, ended_at = $at
   WHERE team_id = $team AND id = $id AND ended_at IS NULL`,
);

/** Marks a discarded import as failed. */
export const failImport = sqlStatement<TeamScopedId & { detail: string }, never>(
  `UPDATE registry_import SET status = 'failed', content = NULL, code = 'internal_error', detail = $detail, ended_at = now()
   WHERE team_id = $team AND id = $id AND status = 'waiting'`,
);

/** Deletes a batch of expired reports, oldest first. */
export const dropImports = sqlStatement<{ before: Date; limit: number }, { gone: number }>(
  `WITH dropped AS (
     DELETE FROM registry_import WHERE (team_id, id) IN (
       SELECT team_id, id FROM registry_import WHERE ended_at < $before ORDER BY ended_at LIMIT $limit
     ) RETURNING 1
   ) SELECT count(*)::int AS gone FROM dropped`,
);

/**
 * Reserves free values of unique fields for many records, and returns the records and fields whose values are in use.
 * All callers insert in the same order. `wanted` is JSON: `[{id, values: [[field, key]]}]`.
 */
export const reserveFreeUniqueValues = sqlStatement<
  { team: string; registry: string; wanted: string },
  { record_id: string; fields: string[] }
>(
  `WITH wanted AS (
     SELECT one.id, pair->>0 AS field, pair->>1 AS key
     FROM jsonb_to_recordset($wanted) AS one (id uuid, "values" jsonb) CROSS JOIN LATERAL jsonb_array_elements(one."values") AS pair
   ), taken AS (
     INSERT INTO registry_unique_value (team_id, registry_id, field, key, record_id)
     SELECT $team, $registry, wanted.field, wanted.key, wanted.id FROM wanted
     ORDER BY wanted.field, wanted.key ON CONFLICT DO NOTHING RETURNING record_id, field
   ), others AS (
     SELECT id, field FROM wanted EXCEPT SELECT record_id, field FROM taken
   )
   SELECT id AS record_id, array_agg(field ORDER BY field) AS fields FROM others GROUP BY id`,
  { record_id: 'each wanted record has an id' },
);

/** Releases the reserved values of records that are not created. */
export const releaseUniqueValuesOfRecords = sqlStatement<{ team: string; registry: string; ids: readonly string[] }, never>(
  'DELETE FROM registry_unique_value WHERE team_id = $team AND registry_id = $registry AND record_id = ANY ($ids::uuid[])',
);
