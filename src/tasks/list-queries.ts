import { outsideText } from '#documents';
import { jsonObject, jsonPage, jsonThing, type ListPage } from '../platform/database/json-page.ts';
import { bySort, isoText, type Place, type Sort, sortedBy, sorts } from '../platform/database/sorted-page.ts';
import { sqlStatement } from '../platform/database/statement.ts';
import { giverLeftText, heldText, hiddenText } from './maker-queries.ts';
import { ofVersion } from './present.ts';
import { optionalMembers } from './queries.ts';

export type TaskFilter = {
  team: string;
  /** Whose tasks are shown; null for all of the team's. */
  seer: string | null;
  status: string[] | null;
  assignee: string | null;
  workflow: string | null;
  /** The document's identifier as the database writes it and as it was sent. */
  documents: readonly string[] | null;
  overdue: boolean | null;
  updatedSince: string | null;
  now: Date;
  limit: number;
  /** Who looks, as walls know them. */
  user: string | null;
} & Place;

const times = new Set(['due_at', 'completed_at']);
const shown = (column: string) => (times.has(column) ? isoText(`t.${column}`) : `t.${column}`);
const known = Object.entries(optionalMembers).map(([member, column]) => [
  member,
  ofVersion.has(member)
    ? `CASE WHEN NOT seen.outside THEN t.${column} END`
    : member === 'description'
      ? `CASE WHEN NOT ${hiddenText('t', '$user::uuid')} THEN t.${column} END`
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

/**
 * Where the tasks of a list are looked for. What belongs to one thing is found by the index of that and ordered then: of the
 * filters as they are written for all of them, a plan that is kept would look at every task of the team.
 */
const places = {
  team: 'task t',
  workflow: '(SELECT * FROM task WHERE team_id = $team AND workflow_id = $workflow OFFSET 0) t',
  document: '(SELECT * FROM task WHERE team_id = $team AND document_id = ANY ($documents) OFFSET 0) t',
  assignee: '(SELECT * FROM task WHERE team_id = $team AND assigned_to = $assignee OFFSET 0) t',
};

function listBy(place: keyof typeof places, sort: Sort) {
  const { order, after, key } = sortedBy(sort, 't');
  return sqlStatement<TaskFilter, ListPage>(
    `WITH page AS (
       SELECT t.* FROM ${places[place]}
       WHERE t.team_id = $team AND ${after}
         AND ($seer::uuid IS NULL OR ${heldText('t', '$seer')} OR (t.created_by = $seer AND NOT ${giverLeftText('t')}))
         AND ($status::text[] IS NULL OR t.status = ANY ($status))
         AND ($assignee::uuid IS NULL OR t.assigned_to = $assignee)
         AND ($workflow::uuid IS NULL OR t.workflow_id = $workflow)
         AND ($documents::text[] IS NULL OR t.document_id = ANY ($documents))
         AND ($updatedSince::timestamptz IS NULL OR t.updated_at >= $updatedSince)
         AND ($overdue::boolean IS NULL OR (t.status = 'open' AND NOT t.held AND coalesce(t.due_at < $now, false)) = $overdue)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: `page t CROSS JOIN LATERAL (SELECT ${outsideText('t.linked_document_id')} AS outside) seen`, item, order, key })}`,
  );
}

/** The statements of lists, by where they look and by order. */
export const listTasks = {
  team: bySort(sorts, (sort) => listBy('team', sort)),
  workflow: bySort(sorts, (sort) => listBy('workflow', sort)),
  document: bySort(sorts, (sort) => listBy('document', sort)),
  assignee: bySort(sorts, (sort) => listBy('assignee', sort)),
};

const comment = jsonObject({
  id: 'c.id',
  taskId: 'c.task_id',
  createdBy: 'c.user_id',
  createdByType: 'c.created_by_type',
  text: 'c.text',
  createdAt: isoText('c.created_at'),
});

export const listComments = sqlStatement<{ team: string; id: string; after: string; limit: number }, ListPage>(
  `WITH page AS (
     SELECT c.* FROM task_comment c WHERE c.team_id = $team AND c.task_id = $id AND c.id > $after ORDER BY c.id LIMIT $limit + 1
   ),
   ${jsonPage({ from: 'page c', item: comment, order: 'c.id', key: ['c.id'] })}`,
);
