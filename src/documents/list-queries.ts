import { at, isOpen, type View, type Viewer, viewText } from '#access';
import { jsonObject, jsonPage, jsonThing, type ListPage } from '../platform/database/json-page.ts';
import { isoText } from '../platform/database/sorted-page.ts';
import { largestId, smallestId } from '../platform/identifiers.ts';
import { sqlStatement } from '../platform/database/statement.ts';
import { openedText } from './giver-queries.ts';
import { ended } from './reference-queries.ts';

const version = jsonObject({
  number: 'v.number',
  fileName: 'v.file_name',
  mediaType: 'v.media_type',
  size: 'v.size',
  sha256: 'v.sha256',
  createdBy: 'v.created_by',
  createdByType: 'v.created_by_type',
  createdAt: isoText('v.created_at'),
});
const members = {
  id: 'd.id',
  title: 'd.title',
  description: 'CASE WHEN d.kept IS NULL THEN d.description END',
  folderId: 'd.folder_id',
  userId: 'd.user_id',
  status: 'd.status',
  currentVersion: `(SELECT ${version}
      FROM document_version v WHERE v.team_id = $team AND v.document_id = d.id AND v.number = coalesce(d.kept, d.current_version))`,
  createdBy: 'coalesce(d.created_by, d.user_id)',
  createdByType: 'd.created_by_type',
  createdAt: isoText('d.created_at'),
  updatedAt: isoText('d.updated_at'),
  deletedAt: isoText('d.deleted_at'),
  labels: "CASE WHEN d.kept IS NULL AND d.labels <> '{}' THEN to_jsonb(d.labels) END",
};
const ownMembers = { metadata: "CASE WHEN d.kept IS NULL THEN nullif(d.metadata, '{}') END" };

/** A document of a list, named as `presentDocument` names it, or `presentKept` what is `kept` as a record. */
export const listed = jsonThing(members, ownMembers);

/** Of a page of documents what legal holds stand on, to those who may see the holds: asked once a folder, and of nobody else at all. */
const holdsOfPage = `held_folder AS MATERIALIZED (
       SELECT f.folder_id FROM (SELECT DISTINCT p.folder_id FROM page p) f WHERE $holds::boolean AND is_held($team, NULL, f.folder_id)
     ),
     held_document AS MATERIALIZED (
       SELECT h.document_id FROM legal_hold h WHERE $holds::boolean AND h.team_id = $team AND h.lifted_at IS NULL AND h.document_id IS NOT NULL
     )`;
const held = `CASE WHEN d.folder_id IN (SELECT folder_id FROM held_folder) OR d.id IN (SELECT document_id FROM held_document) THEN true END`;
const listedWithHolds = jsonThing({ ...members, held }, ownMembers);

/** The orders a list may have. Ids grow with time, so that by age is by id, along the index of ids. */
export const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'title', '-title'] as const;
export type Sort = (typeof sorts)[number];

const title = 'lower(d.title) COLLATE "C"';
const order: Record<Sort, { by: string; past: string; key: readonly string[] }> = {
  createdAt: { by: 'd.id', past: 'd.id > $after', key: ['d.id'] },
  '-createdAt': { by: 'd.id DESC', past: 'd.id < $after', key: ['d.id'] },
  updatedAt: ordered('d.updated_at', 'timestamptz', `to_char(d.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`, 'up'),
  '-updatedAt': ordered('d.updated_at', 'timestamptz', `to_char(d.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`, 'down'),
  title: ordered(title, 'text', 'lower(d.title)', 'up'),
  '-title': ordered(title, 'text', 'lower(d.title)', 'down'),
};

function ordered(column: string, type: string, key: string, way: 'up' | 'down') {
  return {
    by: way === 'up' ? `${column}, d.id` : `${column} DESC, d.id DESC`,
    past: `(${column}, d.id) ${way === 'up' ? '>' : '<'} ($afterValue::${type}, $after)`,
    key: [key, 'd.id'],
  };
}

/** Where each order begins: `after` is an id, `afterValue` what is sorted by, null where that is the id. */
export const beginning: Record<Sort, { after: string; afterValue: string | null }> = {
  createdAt: { after: smallestId, afterValue: null },
  '-createdAt': { after: largestId, afterValue: null },
  updatedAt: { after: smallestId, afterValue: '-infinity' },
  '-updatedAt': { after: largestId, afterValue: 'infinity' },
  title: { after: smallestId, afterValue: '' },
  // The greatest character there is, more often than a title is long.
  '-title': { after: largestId, afterValue: '\u{10FFFF}'.repeat(300) },
};

/** The columns of a document that a list reads. */
export const shown = `d.id, d.title, d.description, d.folder_id, d.user_id, d.created_by, d.created_by_type, d.status, d.metadata, d.labels, d.created_at, d.updated_at, d.deleted_at,
    d.current_version`;

type Scope = View | 'folder' | 'given' | 'bin' | 'team bin';

/** What is open to a view: each part reads a page along its index, barrier by barrier, folder by folder or grant by grant. */
export function parts(scope: Scope, page: (where: string, kept?: string) => string): { ctes: string; from: string } {
  const ofTeam = `SELECT d.* FROM open CROSS JOIN LATERAL (${page('AND d.deleted_at IS NULL AND d.barrier_id = open.barrier')}) d`;
  const own = `SELECT d.* FROM (${page(`AND d.deleted_at IS NULL AND d.user_id = $user AND ${isOpen('d')}`)}) d`;
  const inFolders = `SELECT d.* FROM reached r CROSS JOIN LATERAL (${page(`AND ${at('d.folder_id', 'r.id')} AND d.deleted_at IS NULL`)}) d`;
  const kept = 'AND d.deleted_at IS NULL';
  const binned = `AND d.deleted_at > ${ended}`;
  const given = (where: string) => `SELECT d.* FROM opened g CROSS JOIN LATERAL (
      ${page(`${kept} ${where} AND d.id = g.document_id AND ${isOpen('d')}`, 'g.kept')}) d`;
  switch (scope) {
    case 'granted':
      return { ctes: `${viewText.granted}, ${openedText}`, from: [own, inFolders, given('')].join(' UNION ALL ') };
    case 'all':
      return { ctes: viewText.all, from: ofTeam };
    case 'folder':
      return { ctes: viewText.all, from: page(`${kept} AND d.folder_id = $folder`) };
    case 'given':
      return { ctes: `${viewText.all}, ${openedText}`, from: given('AND d.folder_id = $folder') };
    case 'bin':
      return { ctes: viewText.all, from: page(`${binned} AND d.user_id = $user AND ${isOpen('d')}`) };
    default:
      return { ctes: viewText.all, from: page(`${binned} AND ${isOpen('d')}`) };
  }
}

type Params = Viewer & {
  team: string;
  folder: string | null;
  status: string | null;
  q: string | null;
  /** Keys of labels, of which a document must have all; what is kept as a record is found by none. */
  labels: readonly string[] | null;
  since: string | null;
  /** Whether the viewer may see what legal holds stand on. */
  holds: boolean;
  after: string;
  afterValue: string | null;
  limit: number;
};

function listText(scope: Scope, sort: Sort): string {
  const { by, past, key } = order[sort];
  // Null of what is kept, and in the indexes before what is sorted by.
  const indexed = /bin/.test(scope) ? '' : `d.deleted_at${sort.startsWith('-') ? ' DESC' : ''}, `;
  const page = (
    where: string,
    kept = 'NULL::integer',
  ) => `SELECT ${shown}, ${kept} AS kept FROM document d WHERE d.team_id = $team AND ${past} ${where}
      AND ($status::text IS NULL OR d.status = $status)
      AND ($q::text IS NULL OR position(lower($q) IN lower(d.title)) > 0)
      AND ($labels::text[] IS NULL OR (d.label_keys @> $labels AND (${kept}) IS NULL))
      AND ($since::timestamptz IS NULL OR d.updated_at >= $since)
      ORDER BY ${indexed}${by} LIMIT $limit + 1`;
  const { ctes, from } = parts(scope, page);
  // One document may be open for several reasons: as a record only where it is for no other.
  return `WITH ${ctes},
     found AS MATERIALIZED (SELECT DISTINCT ON (f.id) f.* FROM (${from}) f ORDER BY f.id, f.kept NULLS FIRST),
     page AS MATERIALIZED (SELECT d.* FROM found d ORDER BY ${by} LIMIT $limit + 1),
     ${holdsOfPage},
     ${jsonPage({ from: 'page d', item: listedWithHolds, order: by, key })}`;
}

const scopes: readonly Scope[] = ['all', 'granted', 'folder', 'given', 'bin', 'team bin'];

/** A page of documents in an order, for each view; of one folder that is open (`folder`) or not (`given`: what was given of it); of the bin. */
export const listDocuments = Object.fromEntries(
  scopes.map((scope) => [scope, Object.fromEntries(sorts.map((sort) => [sort, sqlStatement<Params, ListPage>(listText(scope, sort))]))]),
) as Record<Scope, Record<Sort, ReturnType<typeof sqlStatement<Params, ListPage>>>>;
