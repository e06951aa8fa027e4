import { sqlStatement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';
import { aboveText, at } from './visibility-queries.ts';

/** Puts changes of the team's tree one after another: exclusive for moves, shared for what only adds a leaf. */
export const lockTree = sqlStatement<{ team: string }, { locked: null }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('folder tree ' || $team, 0)) AS locked",
);
export const shareTree = sqlStatement<{ team: string }, { locked: null }>(
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('folder tree ' || $team, 0)) AS locked",
);

/** A folder and all below it, of those in the bin too, or only of those that are not. */
const below = (which: 'all' | 'kept') => `below AS (
     SELECT id, wall_id, 1 AS level FROM folder WHERE team_id = $team AND id = $id
     UNION ALL
     SELECT c.id, c.wall_id, b.level + 1 FROM below b CROSS JOIN LATERAL (
       SELECT f.id, f.wall_id FROM folder f WHERE f.team_id = $team AND ${at('f.parent_id', 'b.id')}
         ${which === 'kept' ? 'AND f.deleted_at IS NULL' : ''} OFFSET 0
     ) c
   )`;

/** How many levels lie above and including a folder, and whether `moved` is one of them. */
export const pathOf = sqlStatement<{ team: string; id: string; moved: string | null }, { depth: number; through: boolean }>(
  `WITH RECURSIVE ${aboveText('$id')} SELECT count(*)::int AS depth, coalesce(bool_or(id = $moved::uuid), false) AS through FROM above`,
);

type Subtree = {
  height: number;
  /** Walls in it, the folder's own too. */
  walls: number;
  /** Of those, walls that a person is outside of; for nobody (null) all of them. */
  closed: number;
};
const extent = (which: 'all' | 'kept') => `WITH RECURSIVE ${below(which)}
   SELECT max(level)::int AS height, count(*) FILTER (WHERE wall_id = id)::int AS walls,
     count(*) FILTER (WHERE wall_id = id AND NOT EXISTS (
       SELECT FROM folder_wall_member m WHERE m.team_id = $team AND m.folder_id = below.id AND m.user_id = $user
         AND (m.until IS NULL OR m.until > now())
     ))::int AS closed
   FROM below`;

/** Levels of the subtree of a folder, itself included, and the walls in it. What is in the bin does not count. */
export const extentOf = sqlStatement<{ team: string; id: string; user: string | null }, Subtree>(extent('kept'));

/** The same of a folder in the bin, with all that is in the bin below it. */
export const binnedExtentOf = sqlStatement<{ team: string; id: string; user: string | null }, Subtree>(extent('all'));

/**
 * A subtree goes to the tree of `user` and from behind one wall to behind another. What stands behind walls of its own
 * stays there. Documents follow by their key.
 */
export const carrySubtree = sqlStatement<{ team: string; id: string; user: string; fromWall: string; toWall: string }, never>(
  `WITH RECURSIVE ${below('all')}
   UPDATE folder f SET user_id = $user, wall_id = CASE WHEN f.wall_id = $fromWall THEN $toWall ELSE f.wall_id END
   FROM below WHERE f.team_id = $team AND f.id = below.id AND (f.user_id <> $user OR f.wall_id = $fromWall)`,
);

/** Moves a folder and all below it to the bin. */
export const binSubtree = sqlStatement<{ team: string; id: string; at: Date }, { id: string }>(
  `WITH RECURSIVE ${below('kept')}
   UPDATE folder f SET deleted_at = $at, deleted_with = $id, version = f.version + 1
   FROM below WHERE f.team_id = $team AND f.id = below.id RETURNING f.id`,
);

export const restoreSubtree = sqlStatement<{ team: string; id: string; at: Date }, { id: string }>(
  `UPDATE folder SET deleted_at = NULL, deleted_with = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND deleted_with = $id RETURNING id`,
);

export const moveToTop = sqlStatement<{ team: string; id: string }, never>(
  'UPDATE folder SET parent_id = NULL WHERE team_id = $team AND id = $id',
);

/** Ends folders that have been in the bin for long and hold nothing any more; leaves first. */
export const purgeFolders = sqlStatement<{ team: string; before: Date }, { id: string }>(
  `DELETE FROM folder f WHERE f.team_id = $team AND f.deleted_at < $before AND f.id IN (
     SELECT g.id FROM folder g WHERE g.team_id = $team AND g.deleted_at < $before
       AND NOT EXISTS (SELECT FROM folder c WHERE c.team_id = g.team_id AND c.parent_id = g.id)
       AND NOT EXISTS (SELECT FROM document d WHERE d.team_id = g.team_id AND d.folder_id = g.id)
     LIMIT 500)
   RETURNING f.id`,
);

/** The job that empties the bins, and the teams for which it has something to do, the longest due first. */
export const folderBin = 'folder-bin';
export const binsToEmpty = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT f.team_id FROM folder f WHERE f.deleted_at < $before AND ${notWaitingAfterFailure(folderBin, 'f.team_id', "''")}
   GROUP BY f.team_id ORDER BY min(f.deleted_at) LIMIT 1000`,
);
