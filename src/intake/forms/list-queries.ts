import { type View, type Viewer, viewSql } from '#access';
import { jsonThing, pageStatement } from '../../platform/database/json-page.ts';
import { eachListedBy, type ListedBy, listedRows, type ListSearchParams, matches } from '../../platform/database/list-filters.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import { bySort, type ChangePage, type ChangeSort, changeSorts, isoText, sortedBy } from '../../platform/database/sorted-page.ts';

/** The displayed status: `suspended` takes precedence over published and closed. */
const status = "CASE WHEN i.suspended_at IS NULL THEN i.status ELSE 'suspended' END";

const item = jsonThing({
  id: 'i.id',
  title: 'i.title',
  type: 'i.type',
  status,
  userId: 'i.owner_id',
  matterId: 'matter_of($team, i.folder_id)',
  revision: 'i.revision',
  publishedVersion: 'i.published_version',
  createdBy: 'i.created_by',
  createdByType: 'i.created_by_type',
  createdAt: isoText('i.created_at'),
  updatedAt: isoText('i.updated_at'),
});

/** Whether no barrier excludes the caller from the folder of the submissions. */
const isOpen = '(i.folder_id IS NULL OR barrier_of($team, i.folder_id) IN (SELECT barrier FROM open))';

/**
 * The forms of a view: all of the team, or the own and shared ones. A client with folder limits sees the forms that store submissions in its folders.
 */
const seen: Record<View, string> = {
  all: 'true',
  granted: `(i.owner_id = $user OR i.id IN (SELECT access_resources($team, $user, true, 'form', $viewing::text[]))
     OR $user::uuid IS NULL AND i.folder_id IN (SELECT r.id FROM reached r))`,
};

/** The forms of a view on which the caller has one of the relations `viewing`. */
const formsOf = (view: View) =>
  sqlStatement<Viewer & { team: string; viewing: readonly string[] }, { id: string }>(
    `WITH ${viewSql[view]} SELECT i.id FROM interface i WHERE i.team_id = $team AND i.deleted_at IS NULL AND ${seen[view]} AND ${isOpen}`,
  );
export const formsOfView = { all: formsOf('all'), granted: formsOf('granted') };

type FormListParams = Viewer &
  ListSearchParams &
  Omit<ChangePage, 'sort'> & {
    team: string;
    viewing: readonly string[];
    status: readonly string[] | null;
    type: string | null;
    matter: string | null;
  };

function listBy(by: ListedBy, view: View, sort: ChangeSort) {
  const { order, after, key } = sortedBy(sort, 'i');
  return pageStatement<FormListParams>(
    `WITH ${viewSql[view]}, page AS (
       SELECT i.* FROM ${by === 'ids' ? listedRows('interface') : 'interface'} i
       WHERE i.team_id = $team AND i.deleted_at IS NULL AND ${after} AND ${seen[view]} AND ${isOpen}
         AND ($status::text[] IS NULL OR ${status} = ANY ($status)) AND ($type::text IS NULL OR i.type = $type) AND ${matches('i.title')}
         AND ($since::timestamptz IS NULL OR i.updated_at >= $since)
         AND ($matter::uuid IS NULL OR matter_of($team, i.folder_id) = $matter)
       ORDER BY ${order} LIMIT $limit + 1
     )`,
    { from: 'page i', item, order, key },
  );
}

/** The list statements by view and sort order. */
export const listInterfaces = eachListedBy((by) => ({
  all: bySort(changeSorts, (sort) => listBy(by, 'all', sort)),
  granted: bySort(changeSorts, (sort) => listBy(by, 'granted', sort)),
}));
