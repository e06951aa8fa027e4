/**
 * Who sees which folders, as parts of statements. A person sees their own tree and what is shared with them or the team; an
 * owner, an administrator or an API client the whole team's; a confined client its folders and what lies in them. Behind a
 * barrier see only those who are inside of it and of each barrier around it.
 *
 * Every row carries the innermost barrier it stands behind (`barrier_id`), so a list reads what is open to its reader along an
 * index: its cost does not grow with what is not. Folders that are shared are found by one walk from the shares down, once
 * a statement. Each step of a walk and each row of a page is looked up at its place (LATERAL, OFFSET 0), which needs no
 * statistics: the planner would otherwise join whole tables where they were never analysed.
 *
 * Parameters: `$team`, `$user` (null for API clients), `$roots` (folders a client is confined to, or null).
 */

/** The `barrier_id` of what stands behind none. */
export const noBarrier = '00000000-0000-0000-0000-000000000000';

/** Whether something stands behind a barrier, at any of the places that it has before and after an act. */
export const isBehindBarrier = (...barriers: readonly string[]): boolean => barriers.some((barrier) => barrier !== noBarrier);

/**
 * Whether a row is open, as a condition that no index is read by: beside one on the owner it would make the planner, where
 * the table was never analysed, take the index of barriers, and read all that is not one's own.
 */
export const isOpen = (row: string) => `(${row}.barrier_id IN (SELECT barrier FROM open)) IS TRUE`;

/** The barrier that the folder stands behind which `id`, an expression, names: {@link noBarrier} for one behind none, and for no folder. */
export const barrierOfText = (id: string) =>
  `coalesce((SELECT f.barrier_id FROM (SELECT ${id} AS id OFFSET 0) named JOIN folder f ON f.team_id = $team AND f.id = named.id), '${noBarrier}')`;

/**
 * `column = value` for each row of a walk or a page, said so that the planner expects few rows whatever it knows: where most of a
 * table lies in one folder, it would otherwise expect most of it for each, and read the whole table as often.
 */
export const at = (column: string, value: string) => `${column} BETWEEN ${value} AND ${value}`;

/** Whose view a list is: a member's own and shared, all of the team as a person, or as a client, or a confined client's. */
export type View = 'person' | 'manager' | 'client' | 'confined';

const insideFor = (user: string) => `m.team_id = $team AND m.user_id = ${user} AND (m.until IS NULL OR m.until > now())`;
const inside = insideFor('$user');

// Barriers one is inside of, and of all around them.
const openToPerson = `
  within AS MATERIALIZED (SELECT m.folder_id FROM folder_barrier_member m WHERE ${inside}),
  around AS (
    SELECT folder_id AS barrier, folder_id AS at FROM within
    UNION ALL
    SELECT a.barrier, o.barrier_id FROM around a CROSS JOIN LATERAL (
      SELECT p.barrier_id FROM folder w JOIN folder p ON p.team_id = $team AND p.id = w.parent_id WHERE w.team_id = $team AND w.id = a.at OFFSET 0
    ) o WHERE o.barrier_id <> '${noBarrier}'
  ),
  open AS MATERIALIZED (
    SELECT '${noBarrier}'::uuid AS barrier
    UNION ALL SELECT barrier FROM around GROUP BY barrier HAVING bool_and(at IN (SELECT folder_id FROM within))
  )`;
const openToClient = `open AS MATERIALIZED (SELECT '${noBarrier}'::uuid AS barrier)`;

// Where a walk down begins.
const given = {
  person: `given AS (
    SELECT access_resources($team, $user, true, 'folder', '{viewer,editor}') AS id
  )`,
  confined: 'given AS (SELECT unnest($roots::uuid[]) AS id)',
};

// The folders found by a walk. It stops at barriers that exclude the reader.
const reached = (whose: 'person' | 'confined') => `${given[whose]},
  reached AS (
    SELECT f.id, f.barrier_id FROM given CROSS JOIN LATERAL (
      SELECT g.id, g.barrier_id FROM folder g WHERE g.team_id = $team AND g.id = given.id AND g.deleted_at IS NULL
        ${whose === 'person' ? 'AND g.user_id <> $user' : ''} OFFSET 0
    ) f WHERE f.barrier_id IN (SELECT barrier FROM open)
    UNION
    SELECT c.id, c.barrier_id FROM reached r CROSS JOIN LATERAL (
      SELECT b.id, b.barrier_id FROM folder b WHERE b.team_id = $team AND ${at('b.parent_id', 'r.id')} AND b.deleted_at IS NULL OFFSET 0
    ) c WHERE c.barrier_id IN (SELECT barrier FROM open)
  )`;

/** Whether no barrier on the folder itself excludes the viewer, as a condition on its row. Barriers above it are not looked at. */
export const notBarredText = (row: string) => `(${row}.barrier_id <> ${row}.id
    OR EXISTS (SELECT FROM folder_barrier_member m WHERE ${inside} AND m.folder_id = ${row}.id))`;

/** Whether the viewer is inside of all barriers above a folder, as a condition on its row beside the view `open`. */
export const inViewText = (row: string) =>
  `coalesce((SELECT p.barrier_id FROM folder p WHERE p.team_id = $team AND p.id = ${row}.parent_id), '${noBarrier}') IN (SELECT barrier FROM open)`;

/** The beginning of a statement that lists: `open` barriers, and `reached` folders where the view has any. Needs `WITH RECURSIVE`. */
export const viewText: Record<View, string> = {
  person: `${openToPerson}, ${reached('person')}`,
  manager: openToPerson,
  client: openToClient,
  confined: `${openToClient}, ${reached('confined')}`,
};

/** The folder that `start` names and all above it, with how far `up` each is: a part of a statement `WITH RECURSIVE`. */
export const aboveText = (start: string, unless = 'false', name = 'above') => `${name} AS (
      SELECT s.id, s.parent_id, 0 AS up FROM folder s WHERE s.team_id = $team AND s.id = ${start} AND (${unless}) IS NOT TRUE
      UNION ALL
      SELECT p.id, p.parent_id, a.up + 1 FROM ${name} a CROSS JOIN LATERAL (
        SELECT q.id, q.parent_id FROM folder q WHERE q.team_id = $team AND q.id = a.parent_id OFFSET 0
      ) p
    )`;

/** The level of access that relations give: an editor writes. */
export const accessLevelSql = (row: string) => `CASE WHEN 'editor' = ANY (${row}.relations) THEN 'write' ELSE 'read' END`;

/**
 * What tells how a person or client stands to a folder: a row beside each row whose folder `start` names.
 * `shared`: the strongest share on it or above, for the person or the team; `shared_above` without those on itself.
 * `closed`: whether a barrier on it or above excludes them; `emergency_only`: whether they are inside of one of these by emergency access only. `within`, `within_above`: whether it is one of a confined client's folders or lies in one.
 *
 * @param unless a condition under which none of it matters, such as for one's own that is behind no barrier
 * @param whose expressions for another than the viewer: the person, and the folders a client is confined to
 */
export const standingText = (start: string, unless = 'false', whose = { user: '$user', roots: '$roots::uuid[]' }) => `LATERAL (
    WITH RECURSIVE ${aboveText(start, unless)}
    SELECT max(share.access) AS shared, max(share.access) FILTER (WHERE above.up > 0) AS shared_above,
      coalesce(bool_or(barrier.closed), false) AS closed,
      coalesce(bool_or(barrier.emergency_only), false) AS emergency_only,
      coalesce(bool_or(above.id = ANY (${whose.roots})), false) AS within,
      coalesce(bool_or(above.id = ANY (${whose.roots})) FILTER (WHERE above.up > 0), false) AS within_above
    FROM above
    LEFT JOIN (
      SELECT s.resource_id, ${accessLevelSql('s')} AS access
      FROM access_relations_among($team, ${whose.user}, true, 'folder', ARRAY(SELECT id FROM above)) s
    ) share ON share.resource_id = above.id
    LEFT JOIN LATERAL (
      SELECT NOT EXISTS (SELECT FROM folder_barrier_member m WHERE ${insideFor(whose.user)} AND m.folder_id = w.folder_id) AS closed,
        EXISTS (
          SELECT FROM folder_barrier_member m WHERE ${insideFor(whose.user)} AND m.folder_id = w.folder_id AND m.until IS NOT NULL
        ) AS emergency_only
      FROM folder_barrier w WHERE w.team_id = $team AND w.folder_id = above.id OFFSET 0
    ) barrier ON true
  )`;

/** The same columns for what is the viewer's own behind no barrier, where none of it matters. */
export const standingOfOwn = `NULL AS shared, NULL AS shared_above, false AS closed,
    false AS emergency_only, false AS within, false AS within_above`;

/** How somebody stands to a folder, as {@link standingText} tells. */
export type Standing = {
  shared: 'read' | 'write' | null;
  shared_above: 'read' | 'write' | null;
  closed: boolean;
  emergency_only: boolean;
  within: boolean;
  within_above: boolean;
};

/**
 * Whether the actor sees a row without a look at what is above it: it is behind no barrier, and is theirs, or they see all of the team. Many
 * see more: what this leaves out is looked at. Parameters: `$team`, {@link AtOnce}.
 */
export const seenAtOnceText = (row: string) => `(${row}.barrier_id = '${noBarrier}' AND ($all OR ${row}.user_id = $user))`;
export type AtOnce = { user: string | null; all: boolean };

/** Who looks, as parameters of the statements here. */
export type Viewer = { user: string | null; roots: readonly string[] | null };
