import { noBarrier } from '#access';
import { workingClientText } from '#clients';
import { memberText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';

/** What somebody acts as now: their role while they are an active member, or `client` for an API client that is switched on. */
const actorText = (id: string) => `${memberText('a.role, NULL::uuid[] AS folder_ids, NULL::text[] AS scopes', id)}
   UNION ALL
   ${workingClientText("'client', c.folder_ids, c.scopes", id)}`;

export type ActorNow = { role: string; folder_ids: string[] | null; scopes: string[] | null };
export const actorNow = sqlStatement<{ team: string; id: string }, ActorNow>(actorText('$id'));

/** The documents to which `$user` has a grant of their own, as `opened (document_id)`: a part of a statement `WITH`. */
export const openedText = `opened AS MATERIALIZED (
    SELECT access_resources($team, $user, true, 'document', '{viewer,editor,participant}') AS document_id
  )`;

/** The state of a barrier around a document for a person, or null: one of the columns of the SQL function `barrier_state`. */
const stateText = (document: string, user: string, how: string) => `EXISTS (
    SELECT FROM document d CROSS JOIN LATERAL barrier_state($team, d.barrier_id, ${user}) s
    WHERE d.team_id = $team AND d.id = ${document} AND d.barrier_id <> '${noBarrier}' AND ${how})`;

/** Whether a barrier around a document excludes a person. Null is a program. */
export const outsideText = (document: string, user = '$user') => stateText(document, user, 's.excluded');

/** Whether a person is inside of a document's barrier by emergency access only: they read, and do nothing else. */
export const emergencyOnlyText = (document: string, user = '$user') => stateText(document, user, 's.outsider AND NOT s.excluded');

/** Whether a person is no member of a barrier around a document. Emergency access makes no member. */
export const keptOutText = (document: string, user = '$user') => stateText(document, user, 's.outsider');

/** How a person, or null, stands to the barrier around a document, as a row: `outside` of it, or inside by `emergency` access only. */
export const barrierAroundText = (document: string, user = '$user') => `LATERAL (
    SELECT ${outsideText('about.id', user)} AS outside, ${emergencyOnlyText('about.id', user)} AS emergency
    FROM (SELECT ${document} AS id OFFSET 0) about
  )`;

/** Whether a folder, an expression that may be null, lies behind a barrier that a person, or null, is outside of. */
export const outsideOfFolderText = (folder: string, user: string) => `barrier_excludes($team, barrier_of($team, ${folder}), ${user})`;

/** Whether such a folder lies behind a barrier that a person is inside of by emergency access only. */
export const emergencyOnlyOfFolderText = (folder: string, user: string) =>
  `(SELECT s.outsider AND NOT s.excluded FROM barrier_state($team, barrier_of($team, ${folder}), ${user}) s)`;
