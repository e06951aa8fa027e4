import { jsonPage, type ListPage } from '../platform/database/json-page.ts';
import { build, sqlStatement, statement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';

export type FolderRow = {
  id: string;
  name: string;
  parent_id: string | null;
  user_id: string;
  description: string | null;
  color: string | null;
  metadata: Record<string, unknown>;
  version: number;
  created_at: string;
  updated_at: string;
};
export type CountedFolder = FolderRow & { children: number; documents: number; shares: number };
export type ReachedFolder = CountedFolder & { access: 'read' | 'write' | null };

/** `user` null stands for an API client, which sees the whole team's folders. */
type Viewer = { team: string; user: string | null };

const columns = 'f.id, f.name, f.parent_id, f.user_id, f.description, f.color, f.metadata, f.version, f.created_at, f.updated_at';

// The strongest share of a person on a folder or on anything above it.
const sharedAccess = `(
  WITH RECURSIVE above AS (
    SELECT f.id, f.parent_id
    UNION ALL
    SELECT p.id, p.parent_id FROM folder p JOIN above a ON p.id = a.parent_id WHERE p.team_id = $team
  )
  SELECT max(s.access) FROM above a JOIN folder_share s ON s.team_id = $team AND s.folder_id = a.id AND s.user_id = $user
)`;

const counts = `
     (SELECT count(*) FROM folder c WHERE c.team_id = $team AND c.parent_id = f.id AND c.deleted_at IS NULL) AS children,
     (SELECT count(*) FROM document d WHERE d.team_id = $team AND d.folder_id = f.id AND d.deleted_at IS NULL) AS documents,
     (SELECT count(*) FROM folder_share s WHERE s.team_id = $team AND s.folder_id = f.id) AS shares`;

/** A folder of the viewer's own with its counts: the common case, without a look at shares. */
export const reachOwnFolder = sqlStatement<{ team: string; user: string; id: string }, CountedFolder>(
  `SELECT ${columns}, ${counts}
   FROM folder f WHERE f.team_id = $team AND f.id = $id AND f.user_id = $user AND f.deleted_at IS NULL`,
);

/** One folder with its counts, and what the viewer may do with it. */
export const reachFolder = sqlStatement<Viewer & { id: string }, ReachedFolder>(
  `SELECT ${columns}, ${counts},
     CASE WHEN $user::uuid IS NULL OR f.user_id = $user THEN 'write' ELSE ${sharedAccess} END AS access
   FROM folder f WHERE f.team_id = $team AND f.id = $id AND f.deleted_at IS NULL`,
);

/** Locks a folder that is to be changed, or that something is put into, against being deleted meanwhile. */
export const lockFolder = statement<{ team: string; id: string }>()((p) =>
  build
    .selectFrom('folder')
    .select(['id', 'user_id', 'parent_id', 'version'])
    .where('team_id', '=', p.team)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null)
    .forUpdate(),
);

export const holdFolder = statement<{ team: string; id: string }>()((p) =>
  build
    .selectFrom('folder')
    .select(['id', 'user_id'])
    .where('team_id', '=', p.team)
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null)
    .forShare(),
);

const visible = {
  person: `
    SELECT f.id FROM folder f WHERE f.team_id = $team AND f.user_id = $user AND f.deleted_at IS NULL
    UNION
    SELECT id FROM shared`,
  client: 'SELECT f.id FROM folder f WHERE f.team_id = $team AND f.deleted_at IS NULL AND $user::uuid IS NULL',
};

const listed = `jsonb_strip_nulls(jsonb_build_object(
    'id', f.id, 'name', f.name, 'parentId', f.parent_id, 'userId', f.user_id,
    'childrenCount', f.children, 'documentsCount', f.documents, 'shareCount', f.shares, 'description', f.description, 'color', f.color,
    'createdAt', to_char(f.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updatedAt', to_char(f.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )) || CASE WHEN f.metadata = '{}' THEN '{}' ELSE jsonb_build_object('metadata', f.metadata) END`;

// The whole answer is written by the database in one statement: named members only, absent where there is no value.
function listText(who: keyof typeof visible): string {
  return `WITH RECURSIVE shared AS (
      SELECT f.id FROM folder_share s JOIN folder f ON f.team_id = $team AND f.id = s.folder_id AND f.deleted_at IS NULL
      WHERE s.team_id = $team AND s.user_id = $user
      UNION
      SELECT c.id FROM folder c JOIN shared ON c.parent_id = shared.id WHERE c.team_id = $team AND c.deleted_at IS NULL
    ),
    page AS (SELECT v.id FROM (${visible[who]}) v WHERE v.id > $after ORDER BY v.id LIMIT $limit + 1),
    -- Row by row at its place: a join would compare all with all where the tables were never analysed.
    counted AS (
      SELECT f.*, ${counts} FROM page CROSS JOIN LATERAL (SELECT * FROM folder WHERE team_id = $team AND id = page.id OFFSET 0) f
    ),
    ${jsonPage({ from: 'counted f', item: listed, order: 'f.id', key: ['f.id'] })}`;
}

type Page = Viewer & { after: string; limit: number };

/** The folders a person owns, and those shared with them with everything below. */
export const listForPerson = sqlStatement<Page, ListPage>(listText('person'));
/** All folders of the team. */
export const listForClient = sqlStatement<Page, ListPage>(listText('client'));

/** Puts changes of the team's tree one after another: exclusive for moves, shared for what only adds a leaf. */
export const lockTree = sqlStatement<{ team: string }, { locked: null }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('folder tree ' || $team, 0)) AS locked",
);
export const shareTree = sqlStatement<{ team: string }, { locked: null }>(
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('folder tree ' || $team, 0)) AS locked",
);

/** How many levels lie above and including a folder, and whether `moved` is one of them. */
export const pathOf = sqlStatement<{ team: string; id: string; moved: string | null }, { depth: number; through: boolean }>(
  `WITH RECURSIVE above AS (
     SELECT id, parent_id FROM folder WHERE team_id = $team AND id = $id
     UNION ALL
     SELECT p.id, p.parent_id FROM folder p JOIN above ON p.id = above.parent_id WHERE p.team_id = $team
   ) SELECT count(*)::int AS depth, coalesce(bool_or(id = $moved::uuid), false) AS through FROM above`,
);

/** Levels of the subtree of a folder, itself included. */
export const heightOf = sqlStatement<{ team: string; id: string }, { height: number }>(
  `WITH RECURSIVE below AS (
     SELECT id, 1 AS level FROM folder WHERE team_id = $team AND id = $id
     UNION ALL
     SELECT c.id, below.level + 1 FROM folder c JOIN below ON c.parent_id = below.id WHERE c.team_id = $team AND c.deleted_at IS NULL
   ) SELECT max(level)::int AS height FROM below`,
);

/** The person a client's folders belong to: the owner of its team. */
export const ownerOfTeam = statement<{ team: string }>()((p) =>
  build.selectFrom('account').select('id').where('team_id', '=', p.team).where('role', '=', 'owner').where('deleted_at', 'is', null),
);

type NewFolder = {
  team: string;
  id: string;
  parent: string | null;
  user: string;
  name: string;
  nameKey: string;
  description: string | null;
  color: string | null;
  metadata: string;
  at: Date;
};

export const insertFolder = statement<NewFolder>()((p) =>
  build.insertInto('folder').values({
    team_id: p.team,
    id: p.id,
    parent_id: p.parent,
    user_id: p.user,
    name: p.name,
    name_key: p.nameKey,
    description: p.description,
    color: p.color,
    metadata: p.metadata,
    created_at: p.at,
    updated_at: p.at,
  }),
);

export type FolderChange = {
  team: string;
  id: string;
  name: string;
  nameKey: string;
  description: string | null;
  color: string | null;
  metadata: string;
  at: Date;
};

export const updateFolder = sqlStatement<FolderChange, never>(
  `UPDATE folder SET name = $name, name_key = $nameKey, description = $description, color = $color, metadata = $metadata,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

/** Moves a folder; the subtree goes to the tree, and so to the person, that owns the new place. */
export const moveFolder = sqlStatement<{ team: string; id: string; parent: string | null; user: string; at: Date }, never>(
  `WITH RECURSIVE below AS (
     SELECT id FROM folder WHERE team_id = $team AND id = $id
     UNION ALL
     SELECT c.id FROM folder c JOIN below ON c.parent_id = below.id WHERE c.team_id = $team
   )
   UPDATE folder f SET
     parent_id = CASE WHEN f.id = $id THEN $parent ELSE f.parent_id END,
     user_id = $user,
     version = CASE WHEN f.id = $id THEN f.version + 1 ELSE f.version END,
     updated_at = CASE WHEN f.id = $id THEN $at ELSE f.updated_at END
   FROM below WHERE f.team_id = $team AND f.id = below.id AND (f.id = $id OR f.user_id <> $user)`,
);

/** Moves a folder and all below it to the bin. */
export const binSubtree = sqlStatement<{ team: string; id: string; at: Date }, { id: string }>(
  `WITH RECURSIVE below AS (
     SELECT id FROM folder WHERE team_id = $team AND id = $id
     UNION ALL
     SELECT c.id FROM folder c JOIN below ON c.parent_id = below.id WHERE c.team_id = $team AND c.deleted_at IS NULL
   )
   UPDATE folder f SET deleted_at = $at, deleted_with = $id, version = f.version + 1
   FROM below WHERE f.team_id = $team AND f.id = below.id RETURNING f.id`,
);

export const findBinned = statement<{ team: string; id: string }>()((p) =>
  build
    .selectFrom('folder')
    .select(['id', 'user_id', 'parent_id', 'name'])
    .where('team_id', '=', p.team)
    .where('id', '=', p.id)
    .where('deleted_with', '=', p.id)
    .where('deleted_at', 'is not', null)
    .forUpdate(),
);

export const restoreSubtree = sqlStatement<{ team: string; id: string; at: Date }, { id: string }>(
  `UPDATE folder SET deleted_at = NULL, deleted_with = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND deleted_with = $id RETURNING id`,
);

export const moveToTop = sqlStatement<{ team: string; id: string }, never>(
  'UPDATE folder SET parent_id = NULL WHERE team_id = $team AND id = $id',
);

export const listShares = statement<{ team: string; folder: string }>()((p) =>
  build
    .selectFrom('folder_share')
    .select(['id', 'folder_id', 'user_id', 'access', 'created_at'])
    .where('team_id', '=', p.team)
    .where('folder_id', '=', p.folder)
    .orderBy('id'),
);

/** A second share with the same person changes the first. Nothing is inserted for someone who is no active member. */
export const putShare = sqlStatement<
  { team: string; id: string; folder: string; user: string; access: string; by: string; at: Date },
  { id: string; folder_id: string; user_id: string; access: string; created_at: string }
>(
  `INSERT INTO folder_share (team_id, id, folder_id, user_id, access, created_by, created_at)
   SELECT $team, $id, $folder, a.id, $access, $by, $at FROM account a WHERE a.team_id = $team AND a.id = $user AND a.status = 'active'
   ON CONFLICT ON CONSTRAINT folder_share_once DO UPDATE SET access = excluded.access
   RETURNING id, folder_id, user_id, access, created_at`,
);

export const deleteShare = statement<{ team: string; folder: string; id: string }>()((p) =>
  build
    .deleteFrom('folder_share')
    .where('team_id', '=', p.team)
    .where('folder_id', '=', p.folder)
    .where('id', '=', p.id)
    .returning(['id', 'user_id']),
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

/** What lies at the top of a person's tree. */
export const topFolders = sqlStatement<{ team: string; user: string }, { id: string; name: string }>(
  'SELECT id, name FROM folder WHERE team_id = $team AND user_id = $user AND parent_id IS NULL AND deleted_at IS NULL ORDER BY id',
);

export const nameOfMember = sqlStatement<{ team: string; id: string }, { first_name: string; last_name: string }>(
  'SELECT first_name, last_name FROM account WHERE team_id = $team AND id = $id',
);

/** A folder at the top of a person's tree; no row when its name is taken there. */
export const insertTopFolder = sqlStatement<
  { team: string; id: string; user: string; name: string; nameKey: string; at: Date },
  { id: string }
>(
  `INSERT INTO folder (team_id, id, user_id, name, name_key, created_at, updated_at) VALUES ($team, $id, $user, $name, $nameKey, $at, $at)
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** Gives a person's whole tree, the bin too, to another; what lay at the top goes under `place`. */
export const handOverFolders = sqlStatement<{ team: string; from: string; to: string; place: string | null; at: Date }, never>(
  `UPDATE folder SET user_id = $to, version = version + 1, updated_at = $at,
     parent_id = CASE WHEN parent_id IS NULL AND deleted_at IS NULL THEN $place::uuid ELSE parent_id END
   WHERE team_id = $team AND user_id = $from`,
);

export const dropSharesWith = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM folder_share WHERE team_id = $team AND user_id = $user',
);

export const dropOwnShares = sqlStatement<{ team: string; user: string }, never>(
  `DELETE FROM folder_share s USING folder f
   WHERE s.team_id = $team AND s.user_id = $user AND f.team_id = $team AND f.id = s.folder_id AND f.user_id = $user`,
);
