/**
 * Parts of list statements for the resources that a caller can view. The view `all` contains the resources of the team: for an owner, an
 * administrator or an unconfined client or agent. The view `granted` contains own resources, those in containers with grants, and those with grants.
 * Information barriers exclude resources from both views.
 *
 * Each row has its innermost barrier (`barrier_id`). A list reads only the rows behind barriers that admit the caller, along an index, and no hidden
 * rows. Each row of a page is read by its key (LATERAL, OFFSET 0). That needs no statistics; without them PostgreSQL would join whole tables.
 *
 * Parameters: `$team`, `$user` (null for clients and agents), `$roots` (the containers of a confined client or agent, or null).
 */
import type { Actor } from '../platform/scope.ts';
import { can } from './can.ts';
import { permissions } from './model.ts';

/** The `barrier_id` of a resource without a barrier. */
export const noBarrier = '00000000-0000-0000-0000-000000000000';

/** Narrows the type of `barrier_id` in statements that call the SQL function `barrier_now`. */
export const barrierIsThere = { barrier_id: 'the function never returns null' };

/** Returns whether a barrier applies to a resource in any of its folders before or after an action. */
export const isBehindBarrier = (...barriers: readonly string[]): boolean => barriers.some((barrier) => barrier !== noBarrier);

/** The caller as statement parameters. */
export type Viewer = { user: string | null; roots: readonly string[] | null };
export const viewerOf = (actor: Actor): Viewer => ({
  user: actor.type === 'user' ? actor.id : null,
  roots: actor.type === 'client' || actor.type === 'agent' ? (actor.folderIds ?? null) : null,
});

export type View = 'all' | 'granted';
export const viewOf = (actor: Actor): View => (can(actor, 'document', 'view', { relations: [] }) ? 'all' : 'granted');

/** The parameters of the SQL function `access_at_once`. */
export type ImmediateAccessParams = { user: string | null; all: boolean };
export const immediateAccessParamsOf = (actor: Actor): ImmediateAccessParams => ({
  user: viewerOf(actor).user,
  all: viewOf(actor) === 'all',
});

/** The relations to a container that each allow viewing the documents in it, as an SQL array. */
const inherited = `'{${permissions.document.view.flatMap(({ all }) => all.flatMap(({ from }) => from.parent)).join(',')}}'`;
/** The relations to a document that each allow viewing it, as an SQL array. */
const direct = `'{${permissions.document.view.flatMap(({ all }) => all.flatMap(({ relations }) => relations)).join(',')}}'`;

/** Materialized, so that the functions run once and not again for each barrier. */
const open = `open AS MATERIALIZED (SELECT open_barriers($team, $user) AS barrier),
   closing AS MATERIALIZED (SELECT closing_containers($team, $user) AS id)`;
/**
 * Returns an SQL condition: no barrier that a job is raising, lifting or moving hides the container from the caller. The rows below the container may
 * not have that barrier yet.
 */
export const isSettled = (container: string) => `(${container} IN (SELECT id FROM closing)) IS NOT TRUE`;
/** Maximum number of containers for which a list looks up each barrier. For more, it reads the paths of the barriers that exclude the caller. */
const few = '(SELECT count(*) FROM area) <= 100';
/**
 * The common table expressions of a view. `open`: barriers that admit the caller. `closing`: containers that a job is hiding from the caller. `area`:
 * containers with a grant on them or on a container above. `reached`: the part of `area` that no barrier hides.
 */
export const viewSql: Record<View, string> = {
  all: open,
  granted: `${open}, area AS (SELECT access_containers($team, $user, $roots::uuid[], ${inherited}) AS id),
   reached AS MATERIALIZED (
     SELECT a.id FROM area a CROSS JOIN LATERAL (
       SELECT c.barrier_id FROM access_container c WHERE c.team_id = $team AND c.id = a.id OFFSET 0
     ) c WHERE ${few} AND c.barrier_id IN (SELECT barrier FROM open) AND ${isSettled('a.id')}
     UNION ALL
     SELECT a.id FROM area a WHERE NOT ${few} AND a.id NOT IN (
       SELECT p.container_id FROM access_barrier b JOIN access_path p ON p.team_id = $team AND p.ancestor_id = b.id
       WHERE b.team_id = $team AND b.id NOT IN (SELECT barrier FROM open)
     )
   )`,
};

/** The documents with grants to the caller, as `opened (document_id)`. */
export const grantedDocuments = `opened AS (SELECT access_resources($team, $user, true, 'document', ${direct}) AS document_id)`;

/**
 * Returns an SQL condition: no barrier excludes the caller from a row in the container of a column. `IS TRUE` prevents PostgreSQL from using the
 * barrier index together with a condition on the
 * owner. Without statistics it would read all other rows by that index.
 */
export const isOpen = (row: string, container = 'folder_id') =>
  `(${row}.barrier_id IN (SELECT barrier FROM open)) IS TRUE AND ${isSettled(`${row}.${container}`)}`;
