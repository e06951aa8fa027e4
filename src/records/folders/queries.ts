import { jsonThing, pageStatement } from '../../platform/database/json-page.ts';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import type { ListSearchParams } from '../../platform/database/list-filters.ts';
import { bySort, type ChangeSort, changeSorts, isoText, type Cursor, sortedBy } from '../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import {
  type ImmediateAccessParams,
  barrierIsThere,
  type Facts,
  type ResourceName,
  factsAreThere,
  isOpen,
  isSettled,
  noBarrier,
  type View,
  type Viewer,
  viewSql,
} from '#access';
import type { FolderKind } from './policy.ts';

export type FolderRow = RowWithout<
  'folder',
  'created_by' | 'deleted_at' | 'deleted_with' | 'is_matter' | 'metadata' | 'name_key' | 'team_id'
> & {
  created_by: string;
  /** The matter that the folder is in. Its root is the parent of the folders at its top. */
  matter_id: string | null;
  metadata: Record<string, unknown>;
};
export type CountedFolder = FolderRow & { children: number; documents: number; shares: number; team_access: 'read' | 'write' | null };
export type ReachedFolder = CountedFolder & Facts;

const columns = `f.id, f.name, f.parent_id, f.user_id, barrier_now($team, f.id, f.barrier_id) AS barrier_id, f.made_by_client, coalesce(f.created_by, f.user_id) AS created_by,
     f.created_by_type, f.description, f.color, f.metadata, f.version,
     CASE WHEN (SELECT has_matters($team)) THEN matter_of($team, f.id) END AS matter_id,
     f.created_at, f.updated_at`;

/** Condition: no barrier on the folder itself excludes the viewer. Ignores barriers above it. */
const notBarred =
  '((c.barrier_id <> c.id AND c.id NOT IN (SELECT g.id FROM barrier_changes($team) g)) OR barrier_of($team, c.id) <> c.id OR NOT barrier_excludes($team, c.id, $user))';
/** The level of a share. An editor has write access. */
const level = (row: string) => `CASE WHEN 'editor' = ANY (${row}.relations) THEN 'write' ELSE 'read' END`;
const counts = `
     (SELECT count(*) FROM folder c WHERE c.team_id = $team AND c.parent_id = f.id AND c.deleted_at IS NULL AND ${notBarred}) AS children,
     (SELECT count(*) FROM filed_documents($team) d WHERE d.folder_id = f.id AND d.deleted_at IS NULL) AS documents,
     sharing.shares, sharing.team_access`;
/** SQL that counts the shares for `counts`. It follows `folder f` in the FROM clause. */
const sharing = `CROSS JOIN LATERAL (
     SELECT count(*) AS shares, max(${level('s')}) FILTER (WHERE s.principal_type = 'team') AS team_access
     FROM access_shares($team, 'folder') s WHERE s.resource_id = f.id
   ) sharing`;

/** The facts that decide the viewer’s access to a folder. */
const facts = `CROSS JOIN LATERAL access_facts($team, $user, $roots::uuid[], 'folder', f.id, f.user_id, f.parent_id, f.barrier_id) facts`;

const reachBy = (condition: string) =>
  sqlStatement<Viewer & { team: string; id: string }, ReachedFolder>(
    `SELECT ${columns}, ${counts}, facts.*
   FROM folder f ${sharing} ${facts}
   WHERE f.team_id = $team AND f.id = $id AND f.deleted_at IS NULL AND ${condition}`,
    { ...factsAreThere, ...barrierIsThere },
  );
/** Reads a folder or the root of a matter with its counts and the facts of the viewer’s access. */
export const reachFolder: Record<FolderKind, ReturnType<typeof reachBy>> = {
  folder: reachBy('NOT f.is_matter'),
  matter: reachBy('f.is_matter'),
  any: reachBy('true'),
};

/** Returns which of these identifiers are folders, with the facts of the viewer’s access. */
export const foldersAmong = sqlStatement<Viewer & { team: string; ids: readonly string[] }, Facts & { id: string }>(
  `SELECT f.id, facts.*
   FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT o.id, o.user_id, o.parent_id, o.barrier_id FROM folder o WHERE o.team_id = $team AND o.id = named.id AND NOT o.is_matter OFFSET 0) f
   ${facts}`,
  factsAreThere,
);

/** The names of folders or roots of matters outside of the bin, with the facts of the viewer’s access. */
export const foldersNamed = sqlStatement<Viewer & { team: string; ids: readonly string[]; matters: boolean }, ResourceName & Facts>(
  `SELECT f.id, f.name, facts.*
   FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM folder o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) f
   ${facts} WHERE f.deleted_at IS NULL AND f.is_matter = $matters`,
  factsAreThere,
);

/** Reads a folder in the bin that was itself deleted, and not together with a folder above it. */
export const reachBinned = sqlStatement<Viewer & { team: string; id: string }, FolderRow & Facts>(
  `SELECT ${columns}, facts.*
   FROM folder f ${facts}
   WHERE f.team_id = $team AND f.id = $id AND f.deleted_with = $id AND f.deleted_at IS NOT NULL AND NOT f.is_matter`,
  { ...factsAreThere, ...barrierIsThere },
);

/** A barrier in the list of a member or manager. */
export type BarrierRow = Row<'folder', 'id' | 'name' | 'user_id' | 'parent_id' | 'is_matter' | 'created_at'> & {
  is_member: boolean;
  is_inside: boolean;
  kind: string | null;
};
const seenBarriers = `SELECT f.id, f.name, f.user_id, f.parent_id, f.is_matter, b.created_at, b.is_member, b.is_inside,
     (SELECT g.kind FROM barrier_changes($team) g WHERE g.id = b.id AND g.kind <> 'move') AS kind
   FROM seen_barriers($team, $user) b CROSS JOIN LATERAL (
     SELECT * FROM folder WHERE team_id = $team AND id = b.id AND deleted_at IS NULL
   ) f`;
const registered = { created_at: 'a column of the table that is never null', is_member: 'as above', is_inside: 'as above' };
export const findVisibleBarrier = sqlStatement<{ team: string; user: string; id: string }, BarrierRow>(
  `${seenBarriers} WHERE b.id = $id`,
  registered,
);
export const listBarriers = sqlStatement<{ team: string; user: string; after: string; limit: number }, BarrierRow>(
  `${seenBarriers} WHERE b.id > $after ORDER BY b.id LIMIT $limit + 1`,
  registered,
);

/** Increments the version of a folder and sets its change time. */
export const touchFolder = sqlStatement<{ team: string; id: string; at: Date }, never>(
  'UPDATE folder SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** The barrier of a folder, also of one in the bin. */
export const barrierOf = sqlStatement<{ team: string; id: string }, { barrier_id: string }>(
  'SELECT barrier_now($team, id, barrier_id) AS barrier_id FROM folder WHERE team_id = $team AND id = $id',
  barrierIsThere,
);

/** Locks a folder before a change. */
export const lockFolder = sqlStatement<{ team: string; id: string }, Row<'folder', 'id' | 'deleted_at'>>(
  'SELECT id, deleted_at FROM folder WHERE team_id = $team AND id = $id FOR UPDATE',
);

/** Locks a folder in one statement for an actor with immediate access. */
export const lockFolderDirectly = sqlStatement<ImmediateAccessParams & { team: string; id: string }, { id: string }>(
  `SELECT f.id FROM folder f WHERE f.team_id = $team AND f.id = $id AND f.deleted_at IS NULL AND access_at_once(f.barrier_id, f.user_id, $user, $all) FOR UPDATE OF f`,
);

/** Locks a folder against deletion until the transaction ends, while it is shared. */
export const keepFolder = sqlStatement<{ team: string; id: string }, { id: string }>(
  'SELECT id FROM folder WHERE team_id = $team AND id = $id FOR KEY SHARE',
);

/** Locks a folder against deletion, moves and barrier changes while something is added to it. */
export const lockFolderShared = sqlStatement<{ team: string; id: string }, { id: string }>(
  'SELECT id FROM folder WHERE team_id = $team AND id = $id AND deleted_at IS NULL FOR SHARE',
);

/** Locks the target folder in one statement for an actor with immediate access. */
export const lockFolderSharedDirectly = sqlStatement<ImmediateAccessParams & { team: string; id: string }, { id: string }>(
  `SELECT f.id FROM folder f WHERE f.team_id = $team AND f.id = $id AND f.deleted_at IS NULL AND access_at_once(f.barrier_id, f.user_id, $user, $all) FOR SHARE OF f`,
);

/** The member names match `presentFolder`. */
const listed = jsonThing(
  {
    id: 'f.id',
    name: 'f.name',
    parentId: 'nullif(f.parent_id, f.matter_id)',
    matterId: 'f.matter_id',
    userId: 'f.user_id',
    childrenCount: 'f.children',
    documentsCount: 'f.documents',
    shareCount: 'f.shares',
    teamAccess: 'f.team_access',
    barrier: 'CASE WHEN f.has_barrier THEN true END',
    description: 'f.description',
    color: 'f.color',
    createdBy: 'f.created_by',
    createdByType: 'f.created_by_type',
    createdAt: isoText('f.created_at'),
    updatedAt: isoText('f.updated_at'),
  },
  { metadata: "nullif(f.metadata, '{}')" },
);

/** The filters of a list. Each combination is a separate statement, because the one without filters can use an index-only scan. */
const conditions = {
  none: '',
  since: 'AND f.updated_at >= $since',
  ids: 'AND f.id = ANY ($ids::uuid[]) AND ($since::timestamptz IS NULL OR f.updated_at >= $since)',
};
type Narrowed = keyof typeof conditions;

const mine = 'AND f.user_id = $user';
/**
 * Selects the folders of each view in one order, as `f.id` and, if sorted by change, the change time. It reads an index separately for each barrier,
 * in which `deleted_at` (null here) comes before the sort column.
 */
function seenBy(sort: ChangeSort, narrowed: Narrowed): Record<View, string> {
  const byChange = sort.endsWith('updatedAt');
  const [way, beyond] = sort.startsWith('-') ? [' DESC', '<'] : ['', '>'];
  const picked = byChange ? 'f.id, f.updated_at' : 'f.id';
  const past = byChange
    ? `($after::uuid IS NULL OR (f.updated_at, f.id) ${beyond} ($afterTime::timestamptz, $after::uuid))`
    : `f.id ${beyond} $after`;
  const ofPage = `f.team_id = $team AND f.deleted_at IS NULL AND NOT f.is_matter AND ${past} ${conditions[narrowed]}`;
  const first = `ORDER BY f.deleted_at${way}, ${byChange ? `f.updated_at${way}, ` : ''}f.id${way} LIMIT $limit + 1`;
  const inBarriers = `
      SELECT f.* FROM open CROSS JOIN LATERAL (
        SELECT ${picked} FROM folder f WHERE ${ofPage} AND f.barrier_id = open.barrier AND ${isSettled('f.id')} ${first}
      ) f`;
  const own = `
      SELECT f.* FROM (SELECT ${picked} FROM folder f WHERE ${ofPage} ${mine} AND ${isOpen('f', 'id')} ${first}) f`;
  const walked = `
      SELECT f.* FROM reached r CROSS JOIN LATERAL (SELECT ${picked} FROM folder f WHERE ${ofPage} AND f.id = r.id OFFSET 0) f`;
  return { all: inBarriers, granted: [own, walked].join(' UNION ') };
}

type FolderPage = Viewer & Pick<ListSearchParams, 'ids'> & { team: string; since: string | null; limit: number } & Cursor;

/**
 * Counts the content of the folders of `page`. One index scan for each table counts all folders together; separate counts cost several times as much.
 * Rows with zero keep empty folders in the result.
 */
function countsOfPage(): string {
  const ofPage = 'ANY (ARRAY(SELECT id FROM page))';
  const parts = [
    'SELECT id, 0 AS children, 0 AS documents, 0 AS shares, NULL AS team_access FROM page',
    `SELECT parent_id, count(*), 0, 0, NULL FROM folder c
     WHERE team_id = $team AND parent_id = ${ofPage} AND deleted_at IS NULL AND ${notBarred} GROUP BY parent_id`,
    `SELECT folder_id, 0, count(*), 0, NULL FROM filed_documents($team) WHERE folder_id = ${ofPage} AND deleted_at IS NULL GROUP BY folder_id`,
    `SELECT s.resource_id, 0, 0, count(*), max(${level('s')}) FILTER (WHERE s.principal_type = 'team')
     FROM access_shares($team, 'folder') s WHERE s.resource_id = ${ofPage} GROUP BY s.resource_id`,
  ];
  return `SELECT id, max(children) AS children, max(documents) AS documents, max(shares) AS shares,
    max(team_access) AS team_access FROM (${parts.join(' UNION ALL ')}) parts GROUP BY id`;
}

function listBy(view: View, sort: ChangeSort, narrowed: Narrowed) {
  const { order } = sortedBy(sort, 'v');
  const byChange = sort.endsWith('updatedAt');
  return pageStatement<FolderPage>(
    `WITH ${viewSql[view]},
       page AS (SELECT ${byChange ? 'v.id, v.updated_at' : 'v.id'} FROM (${seenBy(sort, narrowed)[view]}) v ORDER BY ${order} LIMIT $limit + 1),
       counts AS (${countsOfPage()}),
       counted AS (
         SELECT ${columns}, n.children, n.documents, n.shares, n.team_access,
           f.barrier_id = f.id OR f.id IN (SELECT g.id FROM barrier_changes($team) g WHERE g.kind <> 'move') AS has_barrier
         FROM counts n CROSS JOIN LATERAL (SELECT * FROM folder WHERE team_id = $team AND id = n.id OFFSET 0) f
       )`,
    { from: 'counted f', item: listed, counted: 'page', ...sortedBy(sort, 'f') },
  );
}

const listsOf = (narrowed: Narrowed) =>
  Object.fromEntries(
    (['all', 'granted'] as const).map((view) => [view, bySort(changeSorts, (sort) => listBy(view, sort, narrowed))]),
  ) as Record<View, Record<ChangeSort, ReturnType<typeof listBy>>>;

/** Selects a page of folders of a view. The database writes the complete response as JSON in one statement. */
export const listFolders = { none: listsOf('none'), since: listsOf('since'), ids: listsOf('ids') };

/** A sibling with the same name that is not in the bin and has no barrier of its own. */
export const nameBeside = sqlStatement<{ team: string; id: string }, { id: string }>(
  `SELECT o.id FROM folder f JOIN folder o ON o.team_id = $team AND coalesce(o.parent_id, o.user_id) = coalesce(f.parent_id, f.user_id)
     AND o.name_key = f.name_key AND o.id <> f.id AND o.deleted_at IS NULL AND o.barrier_id <> o.id
   WHERE f.team_id = $team AND f.id = $id AND f.deleted_at IS NULL`,
);
export const nameOfFolder = sqlStatement<{ team: string; id: string }, { name: string }>(
  'SELECT name FROM folder WHERE team_id = $team AND id = $id',
);
export const renameFolder = sqlStatement<{ team: string; id: string; name: string; nameKey: string; at: Date }, never>(
  'UPDATE folder SET name = $name, name_key = $nameKey, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

type NewFolder = {
  team: string;
  id: string;
  parent: string | null;
  user: string;
  client: string | null;
  by: string;
  byType: string;
  name: string;
  nameKey: string;
  description: string | null;
  color: string | null;
  metadata: string;
  at: Date;
};

export const insertFolder = sqlStatement<NewFolder, never>(
  `INSERT INTO folder (team_id, id, parent_id, user_id, barrier_id, made_by_client, created_by, created_by_type, name, name_key, description, color,
     metadata, created_at, updated_at)
   VALUES ($team, $id, $parent, $user, coalesce((SELECT p.barrier_id FROM folder p WHERE p.team_id = $team AND p.id = $parent), '${noBarrier}'), $client, $by, $byType, $name, $nameKey, $description, $color, $metadata, $at, $at)`,
);

/** Inserts the root of a matter. Its name is not that of a folder, so it is unique by the identifier. */
export const insertRoot = sqlStatement<Pick<NewFolder, 'team' | 'id' | 'user' | 'by' | 'byType' | 'name' | 'at'>, never>(
  `INSERT INTO folder (team_id, id, user_id, created_by, created_by_type, name, name_key, is_matter, created_at, updated_at)
   VALUES ($team, $id::uuid, $user, $by, $byType, $name, '/' || $id::uuid::text, true, $at, $at)`,
);
/** Renames the root of a matter and increments its version. */
export const updateRoot = sqlStatement<{ team: string; id: string; name: string; at: Date }, never>(
  'UPDATE folder SET name = $name, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id AND is_matter',
);
/** Deletes the root of an empty matter. The bin keeps it until it is purged. */
export const binRoot = sqlStatement<{ team: string; id: string; at: Date }, never>(
  'UPDATE folder SET deleted_at = $at, deleted_with = $id WHERE team_id = $team AND id = $id AND is_matter',
);

export type FolderChange = {
  team: string;
  id: string;
  name: string;
  nameKey: string;
  description: string | null;
  color: string | null;
  metadata: string;
  parent: string | null;
  client: string | null;
  at: Date;
};

/** Updates name and parent in one statement. After only one of the changes, the name could be in use. */
export const updateFolder = sqlStatement<FolderChange, never>(
  `UPDATE folder f SET name = $name, name_key = $nameKey, description = $description, color = $color, metadata = $metadata,
     parent_id = $parent, version = version + 1, updated_at = $at, made_by_client = still_made_by(f.made_by_client, $client)
   WHERE team_id = $team AND id = $id`,
);

/** The top folders of a member who leaves. Their content, including the bin, goes to the successor. */
export const topFolders = sqlStatement<{ team: string; user: string }, Row<'folder', 'id' | 'name' | 'barrier_id'>>(
  'SELECT id, name, barrier_now($team, id, barrier_id) AS barrier_id FROM folder WHERE team_id = $team AND user_id = $user AND parent_id IS NULL AND deleted_at IS NULL AND NOT is_matter ORDER BY id',
  barrierIsThere,
);

/** Inserts a folder at the top of a person’s tree. Returns no row if the name is in use there. */
export const insertTopFolder = sqlStatement<
  { team: string; id: string; user: string; name: string; nameKey: string; at: Date },
  { id: string }
>(
  `INSERT INTO folder (team_id, id, user_id, created_by, name, name_key, created_at, updated_at) VALUES ($team, $id, $user, $user, $name, $nameKey, $at, $at)
   ON CONFLICT DO NOTHING RETURNING id`,
);

/** Gives a person’s whole tree, including the bin, to another person. Top folders move under `place`. */
export const handOverFolders = sqlStatement<{ team: string; from: string; to: string; place: string | null; at: Date }, { id: string }>(
  `UPDATE folder SET user_id = $to, made_by_client = NULL, version = version + 1, updated_at = $at,
     parent_id = CASE WHEN parent_id IS NULL AND deleted_at IS NULL AND NOT is_matter THEN $place::uuid ELSE parent_id END
   WHERE team_id = $team AND user_id = $from RETURNING id`,
);
