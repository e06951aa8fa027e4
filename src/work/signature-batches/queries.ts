import type { RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';

export type Manner = Record<string, unknown>;

export type BatchFacts = RowWithout<'signature_batch', 'manner' | 'team_id'>;
export type Counts = { rows: number; waiting: number; done: number; failed: number };
const columns =
  'b.id, b.title, b.status, b.template_id, b.document_id, b.source_version, b.created_by, b.created_by_type, b.owner_id, b.created_at, b.ended_at';
const counts = `CROSS JOIN LATERAL (
     SELECT count(*)::int AS rows, (count(*) FILTER (WHERE r.status = 'waiting'))::int AS waiting,
       (count(*) FILTER (WHERE r.status = 'done'))::int AS done, (count(*) FILTER (WHERE r.status = 'failed'))::int AS failed
     FROM (SELECT status FROM signature_batch_row WHERE team_id = $team AND batch_id = b.id OFFSET 0) r
   ) counts`;

type New = TeamScopedId & {
  title: string;
  template: string | null;
  document: string | null;
  version: number;
  manner: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertBatch = sqlStatement<New, never>(
  `INSERT INTO signature_batch (team_id, id, title, template_id, document_id, source_version, manner, created_by, created_by_type, owner_id, created_at)
   VALUES ($team, $id, $title, $template, $document, $version, $manner, $by, $byType, $by, $at)`,
);
export const insertRows = sqlStatement<TeamScopedId & { rows: string }, never>(
  `INSERT INTO signature_batch_row (team_id, batch_id, number, email, name, data)
   SELECT $team, $id, r.number, r.email, r.name, r.data FROM jsonb_to_recordset($rows::jsonb) AS r(number integer, email text, name text, data jsonb)`,
);

/** The effect of the barriers around the document and folder of a batch, and around the documents that it created. */
const barriers = (row: string) => `LATERAL (
     SELECT bool_or(s.excluded) AS excluded, bool_or(s.outsider) AS outsider FROM (
       SELECT f.barrier_id FROM (
         SELECT ${row}.document_id AS id UNION ALL
         SELECT made.document_id FROM signature_batch_row made WHERE made.team_id = $team AND made.batch_id = ${row}.id
       ) n CROSS JOIN LATERAL (SELECT document_barrier($team, n.id) AS barrier_id) f
       UNION SELECT barrier_of($team, (${row}.manner ->> 'folderId')::uuid)
     ) place CROSS JOIN LATERAL barrier_state($team, place.barrier_id, $person) s
   ) barriers`;

/** A batch with the effect of barriers on the caller: a person, or null for an API client. With `emergency` access, a person can only read. */
export type SeenBatch = BatchFacts & Counts & { excluded: boolean; emergency: boolean };
export const findBatch = sqlStatement<TeamScopedId & { person: string | null }, SeenBatch>(
  `SELECT ${columns}, counts.*, barriers.excluded, barriers.outsider AND NOT barriers.excluded AS emergency
   FROM signature_batch b ${counts} CROSS JOIN ${barriers('b')} WHERE b.team_id = $team AND b.id = $id`,
  { excluded: 'the functions never return null', emergency: 'as above' },
);
/** The batches that no barrier hides, newest first: all, or those of one owner. */
export const listBatches = sqlStatement<
  { team: string; person: string | null; owner: string | null; before: string; limit: number },
  BatchFacts & Counts
>(
  `SELECT ${columns}, counts.* FROM (
     SELECT o.* FROM signature_batch o CROSS JOIN ${barriers('o')}
     WHERE o.team_id = $team AND o.id < $before AND ($owner::uuid IS NULL OR o.owner_id = $owner) AND NOT barriers.excluded
     ORDER BY o.id DESC LIMIT $limit + 1
   ) b ${counts} ORDER BY b.id DESC`,
);
/** Transfers the batches of a leaving member to the successor. */
export const handOver = sqlStatement<{ team: string; from: string; to: string }, never>(
  'UPDATE signature_batch SET owner_id = $to WHERE team_id = $team AND owner_id = $from',
);

export type RowFacts = RowWithout<'signature_batch_row', 'batch_id' | 'data' | 'team_id'>;
/** All rows of a batch, at most 1 000. */
export const listRows = sqlStatement<TeamScopedId, RowFacts>(
  `SELECT number, email, name, status, document_id, request_id, code, detail FROM signature_batch_row
   WHERE team_id = $team AND batch_id = $id ORDER BY number LIMIT 1000`,
);

/** Serializes the creation of batches of one team, so that the limit of running batches is enforced. */
export const lockBatches = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('signature batches ' || $team, 0)) AS locked",
);
/** Number of running batches of a team, up to `most`. */
export const countRunning = sqlStatement<{ team: string; most: number }, { running: number }>(
  "SELECT count(*)::int AS running FROM (SELECT FROM signature_batch b WHERE b.team_id = $team AND b.status = 'running' LIMIT $most) going",
);

/** Locks a running batch. The lock serializes a cancellation and the end of a row. */
export const lockRunning = sqlStatement<TeamScopedId, { id: string }>(
  "SELECT id FROM signature_batch WHERE team_id = $team AND id = $id AND status = 'running' FOR UPDATE",
);
/** Locks the running batches of one creator. */
export const lockRunningOf = sqlStatement<{ team: string; user: string }, { id: string }>(
  "SELECT id FROM signature_batch WHERE team_id = $team AND created_by = $user AND status = 'running' ORDER BY id FOR UPDATE",
);
/** Locks a batch in any status. */
export const lockBatch = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM signature_batch WHERE team_id = $team AND id = $id FOR UPDATE',
);

export type Underway = BatchFacts & { manner: Manner };
export const runningBatch = sqlStatement<TeamScopedId, Underway>(
  `SELECT ${columns}, b.manner FROM signature_batch b WHERE b.team_id = $team AND b.id = $id AND b.status = 'running'`,
);
export const nextRow = sqlStatement<TeamScopedId, { number: number; email: string; name: string; data: Record<string, unknown> }>(
  `SELECT number, email, name, data FROM signature_batch_row
   WHERE team_id = $team AND batch_id = $id AND status = 'waiting' ORDER BY number LIMIT 1`,
);
/** Stores the result of a waiting row and deletes its values. Returns no row if another transaction ended it first. */
export const endRow = sqlStatement<
  TeamScopedId & {
    number: number;
    status: string;
    document: string | null;
    request: string | null;
    code: string | null;
    detail: string | null;
  },
  { number: number }
>(
  `UPDATE signature_batch_row SET status = $status, document_id = $document, request_id = $request, code = $code, detail = $detail, data = '{}'
   WHERE team_id = $team AND batch_id = $id AND number = $number AND status = 'waiting' RETURNING number`,
);
/** Marks the waiting rows of a discarded batch as failed. */
export const discardImportRows = sqlStatement<TeamScopedId & { detail: string }, never>(
  `UPDATE signature_batch_row SET status = 'failed', code = 'internal_error', detail = $detail, data = '{}'
   WHERE team_id = $team AND batch_id = $id AND status = 'waiting'`,
);
export const endBatch = sqlStatement<TeamScopedId & { status: string; at: Date }, never>(
  `UPDATE signature_batch SET status = $status, ended_at = $at WHERE team_id = $team AND id = $id AND status = 'running'`,
);
export const cancelRows = sqlStatement<TeamScopedId, never>(
  "UPDATE signature_batch_row SET status = 'cancelled', data = '{}' WHERE team_id = $team AND batch_id = $id AND status = 'waiting'",
);
