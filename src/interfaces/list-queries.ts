import { type View, type Viewer, viewText } from '#folders';
import { jsonPage, jsonThing, type ListPage } from '../platform/database/json-page.ts';
import { bySort, type ChangePage, type ChangeSort, changeSorts, isoText, sortedBy } from '../platform/database/sorted-page.ts';
import { sqlStatement } from '../platform/database/statement.ts';

/** What is shown as the state: one that is suspended is neither published nor closed to the public. */
const status = "CASE WHEN i.suspended_at IS NULL THEN i.status ELSE 'suspended' END";

const item = jsonThing({
  id: 'i.id',
  title: 'i.title',
  type: 'i.type',
  status,
  userId: 'i.owner_id',
  revision: 'i.revision',
  publishedVersion: 'i.published_version',
  createdBy: 'i.created_by',
  createdByType: 'i.created_by_type',
  createdAt: isoText('i.created_at'),
  updatedAt: isoText('i.updated_at'),
});

/** Which interfaces a view has: one's own and shared, all of the team, or those whose submissions live in a confined client's folders. */
const seen: Record<View, { begin: string; where: string }> = {
  person: {
    begin: 'WITH',
    where: `(i.owner_id = $user OR i.id IN (SELECT access_resources($team, $user, true, 'form', $viewing::text[])))`,
  },
  manager: { begin: 'WITH', where: 'true' },
  client: { begin: 'WITH', where: 'true' },
  confined: {
    begin: `WITH RECURSIVE ${viewText.confined},`,
    where: 'i.folder_id IN (SELECT r.id FROM reached r WHERE r.barrier_id IN (SELECT barrier FROM open))',
  },
};

type Params = Viewer &
  Omit<ChangePage, 'sort'> & { team: string; viewing: readonly string[]; status: readonly string[] | null; type: string | null };

function listBy(view: View, sort: ChangeSort) {
  const { order, after, key } = sortedBy(sort, 'i');
  const { begin, where } = seen[view];
  return sqlStatement<Params, ListPage>(
    `${begin} page AS (
       SELECT i.* FROM interface i
       WHERE i.team_id = $team AND i.deleted_at IS NULL AND ${after} AND ${where}
         AND ($status::text[] IS NULL OR ${status} = ANY ($status)) AND ($type::text IS NULL OR i.type = $type)
         AND ($since::timestamptz IS NULL OR i.updated_at >= $since)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: 'page i', item, order, key })}`,
  );
}

/** The statements of the list, by whose view it is and by order. */
export const listInterfaces = {
  person: bySort(changeSorts, (sort) => listBy('person', sort)),
  manager: bySort(changeSorts, (sort) => listBy('manager', sort)),
  client: bySort(changeSorts, (sort) => listBy('client', sort)),
  confined: bySort(changeSorts, (sort) => listBy('confined', sort)),
};
