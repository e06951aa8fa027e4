import { sqlStatement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';
import { keptByClient } from './queries.ts';
import { aboveText, at, viewText } from './visibility-queries.ts';

/** Puts changes of the team's tree one after another: exclusive for moves, shared for what only adds a leaf. */
export const lockTree = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('folder tree ' || $team, 0)) AS locked",
);
export const shareTree = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('folder tree ' || $team, 0)) AS locked",
);

/** A folder and all below it, with what is in the bin. */
const below = `below AS (
     SELECT id, barrier_id, made_by_client, false AS binned, 1 AS level FROM folder WHERE team_id = $team AND id = $id
     UNION ALL
     SELECT c.id, c.barrier_id, c.made_by_client, c.binned, b.level + 1 FROM below b CROSS JOIN LATERAL (
       SELECT f.id, f.barrier_id, f.made_by_client, f.deleted_at IS NOT NULL AS binned FROM folder f
       WHERE f.team_id = $team AND ${at('f.parent_id', 'b.id')} OFFSET 0
     ) c
   )`;

export type FolderBelow = { id: string; parent_id: string | null; name: string };

/**
 * A folder and what is below it and not in the bin, each after the one that it lies in: as far as no barrier keeps the viewer out. Who
 * may read the folder itself is not asked here.
 */
const openBelowText = (open: string) =>
  `WITH RECURSIVE ${open},
   down AS (
     SELECT f.id, f.parent_id, f.name, f.barrier_id, 1 AS level FROM folder f WHERE f.team_id = $team AND f.id = $id AND f.deleted_at IS NULL
     UNION ALL
     SELECT c.id, c.parent_id, c.name, c.barrier_id, b.level + 1 FROM down b CROSS JOIN LATERAL (
       SELECT f.id, f.parent_id, f.name, f.barrier_id FROM folder f
       WHERE f.team_id = $team AND ${at('f.parent_id', 'b.id')} AND f.deleted_at IS NULL OFFSET 0
     ) c WHERE c.barrier_id IN (SELECT barrier FROM open)
   )
   SELECT id, parent_id, name FROM down ORDER BY level, id LIMIT $limit`;

type Below = { team: string; id: string; limit: number };
export const openBelow = {
  person: sqlStatement<Below & { user: string | null }, FolderBelow>(openBelowText(viewText.manager)),
  client: sqlStatement<Below, FolderBelow>(openBelowText(viewText.client)),
};

/** Whether a legal hold stands on a folder, above it, or on anything in it, the bin too. Holds are the documents' own, which say it by functions. */
export const isHeldWhole = sqlStatement<{ team: string; id: string }, { held: boolean }>(
  `WITH RECURSIVE ${below}
   SELECT is_held($team, NULL, $id) OR holds_within($team, ARRAY(SELECT id FROM below)) AS held`,
);

/** Whether a legal hold stands on a folder, kept or in the bin, or on one above. */
export const isHeldIn = sqlStatement<{ team: string; folder: string }, { held: boolean }>('SELECT is_held($team, NULL, $folder) AS held');

/** Whether what is moved from one folder to another, null for none, comes out from under a legal hold. */
export const leavesHold = sqlStatement<{ team: string; from: string | null; to: string | null }, { leaves: boolean }>(
  'SELECT leaves_hold($team, $from, $to) AS leaves',
);

/** How many levels lie above and including a folder, and whether `moved` is one of them. */
export const pathOf = sqlStatement<{ team: string; id: string; moved: string | null }, { depth: number; through: boolean }>(
  `WITH RECURSIVE ${aboveText('$id')} SELECT count(*)::int AS depth, coalesce(bool_or(id = $moved::uuid), false) AS through FROM above`,
);

type Subtree = {
  /** Levels of what is not in the bin, the folder itself included, and of all; null where there is none of them. */
  height: number | null;
  whole_height: number | null;
  /** Barriers in it, the folder's own and those in the bin too. */
  barriers: number;
  /** Barriers that a person is outside of, but for what is in the bin. */
  closed: number;
};

/** How far the subtree of a folder goes, and which barriers stand in it. */
export const extentOf = sqlStatement<{ team: string; id: string; user: string | null }, Subtree>(
  `WITH RECURSIVE ${below}
   SELECT max(level) FILTER (WHERE NOT binned)::int AS height, max(level)::int AS whole_height,
     count(*) FILTER (WHERE barrier_id = id)::int AS barriers,
     count(*) FILTER (WHERE NOT binned AND barrier_id = id AND NOT EXISTS (
       SELECT FROM folder_barrier_member m WHERE m.team_id = $team AND m.folder_id = below.id AND m.user_id = $user
         AND (m.until IS NULL OR m.until > now())
     ))::int AS closed
   FROM below`,
);

/** Whether an API client made a folder and all folders and documents in it, the bin too. */
export const madeWholly = sqlStatement<{ team: string; id: string; client: string }, { wholly: boolean }>(
  `WITH RECURSIVE ${below}
   SELECT NOT EXISTS (
     SELECT FROM below WHERE made_by_client IS DISTINCT FROM $client OR EXISTS (
       SELECT FROM filed_documents($team) d WHERE ${at('d.folder_id', 'below.id')} AND d.made_by_client IS DISTINCT FROM $client
     )
   ) AS wholly`,
);

/** Somebody else takes over a folder, so that it and all that is in it, the bin too, are no longer what an API client made for itself. */
export const takeOver = sqlStatement<{ team: string; id: string; client: string | null }, never>(
  `WITH RECURSIVE ${below},
   taken AS (
     UPDATE folder f SET made_by_client = NULL
     FROM below WHERE f.team_id = $team AND f.id = below.id AND f.made_by_client IS DISTINCT FROM $client AND f.made_by_client IS NOT NULL
   )
   SELECT take_over_documents($team, ARRAY(SELECT id FROM below), $client)`,
);

/**
 * A subtree goes to the tree of `user` and from behind one barrier to behind another. What stands behind barriers of its own
 * stays there. Documents follow by their key.
 */
export const carrySubtree = sqlStatement<{ team: string; id: string; user: string; fromBarrier: string; toBarrier: string }, never>(
  `WITH RECURSIVE ${below}
   UPDATE folder f SET user_id = $user, barrier_id = CASE WHEN f.barrier_id = $fromBarrier THEN $toBarrier ELSE f.barrier_id END
   FROM below WHERE f.team_id = $team AND f.id = below.id AND (f.user_id <> $user OR f.barrier_id = $fromBarrier)`,
);

type Binning = { team: string; id: string; client: string | null; at: Date };

/** Moves a folder and all below it to the bin; what anybody but the API client that made it bins is no longer its own. */
export const binSubtree = sqlStatement<Binning, { id: string }>(
  `WITH RECURSIVE ${below}
   UPDATE folder f SET deleted_at = $at, deleted_with = $id, version = f.version + 1, ${keptByClient}
   FROM below WHERE f.team_id = $team AND f.id = below.id AND NOT below.binned RETURNING f.id`,
);

export const restoreSubtree = sqlStatement<Binning, { id: string }>(
  `UPDATE folder f SET deleted_at = NULL, deleted_with = NULL, version = version + 1, updated_at = $at, ${keptByClient}
   WHERE team_id = $team AND deleted_with = $id RETURNING id`,
);

export const moveToTop = sqlStatement<{ team: string; id: string }, never>(
  'UPDATE folder SET parent_id = NULL WHERE team_id = $team AND id = $id',
);

/**
 * Ends folders that have been in the bin for long and hold nothing any more; leaves first. They are looked for once: joined with what is to go,
 * all would be looked for again for each of them, by a planner that expects one.
 */
export const purgeFolders = sqlStatement<{ team: string; before: Date }, { id: string }>(
  `DELETE FROM folder f WHERE f.team_id = $team AND f.id = ANY (ARRAY(
     SELECT g.id FROM folder g WHERE g.team_id = $team AND g.deleted_at < $before AND NOT is_held($team, NULL, g.id)
       AND NOT EXISTS (SELECT FROM folder c WHERE c.team_id = $team AND ${at('c.parent_id', 'g.id')})
       AND NOT EXISTS (SELECT FROM filed_documents($team) d WHERE ${at('d.folder_id', 'g.id')})
     LIMIT 500))
   RETURNING f.id`,
);

/** The job that empties the bins, and the teams for which it has something to do, the longest due first. */
export const folderBin = 'folder-bin';
export const binsToEmpty = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT f.team_id FROM folder f WHERE f.deleted_at < $before AND NOT is_held(f.team_id, NULL, f.id) AND ${notWaitingAfterFailure(folderBin, 'f.team_id', "''")}
   GROUP BY f.team_id ORDER BY min(f.deleted_at) LIMIT 1000`,
);
