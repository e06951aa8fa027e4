/**
 * Which resources a caller views, as parts of statements that list them. An owner, an administrator or an unconfined program views
 * all of the team (`all`). Everybody else views their own, what lies in containers that grants reach, and what grants name (`granted`).
 * Nobody views what is behind a barrier that excludes them.
 *
 * Each row has the innermost barrier around it (`barrier_id`), so a list reads what is open to the caller along an index: its cost does
 * not grow with what is not. Containers that grants reach are found once a statement. Each row of a page is looked up at its place
 * (LATERAL, OFFSET 0), which needs no statistics: the planner would otherwise join whole tables where they were never analysed.
 *
 * Parameters: `$team`, `$user` (null for programs), `$roots` (containers that a program is confined to, or null).
 */
import type { Actor } from '../platform/scope.ts';
import { can } from './can.ts';
import { permissions } from './model.ts';

/** The `barrier_id` of what is behind none. */
export const noBarrier = '00000000-0000-0000-0000-000000000000';

/** Whether a resource is behind a barrier, at any of the places that it has before and after an act. */
export const isBehindBarrier = (...barriers: readonly string[]): boolean => barriers.some((barrier) => barrier !== noBarrier);

/** The caller, as parameters of statements. */
export type Viewer = { user: string | null; roots: readonly string[] | null };
export const viewerOf = (actor: Actor): Viewer => ({
  user: actor.type === 'user' ? actor.id : null,
  roots: actor.type === 'client' || actor.type === 'agent' ? (actor.folderIds ?? null) : null,
});

export type View = 'all' | 'granted';
export const viewOf = (actor: Actor): View => (can(actor, 'document', 'view', { relations: [] }) ? 'all' : 'granted');

/** The parameters of the SQL function `access_at_once`. */
export type AtOnce = { user: string | null; all: boolean };
export const atOnceOf = (actor: Actor): AtOnce => ({ user: viewerOf(actor).user, all: viewOf(actor) === 'all' });

/** The relations to a container of which each lets a caller view a type of resource that lies in it, as an array. */
const inherited = `'{${permissions.document.view.flatMap(({ all }) => all.flatMap(({ from }) => from.parent)).join(',')}}'`;
/** The relations to a document of which each lets a caller view it, as an array. */
const direct = `'{${permissions.document.view.flatMap(({ all }) => all.flatMap(({ relations }) => relations)).join(',')}}'`;

const open = 'open AS MATERIALIZED (SELECT open_barriers($team, $user) AS barrier)';
/** The beginning of a statement that lists: `open` barriers, and the containers `reached` by grants. Needs `WITH`. */
export const viewText: Record<View, string> = {
  all: open,
  granted: `${open}, reached AS MATERIALIZED (SELECT c.id, c.barrier_id FROM access_containers($team, $user, $roots::uuid[], ${inherited}) c)`,
};

/** The documents that grants name, as `opened (id)`. */
export const grantedDocuments = `opened AS MATERIALIZED (SELECT access_resources($team, $user, true, 'document', ${direct}) AS id)`;

/**
 * Whether no barrier excludes the caller from a row, as a condition that no index is read by: beside one on the owner it would make the planner,
 * where the table was never analysed, take the index of barriers, and read all that is not one's own.
 */
export const isOpen = (row: string) => `(${row}.barrier_id IN (SELECT barrier FROM open)) IS TRUE`;

/**
 * `column = value` for each row of a walk or a page, said so that the planner expects few rows whatever it knows: where most of a
 * table lies in one folder, it would otherwise expect most of it for each, and read the whole table as often.
 */
export const at = (column: string, value: string) => `${column} BETWEEN ${value} AND ${value}`;
