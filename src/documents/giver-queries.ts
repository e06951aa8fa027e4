import { workingClientText } from '#clients';
import { noWall, standingText } from '#folders';
import { memberText, personText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';

const asPerson = 'a.role, NULL::uuid[] AS folder_ids, NULL::text[] AS scopes';
/** What somebody acts as now: their role while they are an active member, or `client` for an API client that is switched on. */
const actorText = (id: string) => `${memberText(asPerson, id)}
   UNION ALL
   ${workingClientText("'client', c.folder_ids, c.scopes", id)}`;

/** The same of somebody who leaves, suspended or not: what they may is not less by that, and goes to whoever succeeds them. */
const leaverText = personText(asPerson, '$from');

export type ActorNow = { role: string; folder_ids: string[] | null; scopes: string[] | null };
export const actorNow = sqlStatement<{ team: string; id: string }, ActorNow>(actorText('$id'));

/**
 * What somebody may let others read now, as `givenToOthers` says it: a row while they are one who gives, and no wall around the
 * place of a document keeps them out, or shows it to them through broken glass alone; `by_place` whether owning it, a share of its folder or their role lets them.
 *
 * A grant for a task is asked this of its giver each time it is read. So it ends in the moment in which the giver's right does,
 * whatever ended that, and no act has to look for what others have given by it.
 *
 * @param place a row with the `folder_id`, `user_id` and `wall_id` of a document
 */
const giverText = (giver: string, place: string, actor = actorText(giver)) => `LATERAL (
    SELECT CASE giver.role
      WHEN 'client' THEN giver.folder_ids IS NULL OR stands.within
      WHEN 'member' THEN ${place}.user_id = ${giver} OR stands.shared IS NOT NULL
      ELSE true END AS by_place
    FROM (${actor}) giver CROSS JOIN ${standingText(
      `${place}.folder_id`,
      `${place}.wall_id = '${noWall}' AND (${place}.user_id = ${giver} OR giver.role IN ('owner', 'admin')
        OR giver.role = 'client' AND giver.folder_ids IS NULL)`,
      { user: giver, roots: 'giver.folder_ids' },
    )} stands
    WHERE NOT (stands.closed OR stands.closed_above OR stands.by_opening)
      AND (giver.role IN ('owner', 'admin', 'member') OR 'documents:read' = ANY (giver.scopes))
  )`;

const ownShareText = (giver: string, document: string) => `EXISTS (
    SELECT FROM (${personText('a.id', giver)}) person
    CROSS JOIN LATERAL access_relations_among($team, person.id, true, 'document', ARRAY[${document}]) own)`;

/** Whether a grant opens its document now. */
export const opensText = (grant: string, document: string) => `CASE ${grant}.reason WHEN 'task' THEN EXISTS (
    SELECT FROM ${giverText(`${grant}.granted_by`, document)} judged
    WHERE judged.by_place OR ${ownShareText(`${grant}.granted_by`, `${document}.id`)}
  ) ELSE true END`;

/**
 * The documents that somebody who leaves has put into tasks or workflows and may not let others read any more. Asked before
 * anything of theirs goes to their successor.
 */
export const lostByLeaver = sqlStatement<{ team: string; from: string }, { id: string }>(
  `WITH named AS (
     SELECT document_id AS id FROM document_grant WHERE team_id = $team AND granted_by = $from AND reason = 'task'
     UNION SELECT document_id FROM documents_put_into_tasks($team, $from)
     UNION SELECT document_id FROM documents_put_into_workflows($team, $from)
   ),
   placed AS MATERIALIZED (
     SELECT d.id, coalesce(d.folder_id, '${noWall}') AS folder, d.folder_id, d.user_id, d.wall_id
     FROM named JOIN document d ON d.team_id = $team AND d.id = named.id
   ),
   judged AS MATERIALIZED (
     SELECT p.folder, p.user_id, p.wall_id, j.by_place
     FROM (SELECT DISTINCT folder, folder_id, user_id, wall_id FROM placed) p CROSS JOIN ${giverText('$from', 'p', leaverText)} j
   )
   SELECT p.id FROM placed p
   LEFT JOIN judged j ON j.folder = p.folder AND j.user_id = p.user_id AND j.wall_id = p.wall_id
   WHERE j.by_place IS NULL OR NOT (j.by_place OR ${ownShareText('$from', 'p.id')})`,
);

/**
 * The documents that are open to `$user` by single grants, as `opened (document_id, kept)`: a part of a statement `WITH`. `kept` is
 * the newest version of one that is kept as a record; null for what opens the whole document. Each giver is judged once for each
 * folder, however many tasks they have given.
 */
export const openedText = `given_task AS MATERIALIZED (
    SELECT g.document_id, g.granted_by, d.folder_id, d.user_id, d.wall_id
    FROM document_grant g CROSS JOIN LATERAL (
      SELECT folder_id, user_id, wall_id FROM document WHERE team_id = $team AND id = g.document_id OFFSET 0
    ) d WHERE g.team_id = $team AND g.user_id = $user AND g.reason = 'task'
  ),
  judged AS MATERIALIZED (
    SELECT p.granted_by, coalesce(p.folder_id, '${noWall}') AS folder, p.user_id, p.wall_id, j.by_place
    FROM (SELECT DISTINCT granted_by, folder_id, user_id, wall_id FROM given_task) p CROSS JOIN ${giverText('p.granted_by', 'p')} j
  ),
  opened AS MATERIALIZED (
    SELECT g.document_id, max(g.version) AS kept FROM document_grant g
    WHERE g.team_id = $team AND g.user_id = $user AND g.reason = 'record' GROUP BY g.document_id
    UNION
    SELECT access_resources($team, $user, true, 'document', '{viewer,editor}'), NULL
    UNION
    SELECT t.document_id, NULL FROM given_task t
    JOIN judged j ON j.granted_by = t.granted_by AND j.user_id = t.user_id AND j.wall_id = t.wall_id
      AND j.folder = coalesce(t.folder_id, '${noWall}')
    WHERE j.by_place OR ${ownShareText('t.granted_by', 't.document_id')}
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
