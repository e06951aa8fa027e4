import { grantedDocuments, isOpen, isSettled, type View, type Viewer, viewSql } from '#access';
import { jsonObject, jsonThing, pageStatement } from '../../platform/database/json-page.ts';
import { isListed, type ListSearchParams, matches } from '../../platform/database/list-filters.ts';
import { isoText } from '../../platform/database/sorted-page.ts';
import { largestId, smallestId } from '../../platform/identifiers.ts';
import { opens } from './document-visibility-queries.ts';
import { ended } from './reference-queries.ts';
import { type ExactFilter, exactFilterNames, eachText, type Sort, sorts, textMembers } from './schemas.ts';

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
const [hasMatters, matter] = ['(SELECT has_matters($team))', 'matter_of($team, d.folder_id)'];
const members = {
  id: 'd.id',
  title: 'd.title',
  ...eachText((name) => `d.${name}`),
  folderId: `CASE WHEN ${hasMatters} THEN nullif(d.folder_id, ${matter}) ELSE d.folder_id END`,
  matterId: `CASE WHEN ${hasMatters} THEN ${matter} END`,
  userId: 'd.user_id',
  status: 'd.status',
  currentVersion: `(SELECT ${version}
      FROM document_version v WHERE v.team_id = $team AND v.document_id = d.id AND v.number = d.current_version)`,
  createdBy: 'coalesce(d.created_by, d.user_id)',
  createdByType: 'd.created_by_type',
  createdAt: isoText('d.created_at'),
  updatedAt: isoText('d.updated_at'),
  deletedAt: isoText('d.deleted_at'),
  labels: "CASE WHEN d.labels <> '{}' THEN to_jsonb(d.labels) END",
};
const ownMembers = { metadata: "nullif(d.metadata, '{}')" };

/** The JSON of a document in a list; the names match `presentDocument`. */
export const listed = jsonThing(members, ownMembers);

/** Finds the legal holds of a page, only for viewers who may see holds. Checks each folder once. */
const holdsOfPage = `held_folder AS (
       SELECT f.folder_id FROM (SELECT DISTINCT p.folder_id FROM page p) f WHERE $holds::boolean AND on_legal_hold($team, NULL, f.folder_id)
     ),
     held_document AS (
       SELECT h.document_id FROM legal_hold h WHERE $holds::boolean AND h.team_id = $team AND h.lifted_at IS NULL AND h.document_id IS NOT NULL
     )`;
const hasHoldSql = `CASE WHEN d.folder_id IN (SELECT folder_id FROM held_folder) OR d.id IN (SELECT document_id FROM held_document) THEN true END`;
const listedWithHolds = jsonThing({ ...members, legalHold: hasHoldSql }, ownMembers);

/** The sort column that comes before the identifier, its type and its form in a cursor. `d` is the document. */
const sorted = {
  updatedAt: { column: 'd.updated_at', type: 'timestamptz', key: (row: string) => `to_char(${row}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` },
  title: { column: 'lower(d.title) COLLATE "C"', type: 'text', key: (row: string) => row },
};

function orderOf(sort: Sort) {
  const [way, beyond] = sort.startsWith('-') ? [' DESC', '<'] : ['', '>'];
  const by = sort.endsWith('createdAt') ? undefined : sorted[sort.endsWith('title') ? 'title' : 'updatedAt'];
  return {
    way,
    /** The columns of a page before the document is read: `id` and `sorted`. */
    columns: by ? `d.id, ${by.column} AS sorted` : 'd.id, NULL::text AS sorted',
    past: by ? `(${by.column}, d.id) ${beyond} ($afterValue::${by.type}, $after)` : `d.id ${beyond} $after`,
    within: by ? `${by.column}${way}, d.id${way}` : `d.id${way}`,
    of: (row: string) => (by ? `${row}.sorted${way}, ${row}.id${way}` : `${row}.id${way}`),
    key: by ? [by.key('d.sorted'), 'd.id'] : ['d.id'],
  };
}

/** The first cursor of each order. `after` is an identifier; `afterValue` is the sort value, or null if the order is by identifier. */
export const beginning: Record<Sort, { after: string; afterValue: string | null }> = {
  createdAt: { after: smallestId, afterValue: null },
  '-createdAt': { after: largestId, afterValue: null },
  updatedAt: { after: smallestId, afterValue: '-infinity' },
  '-updatedAt': { after: largestId, afterValue: 'infinity' },
  title: { after: smallestId, afterValue: '' },
  // The greatest character, repeated more often than the longest title.
  '-title': { after: largestId, afterValue: '\u{10FFFF}'.repeat(300) },
};

/** The columns of a document that a list reads. */
export const shown = `d.id, d.title, ${textMembers.map((name) => `d.${name}`).join(', ')}, d.folder_id, d.user_id, d.created_by, d.created_by_type, d.status, d.metadata, d.labels, d.created_at, d.updated_at, d.deleted_at,
    d.current_version`;

type Scope = View | 'ids' | 'granted ids' | 'folder' | 'matter' | 'given' | 'bin' | 'team bin';

/** The documents that a view may see. Each part reads a page along an index: by barrier, by folder or by grant. */
export function parts(scope: Scope, page: (where: string) => string): { ctes: string; from: string } {
  const inBarriers = `SELECT d.* FROM open CROSS JOIN LATERAL (${page(`AND d.deleted_at IS NULL AND d.barrier_id = open.barrier AND ${isSettled('d.folder_id')}`)}) d`;
  const own = `SELECT d.* FROM (${page(`AND d.deleted_at IS NULL AND d.user_id = $user AND ${isOpen('d')}`)}) d`;
  const inFolders = `SELECT d.* FROM reached r CROSS JOIN LATERAL (${page(`AND d.folder_id = r.id AND d.deleted_at IS NULL`)}) d`;
  const binned = `AND d.deleted_at > ${ended}`;
  const given = (where: string) => `SELECT d.* FROM opened g CROSS JOIN LATERAL (
      ${page(`AND d.deleted_at IS NULL ${where} AND d.id = g.document_id AND ${isOpen('d')}`)}) d`;
  switch (scope) {
    case 'granted':
      return { ctes: `${viewSql.granted}, ${grantedDocuments}`, from: [own, inFolders, given('')].join(' UNION ALL ') };
    case 'all':
      return { ctes: viewSql.all, from: inBarriers };
    case 'ids':
      return { ctes: viewSql.all, from: page(`AND d.deleted_at IS NULL AND d.id = ANY ($ids::uuid[]) AND ${isOpen('d')}`) };
    case 'granted ids':
      return {
        ctes: opens.granted.ctes,
        from: page(`AND d.deleted_at IS NULL AND d.id = ANY ($ids::uuid[]) AND ${isOpen('d')} AND ${opens.granted.where}`),
      };
    case 'folder':
      return { ctes: viewSql.all, from: page('AND d.deleted_at IS NULL AND d.folder_id = $folder') };
    case 'matter':
      return {
        ctes: viewSql.all,
        from: `SELECT d.* FROM containers_of_matter($team, $matter) c CROSS JOIN LATERAL (${page(`AND d.deleted_at IS NULL AND d.folder_id = c.id AND ${isOpen('d')}`)}) d`,
      };
    case 'given':
      return { ctes: `${viewSql.all}, ${grantedDocuments}`, from: given('AND d.folder_id = $folder') };
    case 'bin':
      return { ctes: viewSql.all, from: page(`${binned} AND d.user_id = $user AND ${isOpen('d')}`) };
    default:
      return { ctes: viewSql.all, from: page(`${binned} AND ${isOpen('d')}`) };
  }
}

type DocumentListParams = Viewer &
  ListSearchParams &
  Record<ExactFilter, string | null> & {
    team: string;
    folder: string | null;
    matter: string | null;
    /** Keys of the labels that a document must all have. */
    labels: readonly string[] | null;
    since: string | null;
    /** Whether the viewer may see legal holds. */
    holds: boolean;
    after: string;
    afterValue: string | null;
    limit: number;
  };

/** For a caller with more than 100 containers, the list first reads the newest 2 000 documents of the team. They usually fill the page. */
const [manyContainers, newestOfTeam] = [100, 2_000];

/**
 * The newest documents of the team, by an index-only scan of the identifiers. `enough`: they fill a page, so the list reads no container.
 * `isNarrowed`: the list has filters.
 */
const lookAtNewest = (sort: Sort, page: (where: string) => string, isNarrowed: boolean) => {
  const { past, within, of } = orderOf(sort);
  return {
    ctes: `visible AS (
       SELECT n.id FROM (
         SELECT d.id, d.folder_id, d.user_id, d.barrier_id, d.deleted_at FROM document d
         WHERE (SELECT count(*) FROM area) > ${manyContainers} AND d.team_id = $team AND ${past} ORDER BY ${within} LIMIT ${newestOfTeam}
       ) n WHERE n.deleted_at IS NULL AND ${isOpen('n')}
         AND (n.folder_id IN (SELECT id FROM area) OR n.user_id = $user OR n.id IN (SELECT document_id FROM opened))
       ${isNarrowed ? '' : `ORDER BY ${of('n')} LIMIT $limit + 1`}
     ),
     newest AS (
       SELECT x.* FROM visible n CROSS JOIN LATERAL (${page('AND d.id = n.id AND d.deleted_at IS NULL')}) x ORDER BY ${of('x')} LIMIT $limit + 1
     ),
     enough AS (SELECT count(*) > $limit AS is_page FROM newest)`,
    from: 'SELECT * FROM newest',
  };
};

function listBy(scope: Scope, sort: Sort, isNarrowed: boolean) {
  const { way, columns, past, within, of, key } = orderOf(sort);
  // `deleted_at` is null outside the bin; in the indexes it comes before the sort column.
  const indexed = /bin/.test(scope) ? '' : `d.deleted_at${way}, `;
  const filters = `${exactFilterNames.map((name) => `AND ($${name}::text IS NULL OR d.${name} = $${name})`).join(' ')}
      AND ${matches('d.title')} AND ${isListed('d.id')}
      AND ($matter::uuid IS NULL OR d.folder_id IN (SELECT m.id FROM containers_of_matter($team, $matter) m))
      AND ($labels::text[] IS NULL OR d.label_keys @> $labels)
      AND ($since::timestamptz IS NULL OR d.updated_at >= $since)`;
  // A page from many containers reads only identifiers first.
  const isRead = scope !== 'granted';
  const picked = isRead ? `${shown}${columns.slice('d.id'.length)}` : columns;
  const page = (where: string) => `SELECT ${picked} FROM document d WHERE d.team_id = $team AND ${past} ${where}
      ${isNarrowed ? filters : ''} ORDER BY ${indexed}${within} LIMIT $limit + 1`;
  const { ctes, from } = parts(scope, page);
  const look = scope === 'granted' && sort.endsWith('createdAt') ? lookAtNewest(sort, page, isNarrowed) : undefined;
  const walked = look ? `${look.from} UNION ALL SELECT w.* FROM (${from}) w WHERE NOT (SELECT is_page FROM enough)` : from;
  const read = `SELECT o.*, f.sorted FROM first f CROSS JOIN LATERAL (
         SELECT ${shown} FROM document d WHERE d.team_id = $team AND d.id = f.id OFFSET 0
       ) o`;
  // One document may be visible for several reasons.
  return pageStatement<DocumentListParams>(
    `WITH ${ctes}, ${look ? `${look.ctes},` : ''}
     found AS (SELECT DISTINCT ON (f.id) f.* FROM (${walked}) f ORDER BY f.id),
     first AS (SELECT f.* FROM found f ORDER BY ${of('f')} LIMIT $limit + 1),
     page AS (${isRead ? 'SELECT * FROM first' : read}),
     ${holdsOfPage}`,
    { from: 'page d', item: listedWithHolds, counted: 'first', order: of('d'), key },
  );
}

const scopes: readonly Scope[] = ['all', 'granted', 'ids', 'granted ids', 'folder', 'matter', 'given', 'bin', 'team bin'];

const listsOf = (isNarrowed: boolean) =>
  Object.fromEntries(
    scopes.map((scope) => [scope, Object.fromEntries(sorts.map((sort) => [sort, listBy(scope, sort, isNarrowed)]))]),
  ) as Record<Scope, Record<Sort, ReturnType<typeof listBy>>>;

/**
 * Selects a page of documents in an order. One list for each view, for the bin, for an accessible folder (`folder`), and for grants in a folder
 * without access (`given`).
 */
export const listDocuments = listsOf(false);
/** The lists with filters. A list without filters uses index-only scans. */
export const listNarrowed = listsOf(true);
