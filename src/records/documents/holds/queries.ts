import { jsonThing, pageStatement } from '../../../platform/database/json-page.ts';
import type { RowWithout } from '../../../platform/database/row.ts';
import { isoText } from '../../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

export type HoldRow = RowWithout<'legal_hold', 'team_id'>;
const columns = 'h.id, h.folder_id, h.document_id, h.reason, h.created_by, h.created_at, h.lifted_by, h.lifted_at, h.lift_reason';

/** Whether a legal hold is active on a document or a folder above it. Also for documents in the bin. */
export const hasLegalHold = sqlStatement<{ team: string; document: string }, { on_hold: boolean }>(
  'SELECT on_legal_hold($team, d.id, d.folder_id) AS on_hold FROM document d WHERE d.team_id = $team AND d.id = $document',
);

/** Counts the active holds of a team, at most `most`. */
export const countActiveHolds = sqlStatement<{ team: string; most: number }, { holds: number }>(
  `SELECT count(*)::int AS holds FROM (
     SELECT FROM legal_hold h WHERE h.team_id = $team AND h.lifted_at IS NULL LIMIT $most
   ) active`,
);

type NewHold = TeamScopedId & { folder: string | null; document: string | null; reason: string; by: string; at: Date };

export const insertHold = sqlStatement<NewHold, never>(
  `INSERT INTO legal_hold (team_id, id, folder_id, document_id, reason, created_by, created_at)
   VALUES ($team, $id, $folder, $document, $reason, $by, $at)`,
);

/** Lifts a hold. Returns a row if it was still active. */
export const liftHold = sqlStatement<TeamScopedId & { by: string; at: Date; reason: string }, { id: string }>(
  `UPDATE legal_hold SET lifted_by = $by, lifted_at = $at, lift_reason = $reason
   WHERE team_id = $team AND id = $id AND lifted_at IS NULL RETURNING id`,
);

/** A barrier also hides holds. A hold is visible to members of the barrier on its folder or its document’s folder, and of each outer barrier. */
const shown = `CROSS JOIN LATERAL (
     SELECT coalesce(h.folder_id, (SELECT d.folder_id FROM document d WHERE d.team_id = $team AND d.id = h.document_id)) AS id
   ) place CROSS JOIN LATERAL (SELECT barrier_of($team, place.id) AS barrier_id) around`;
const open = 'NOT barrier_excludes($team, around.barrier_id, $user)';

export const findHold = sqlStatement<TeamScopedId & { user: string | null }, HoldRow & { barrier_id: string }>(
  `SELECT ${columns}, around.barrier_id
   FROM legal_hold h
   LEFT JOIN document d ON d.team_id = $team AND d.id = h.document_id
   ${shown}
   WHERE h.team_id = $team AND h.id = $id AND ${open}`,
  { barrier_id: 'the function never returns null' },
);

const listed = jsonThing({
  id: 'h.id',
  folderId: 'h.folder_id',
  documentId: 'h.document_id',
  status: "CASE WHEN h.lifted_at IS NULL THEN 'standing' ELSE 'lifted' END",
  reason: 'h.reason',
  createdBy: 'h.created_by',
  createdByType: "'user'",
  createdAt: isoText('h.created_at'),
  liftedBy: 'h.lifted_by',
  liftedAt: isoText('h.lifted_at'),
  liftReason: 'h.lift_reason',
});

type HoldPage = { team: string; user: string | null; status: string | null; id: string | null; after: string; limit: number };

/** Selects a page of holds, oldest first. `which` adds a condition on the first column of an index. */
const listBy = (which: string) =>
  pageStatement<HoldPage>(
    `WITH page AS (
     SELECT h.* FROM legal_hold h ${shown}
     WHERE h.team_id = $team AND ${which} AND h.id > $after AND ${open}
       AND ($status::text IS NULL OR (h.lifted_at IS NULL) = ($status = 'standing'))
     ORDER BY h.id LIMIT $limit + 1
   )`,
    { from: 'page h', item: listed, order: 'h.id', key: ['h.id'] },
  );

export const listHolds = {
  all: listBy('$id::uuid IS NULL'),
  folder: listBy('h.folder_id = $id'),
  document: listBy('h.document_id = $id'),
};
