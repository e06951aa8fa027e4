import { jsonThing, pageStatement } from '../../../platform/database/json-page.ts';
import { type ListSearchParams, matches } from '../../../platform/database/list-filters.ts';
import { earlierPlace, isoText, laterPlace } from '../../../platform/database/sorted-page.ts';
import { undeliverableByHash } from '../../../platform/mail/undeliverable-queries.ts';

/** The statuses of submissions in lists. */
export const shelves = ['received', 'failed', 'held', 'spam', 'erased'] as const;
export type Shelf = (typeof shelves)[number];

const item = jsonThing(
  {
    id: 's.id',
    interfaceId: 's.interface_id',
    version: 's.version',
    channel: 's.channel',
    status: 's.shelf',
    locale: 's.locale',
    taskId: 's.task_id',
    undeliverable: undeliverableByHash('s.address_hash'),
    createdAt: isoText('s.created_at'),
    updatedAt: isoText('s.updated_at'),
    erasedAt: isoText('s.erased_at'),
    erasedFor: 's.erased_for',
  },
  { data: 's.data' },
);

export type SubmissionPage = {
  team: string;
  interfaces: readonly string[];
  shelves: readonly Shelf[];
  /** The start (inclusive) and end (exclusive) of the period; `-infinity` and `infinity` mean no limit. */
  from: string;
  to: string;
  /** The cursor: time and identifier of the last submission of the previous page. */
  time: string;
  beyond: string;
  limit: number;
} & Pick<ListSearchParams, 'q'>;

/** Whether an answer contains the search text, at any depth. Names of fields are not searched. */
const isSearched = `($q::text IS NULL OR EXISTS (
           SELECT FROM jsonb_path_query(s.data, 'strict $.**') answer
           WHERE jsonb_typeof(answer) IN ('string', 'number') AND ${matches("answer #>> '{}'")}))`;

/**
 * Lists submissions of some forms and statuses by age. Reads each form and status along its index as far as needed, and loads only the rows of the page.
 * The cost of a page does not depend on the number of submissions.
 */
function listBy(direction: 'ASC' | 'DESC') {
  const order = (row: string) => `${row}.created_at ${direction}, ${row}.id ${direction}`;
  const [from, to, after] = ['$from::timestamptz', '$to::timestamptz', { time: '$time::timestamptz', id: '$beyond::uuid' }];
  const within =
    direction === 'ASC'
      ? `(s.created_at, s.id) > ${laterPlace(from, after)} AND s.created_at < ${to}`
      : `(s.created_at, s.id) < ${earlierPlace(to, after)} AND s.created_at >= ${from}`;
  return pageStatement<SubmissionPage>(
    `WITH found AS (
       SELECT one.id, one.created_at FROM unnest($interfaces::uuid[]) AS form(id) CROSS JOIN unnest($shelves::text[]) AS shelf(name) CROSS JOIN LATERAL (
         SELECT s.id, s.created_at FROM submission s
         WHERE s.team_id = $team AND s.interface_id = form.id AND s.shelf = shelf.name AND ${within} AND ${isSearched}
         ORDER BY ${order('s')} LIMIT $limit + 1
       ) one ORDER BY ${order('one')} LIMIT $limit + 1
     ),
     page AS (
       SELECT whole.* FROM found CROSS JOIN LATERAL (SELECT * FROM submission s WHERE s.team_id = $team AND s.id = found.id) whole
     )`,
    { from: 'page s', item, order: order('s'), key: ['s.created_at::text', 's.id'] },
  );
}

/** Lists with the newest first, and with the oldest first. */
export const newestSubmissions = listBy('DESC');
export const oldestSubmissions = listBy('ASC');
