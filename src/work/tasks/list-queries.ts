import { commentList } from '../../platform/comment-queries.ts';
import { jsonThing, pageStatement } from '../../platform/database/json-page.ts';
import { isListed, listedRows, type ListSearchParams, matches } from '../../platform/database/list-filters.ts';
import { afterMerged, mergedStatement } from '../../platform/database/merged-page.ts';
import { bySort, isoText, laterPlace, type Cursor, type Sort, sortedBy, sorts } from '../../platform/database/sorted-page.ts';
import { largestId, smallestId } from '../../platform/identifiers.ts';
import { claimableSql } from './eligible-queries.ts';
import { isVisibleSql, optionalMembers } from './queries.ts';

export type TaskFilter = {
  team: string;
  /** The person or API client whose tasks are listed. Null for all tasks of the team. */
  principalId: string | null;
  /** The person to whom barriers apply. Null for an API client. */
  user: string | null;
  /** The statuses to list. Without a filter they are {@link allStatuses}. */
  statuses: readonly string[];
  assignee: string | null;
  createdBy: string | null;
  workflow: string | null;
  /** The document identifier in two forms: as the database writes it, and as the client sent it. */
  documents: readonly string[] | null;
  matter: string | null;
  overdue: boolean | null;
  updatedSince: string | null;
  now: Date;
  limit: number;
} & ListSearchParams &
  Cursor;

const times = new Set(['due_at', 'completed_at']);
const shown = (column: string) => (times.has(column) ? isoText(`t.${column}`) : `t.${column}`);
const known = Object.entries(optionalMembers).map(([member, column]) => [
  member,
  member === 'description'
    ? `CASE WHEN NOT hides_its_text(t.type, t.workflow_id, t.assigned_to, $user::uuid) THEN t.description END`
    : shown(column),
]);
const item = jsonThing({
  id: 't.id',
  title: 't.title',
  type: 't.type',
  status: 't.status',
  outcomes: 't.outcomes',
  createdBy: 't.created_by',
  createdByType: 't.created_by_type',
  ...(Object.fromEntries(known) as Record<string, string>),
  createdAt: isoText('t.created_at'),
  updatedAt: isoText('t.updated_at'),
});

/** All states of a task. */
export const allStatuses = ['open', 'completed', 'rejected', 'cancelled'] as const;

/** The filters of a list that are applied without an index, without the assignee. */
const narrowed = `($workflow::uuid IS NULL OR t.workflow_id = $workflow)
         AND ($createdBy::uuid IS NULL OR t.created_by = $createdBy)
         AND ($documents::text[] IS NULL OR t.document_id = ANY ($documents))
         AND ($overdue::boolean IS NULL OR (t.status = 'open' AND NOT t.paused AND coalesce(t.due_at < $now, false)) = $overdue)
         AND ($matter::uuid IS NULL OR t.container_id = $matter)
         AND ${isListed('t.id')} AND ${matches('t.title')}
         AND ${isVisibleSql}`;

/**
 * The due date in the form that the indexes contain. Row-level security prevents index searches with `coalesce`, because PostgreSQL does not treat it
 * as leakproof.
 */
const due = "(CASE WHEN t.due_at IS NULL THEN 'infinity' ELSE t.due_at END)";
const orderingOf = (sort: Sort) => {
  const { order, after, key } = sortedBy(sort, 't');
  const own = (text: string) => text.replaceAll("coalesce(t.due_at, 'infinity')", due);
  return { order: own(order), after, key: key.map(own) };
};
const given = (parameter: string, type: string, otherwise: string) =>
  `CASE WHEN ${parameter}::${type} IS NULL THEN '${otherwise}' ELSE ${parameter}::${type} END`;
const since = given('$updatedSince', 'timestamptz', '-infinity');

/**
 * Returns the start of a page as bounds that an index search can use. Even with a million tasks, the search for a page does not scan tasks of earlier
 * pages or tasks that changed before `updatedSince`.
 */
function bounds(sort: Sort): string {
  const changed = `(t.updated_at >= ${since}) IS TRUE`;
  if (sort.endsWith('createdAt')) return `${orderingOf(sort).after} AND ${changed}`;
  const up = !sort.startsWith('-');
  const id = given('$after', 'uuid', up ? smallestId : largestId);
  const time = `CASE WHEN $after::uuid IS NULL THEN '${up ? '-' : ''}infinity' ELSE $afterTime::timestamptz END`;
  if (sort === 'updatedAt') return `(t.updated_at, t.id) > ${laterPlace(since, { time, id })}`;
  if (sort === '-updatedAt') return `(t.updated_at, t.id) < (${time}, ${id}) AND t.updated_at >= ${since}`;
  return `(${due}, t.id) ${up ? '>' : '<'} (${time}, ${id}) AND ${changed}`;
}

/**
 * How a list finds its tasks. Tasks of a workflow or document are found by the index of that column and sorted afterwards. With one statement for all
 * filters, a cached plan would read all tasks of the team. Tasks of a person or in a state are read along an index, one page at a time. If no index
 * has the requested order, the statement sorts all tasks of the person.
 */
type Among = 'ids' | 'team' | 'state' | 'changed' | 'workflow' | 'document' | 'matter' | 'assignee' | 'principal' | 'claimable' | 'own';

/** The conditions of searches by an index that has no order of a list. */
const searched = { workflow: 'workflow_id = $workflow', document: 'document_id = ANY ($documents)', matter: 'container_id = $matter' };

function foundBy(place: Among, sort: Sort): string {
  const { order } = orderingOf(sort);
  const page = (from: string, where = 'true') =>
    `SELECT t.* FROM ${from} t WHERE t.team_id = $team AND ${where} AND ${bounds(sort)} AND ($assignee::uuid IS NULL OR t.assigned_to = $assignee) AND ${narrowed}
       ORDER BY ${order} LIMIT $limit + 1`;
  // The lists of a whole team have separate indexes, which this collation selects.
  const whole = place === 'state' || place === 'changed';
  const inStates = (where: string) => {
    const one = `t.status${whole ? ' COLLATE "C"' : ''} = s.status AND ${where}`;
    const ordered = place === 'state' || (!whole && sort.endsWith('createdAt'));
    // OFFSET 0: without it the planner walks an index in the order of the list. Own open tasks are then listed at 0.49 instead of 0.76 of the speed
    // of bench/floor.ts.
    const rows = ordered ? page('task', one) : page(`(SELECT * FROM task t WHERE t.team_id = $team AND ${one} OFFSET 0)`);
    // The subquery keeps the estimated cost of the generic plan low. Otherwise PostgreSQL plans each query again, which takes longer than the list.
    return `SELECT t.* FROM unnest((SELECT $statuses::text[])) AS s(status) CROSS JOIN LATERAL (${rows}) t`;
  };
  const ofGroups = `SELECT t.* FROM unnest(access_principals($team, $principalId, true)) AS g(id) CROSS JOIN LATERAL (
    ${page("(SELECT * FROM task t WHERE t.team_id = $team AND t.assigned_group_id = g.id AND t.status = 'open' OFFSET 0)", "'open' = ANY ($statuses)")}
  ) t`;
  const claimable = claimableSql({
    person: '$user',
    page: `AND 'open' = ANY ($statuses) AND ${bounds(sort)} AND ${narrowed} ORDER BY ${order} LIMIT $limit + 1`,
  });
  switch (place) {
    case 'team':
      return page('task');
    case 'state':
      return inStates('true');
    case 'changed':
      return inStates(`t.updated_at >= ${since}`);
    case 'ids':
      return page(listedRows('task'), 't.status = ANY ($statuses)');
    case 'assignee':
      return inStates('t.assigned_to = $assignee');
    case 'claimable':
      return claimable;
    case 'own':
      return `${inStates('t.assigned_to = $assignee')} UNION ALL ${claimable}`;
    case 'principal':
      return `${[
        "t.assigned_to = $principalId AND s.status = 'open'",
        't.on_behalf_of = $principalId',
        't.participant_id = $principalId',
        't.owner_id = $principalId',
      ]
        .map(inStates)
        .concat(
          page(
            `(SELECT o.* FROM viewed_matters($team, $principalId) v(id) CROSS JOIN LATERAL (
                SELECT * FROM task c WHERE c.team_id = $team AND c.container_id = v.id OFFSET 0
              ) o OFFSET 0)`,
            't.status = ANY ($statuses)',
          ),
        )
        .map((arm) => `(${arm})`)
        .join(' UNION ALL ')} UNION ALL ${ofGroups}`;
    default:
      return page(`(SELECT * FROM task WHERE team_id = $team AND ${searched[place]} OFFSET 0)`, 't.status = ANY ($statuses)');
  }
}

function listBy(place: Among, sort: Sort) {
  const { order, key } = orderingOf(sort);
  return pageStatement<TaskFilter>(
    `WITH found AS (SELECT DISTINCT ON (f.id) f.* FROM (${foundBy(place, sort)}) f ORDER BY f.id),
     page AS (SELECT t.* FROM found t ORDER BY ${order} LIMIT $limit + 1)`,
    { from: 'page t', item, order, key },
  );
}

/** The statements of lists, by search and order. */
export const listTasks = {
  ids: bySort(sorts, (sort) => listBy('ids', sort)),
  team: bySort(sorts, (sort) => listBy('team', sort)),
  state: bySort(sorts, (sort) => listBy('state', sort)),
  changed: bySort(sorts, (sort) => listBy('changed', sort)),
  workflow: bySort(sorts, (sort) => listBy('workflow', sort)),
  document: bySort(sorts, (sort) => listBy('document', sort)),
  matter: bySort(sorts, (sort) => listBy('matter', sort)),
  assignee: bySort(sorts, (sort) => listBy('assignee', sort)),
  principal: bySort(sorts, (sort) => listBy('principal', sort)),
  claimable: bySort(sorts, (sort) => listBy('claimable', sort)),
  own: bySort(sorts, (sort) => listBy('own', sort)),
};

/** The open tasks in the inbox of a member: theirs, and those that they may claim. */
export const listToDo = mergedStatement<{ team: string; user: string; votes: readonly boolean[]; now: Date }>(
  `SELECT f.id, f.title, f.due_at, f.created_at, f.type, f.workflow_id, f.document_id, f.approval_round_id,
     NOT f.paused AND coalesce(f.due_at < $now, false) AS is_overdue
   FROM (
     (SELECT * FROM task WHERE team_id = $team AND assigned_to = $user AND status = 'open' OFFSET 0) UNION ALL ${claimableSql({ person: '$user' })}
   ) f WHERE (f.approval_round_id IS NOT NULL) = ANY ($votes) AND NOT document_excludes($team, f.about_document_id, $user::uuid) AND ${afterMerged}`,
  "CASE WHEN f.approval_round_id IS NULL THEN 'task' ELSE 'approval' END",
  {
    id: 'f.id',
    title: 'f.title',
    dueAt: isoText('f.due_at'),
    createdAt: isoText('f.created_at'),
    type: 'f.type',
    workflowId: 'f.workflow_id',
    documentId: 'f.document_id',
    roundId: 'f.approval_round_id',
    overdue: 'CASE WHEN f.is_overdue THEN true END',
  },
);

export const listComments = commentList('task_comment', { member: 'taskId', column: 'task_id' });
