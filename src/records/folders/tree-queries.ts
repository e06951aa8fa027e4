import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

/** Serializes changes of the team’s trees: exclusive for moves, shared for adding a leaf. */
export const lockTree = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('folder tree ' || $team, 0)) AS locked",
);
export const lockTreeShared = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('folder tree ' || $team, 0)) AS locked",
);

export type FolderBelow = Row<'folder', 'id' | 'parent_id' | 'name'>;

/**
 * Selects a folder and the folders below it, parents first, without the bin and folders whose barrier excludes the viewer. The caller checks the
 * access to the folder itself.
 */
export const openBelow = sqlStatement<{ team: string; id: string; user: string | null; limit: number }, FolderBelow>(
  `WITH open AS MATERIALIZED (SELECT open_barriers($team, $user) AS barrier)
   SELECT f.id, f.parent_id, f.name FROM access_below($team, $id) b CROSS JOIN LATERAL (
     SELECT o.id, o.parent_id, o.name, o.barrier_id FROM folder o WHERE o.team_id = $team AND o.id = b.id AND o.deleted_at IS NULL OFFSET 0
   ) f WHERE f.barrier_id IN (SELECT barrier FROM open) AND (f.id IN (SELECT closing_containers($team, $user))) IS NOT TRUE ORDER BY b.distance, f.id LIMIT $limit`,
);

/**
 * Whether a legal hold is active on a folder, above it, or on anything in it, including the bin. The document tables own the holds, so their
 * functions are used.
 */
export const hasHoldWithin = sqlStatement<{ team: string; id: string }, { on_hold: boolean }>(
  'SELECT on_legal_hold($team, NULL, $id) OR holds_within($team, ARRAY(SELECT id FROM access_below($team, $id))) AS on_hold',
);

/** Whether a legal hold is active on a folder or above it. Also for folders in the bin. */
export const hasHoldAbove = sqlStatement<{ team: string; folder: string }, { on_hold: boolean }>(
  'SELECT on_legal_hold($team, NULL, $folder) AS on_hold',
);

/** Whether a move from one folder to another (null: no folder) leaves a legal hold. */
export const leavesHold = sqlStatement<{ team: string; from: string | null; to: string | null }, { leaves: boolean }>(
  'SELECT leaves_hold($team, $from, $to) AS leaves',
);

/** Raises the SQLSTATE of `matter_closed` if the matter of a container is closed. */
export const refuseClosed = sqlStatement<{ team: string; container: string }, never>(
  'SELECT refuse_closed($team, matter_of($team, $container)) AS refused',
);

/** The number of levels down to a folder, and whether `moved` is one of them. */
export const pathOf = sqlStatement<{ team: string; id: string; moved: string | null }, { depth: number; through: boolean }>(
  'SELECT count(*)::int AS depth, coalesce(bool_or(id = $moved::uuid), false) AS through FROM access_above($team, $id)',
);

type Subtree = {
  /** The number of levels outside the bin, and including the bin. Both count the folder itself. Null if there are none. */
  height: number | null;
  whole_height: number | null;
  /** Barriers in the subtree, including the folder’s own and those in the bin. */
  barriers: number;
  /** Barriers of which the person is not a member, except in the bin. Emergency access does not count as membership. */
  closed: number;
};

/** A folder and everything below it, including the bin. */
const below = `(
     SELECT o.id, barrier_now($team, o.id, o.barrier_id) AS barrier_id, o.made_by_client, o.deleted_at IS NOT NULL AS binned, p.distance + 1 AS level
     FROM access_below($team, $id) p CROSS JOIN LATERAL (SELECT * FROM folder f WHERE f.team_id = $team AND f.id = p.id) o
   ) below`;

/** The height of a folder’s subtree and its barriers. */
export const extentOf = sqlStatement<{ team: string; id: string; user: string | null }, Subtree>(
  `SELECT max(level) FILTER (WHERE NOT binned)::int AS height, max(level)::int AS whole_height,
     count(*) FILTER (WHERE barrier_id = id)::int AS barriers,
     count(*) FILTER (WHERE NOT binned AND barrier_id = id AND (SELECT s.outsider FROM barrier_state($team, id, $user) s))::int AS closed
   FROM ${below}`,
);

/** Whether an API client made a folder and all folders and documents in it, including the bin. */
export const isCreatedByClient = sqlStatement<{ team: string; id: string; client: string }, { wholly: boolean }>(
  `SELECT NOT EXISTS (
     SELECT FROM ${below} WHERE made_by_client IS DISTINCT FROM $client OR EXISTS (
       SELECT FROM filed_documents($team) d WHERE d.folder_id = below.id AND d.made_by_client IS DISTINCT FROM $client
     )
   ) AS wholly`,
);

/** Clears `made_by_client` of a folder and all its content, including the bin, unless `client` made it. */
export const takeOver = sqlStatement<{ team: string; id: string; client: string | null }, never>(
  `WITH taken AS (
     UPDATE folder f SET made_by_client = NULL
     FROM access_below($team, $id) b WHERE f.team_id = $team AND f.id = b.id AND f.made_by_client IS DISTINCT FROM $client AND f.made_by_client IS NOT NULL
   )
   SELECT take_over_documents($team, ARRAY(SELECT id FROM access_below($team, $id)), $client)`,
);

/**
 * Moves a subtree to the tree of `user` and from one barrier to another. Content behind other barriers keeps them. A foreign key updates the
 * documents.
 */
export const carrySubtree = sqlStatement<{ team: string; id: string; user: string; fromBarrier: string; toBarrier: string }, never>(
  `UPDATE folder f SET user_id = $user, barrier_id = CASE WHEN f.barrier_id = $fromBarrier THEN $toBarrier ELSE f.barrier_id END
   FROM access_below($team, $id) b WHERE f.team_id = $team AND f.id = b.id AND (f.user_id <> $user OR f.barrier_id = $fromBarrier)`,
);

/** The number of documents at and below a folder, including the bin, whose nearest barrier is `barrier`. */
export const documentsBehind = sqlStatement<{ team: string; id: string; barrier: string }, { documents: number }>(
  `SELECT count(*)::int AS documents FROM access_below($team, $id) b CROSS JOIN LATERAL (
     SELECT o.id FROM folder o WHERE o.team_id = $team AND o.id = b.id AND o.barrier_id = $barrier OFFSET 0
   ) f JOIN filed_documents($team) d ON d.folder_id = f.id`,
);

type Rebarred = { team: string; id: string; from: string; to: string };
/** Locks a folder that still has the old barrier, then its documents in order. Returns the number of documents. */
export const lockBehind = sqlStatement<Omit<Rebarred, 'to'>, { id: string }>(
  'SELECT id FROM folder WHERE team_id = $team AND id = $id AND barrier_id = $from FOR UPDATE',
);
export const lockDocuments = sqlStatement<{ team: string; id: string }, { documents: number }>(
  'SELECT lock_documents($team, $id) AS documents',
);
/** Gives a folder another barrier and clears `made_by_client`. A foreign key updates its documents. */
export const changeBarrier = sqlStatement<Rebarred, never>(
  'UPDATE folder SET barrier_id = $to, made_by_client = NULL WHERE team_id = $team AND id = $id AND barrier_id = $from',
);
export const takeOverDocuments = sqlStatement<{ team: string; id: string }, never>(
  'SELECT take_over_documents($team, ARRAY[$id::uuid], NULL)',
);

type Binning = { team: string; id: string; client: string | null; at: Date };

/** Moves a folder and everything below it to the bin. Clears `made_by_client` unless that client acts. */
export const binSubtree = sqlStatement<Binning, { id: string }>(
  `UPDATE folder f SET deleted_at = $at, deleted_with = $id, version = f.version + 1, made_by_client = still_made_by(f.made_by_client, $client)
   FROM access_below($team, $id) b WHERE f.team_id = $team AND f.id = b.id AND f.deleted_at IS NULL RETURNING f.id`,
);

export const restoreSubtree = sqlStatement<Binning, { id: string }>(
  `UPDATE folder f SET deleted_at = NULL, deleted_with = NULL, version = version + 1, updated_at = $at, made_by_client = still_made_by(f.made_by_client, $client)
   WHERE team_id = $team AND deleted_with = $id RETURNING id`,
);

export const moveToTop = sqlStatement<{ team: string; id: string }, never>(
  'UPDATE folder SET parent_id = NULL WHERE team_id = $team AND id = $id',
);

/**
 * Deletes empty folders whose time in the bin has ended, children first. The subquery runs once; in a join, the planner would repeat it for each row.
 * `BETWEEN` is necessary, because with `=` PostgreSQL reads all documents of the team for a hash join.
 */
export const purgeFolders = sqlStatement<{ team: string; before: Date }, { id: string }>(
  `DELETE FROM folder f WHERE f.team_id = $team AND f.id = ANY (ARRAY(
     SELECT g.id FROM folder g WHERE g.team_id = $team AND g.deleted_at < $before AND NOT on_legal_hold($team, NULL, g.id)
       AND NOT EXISTS (SELECT FROM folder c WHERE c.team_id = $team AND c.parent_id BETWEEN g.id AND g.id)
       AND NOT EXISTS (SELECT FROM filed_documents($team) d WHERE d.folder_id BETWEEN g.id AND g.id)
     LIMIT 500))
   RETURNING f.id`,
);

/** The job that empties the bins, and the teams with due folders, the longest due first. */
export const folderBin = 'folder-bin';
export const binsToEmpty = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT f.team_id FROM folder f WHERE f.deleted_at < $before AND NOT on_legal_hold(f.team_id, NULL, f.id) AND NOT job_waits('${folderBin}', f.team_id, '')
   GROUP BY f.team_id ORDER BY min(f.deleted_at) LIMIT 1000`,
);

const sharesOn = (path: string) => `SELECT s.principal_type, s.principal_id, bool_or('editor' = ANY (s.relations)) AS writes
     FROM access_shares($team, 'folder') s WHERE s.resource_id = ANY (ARRAY(SELECT id FROM ${path})) GROUP BY s.principal_type, s.principal_id`;

/**
 * Whether a move from folder `from` (null: no folder) to folder `to` gives a principal access or write access. The access comes from a share, or from
 * an API client that is confined to the folder. A share with the team covers each person.
 */
export const opensAt = sqlStatement<{ team: string; from: string | null; to: string }, { opens: boolean }>(
  `WITH source AS (SELECT id FROM access_above($team, $from)), target AS (SELECT id FROM access_above($team, $to)),
   before AS (${sharesOn('source')}),
   gained AS (${sharesOn('target')})
   SELECT EXISTS (
     SELECT FROM gained WHERE NOT EXISTS (
       SELECT FROM before WHERE (before.principal_type = 'team' OR before.principal_id = gained.principal_id) AND before.writes >= gained.writes
     )
   ) OR EXISTS (
     SELECT FROM folders_of_clients($team) c
     WHERE c.folder_ids && ARRAY(SELECT id FROM target) AND NOT c.folder_ids && ARRAY(SELECT id FROM source)
   ) AS opens`,
);

export type DependentGrant = {
  id: string;
  document_id: string;
  user_id: string | null;
  group_id: string | null;
  task_id: string;
  granted_by: string;
  created_at: string;
  hidden: boolean;
};
/**
 * Selects the task grants by given persons, or by all persons if `by` is null. The grants are for one document, or for the documents in a folder and
 * below it. Grants by the owner of a document need no share and are omitted. `hidden`: a barrier excludes the caller from the document.
 */
export const dependentGrants = sqlStatement<
  { team: string; by: readonly string[] | null; document: string | null; folder: string | null; user: string | null },
  DependentGrant
>(
  `SELECT g.id, g.resource_id AS document_id, g.user_id, g.group_id, g.task_id, g.granted_by, g.created_at, barrier_excludes($team, d.barrier_id, $user) AS hidden
   FROM access_task_grants($team, 'document', $by::uuid[]) g
   CROSS JOIN LATERAL (SELECT f.folder_id, f.user_id, f.barrier_id FROM filed_documents($team) f WHERE f.id = g.resource_id) d
   WHERE g.granted_by <> d.user_id
     AND (g.resource_id = $document::uuid OR EXISTS (SELECT FROM access_above($team, d.folder_id) a WHERE a.id = $folder::uuid))
   ORDER BY g.id`,
  {
    id: 'a column of the table that is never null',
    document_id: 'as above',
    task_id: 'a grant by a task has its task',
    created_at: 'a column of the table that is never null',
    hidden: 'the function returns no null',
  },
);
