import { workingClientText } from '#clients';
import { noWall, standingText } from '#folders';
import { memberText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';

/** What somebody acts as now: their role while they are an active member, or `client` for an API client that is switched on. */
const actorText = (id: string) => `${memberText('a.role, NULL::uuid[] AS folder_ids, NULL::text[] AS scopes', id)}
   UNION ALL
   ${workingClientText("'client', c.folder_ids, c.scopes", id)}`;

export type ActorNow = { role: string; folder_ids: string[] | null; scopes: string[] | null };
export const actorNow = sqlStatement<{ team: string; id: string }, ActorNow>(actorText('$id'));

/**
 * The documents to which `$user` has a grant of their own, as `opened (document_id, kept)`: a part of a statement `WITH`. `kept` is the
 * newest version of a document that is a record; null for a grant to the whole document.
 */
export const openedText = `opened AS MATERIALIZED (
    SELECT g.document_id, CASE WHEN bool_or(g.reason = 'task') THEN NULL ELSE max(g.version) END AS kept FROM document_grant g
    WHERE g.team_id = $team AND g.user_id = $user GROUP BY g.document_id
    UNION
    SELECT access_resources($team, $user, true, 'document', '{viewer,editor}'), NULL
  )`;

const standsText = (document: string, user: string, how: string) => `EXISTS (
    SELECT FROM document d CROSS JOIN ${standingText('d.folder_id', `d.wall_id = '${noWall}'`, { user, roots: 'NULL::uuid[]' })} stands
    WHERE d.team_id = $team AND d.id = ${document} AND d.wall_id <> '${noWall}' AND ${how})`;

/** Whether a document stands behind a wall that a person, or null, is outside of: nothing of it is theirs to see. */
export const outsideText = (document: string, user = '$user') => standsText(document, user, '(stands.closed OR stands.closed_above)');

/** Whether a person is inside of a document's wall only while its glass is broken: they read, and do nothing else. */
export const throughGlassText = (document: string, user = '$user') => standsText(document, user, 'stands.by_opening');

/** Whether a person is outside of a document's wall, or inside only through broken glass, which ends: nothing about it comes to them by itself. */
export const keptOutText = (document: string, user = '$user') =>
  standsText(document, user, '(stands.closed OR stands.closed_above OR stands.by_opening)');

/** How a person, or null, stands to the wall around a document, as a row: `outside` of it, or inside only while its `glass` is broken. */
export const wallAroundText = (document: string, user = '$user') => `LATERAL (
    SELECT ${outsideText('about.id', user)} AS outside, ${throughGlassText('about.id', user)} AS glass
    FROM (SELECT ${document} AS id OFFSET 0) about
  )`;

const folderStandsText = (folder: string, user: string, how: string) => `EXISTS (
    SELECT FROM (SELECT ${folder} AS id OFFSET 0) place CROSS JOIN ${standingText('place.id', 'false', { user, roots: 'NULL::uuid[]' })} stands
    WHERE ${how})`;

/** Whether a folder, an expression that may be null, lies behind a wall that a person, or null, is outside of. */
export const outsideOfFolderText = (folder: string, user: string) => folderStandsText(folder, user, 'stands.closed OR stands.closed_above');

/** Whether such a folder lies behind a wall that a person is inside of only while its glass is broken. */
export const throughGlassOfFolderText = (folder: string, user: string) => folderStandsText(folder, user, 'stands.by_opening');
