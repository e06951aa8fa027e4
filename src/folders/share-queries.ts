import { memberText } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import { aboveText, at } from './visibility-queries.ts';

export type ShareRow = { id: string; folder_id: string; user_id: string | null; access: string; created_by: string; created_at: string };
const columns = 'id, folder_id, user_id, access, created_by, created_at';

export const listShares = sqlStatement<{ team: string; folder: string }, ShareRow>(
  `SELECT ${columns} FROM folder_share WHERE team_id = $team AND folder_id = $folder ORDER BY id LIMIT 10000`,
);

type NewShare = { team: string; id: string; folder: string; user: string | null; access: string; by: string; at: Date };

/** A second share with the same person changes the first. Nothing is inserted for someone who is no active member. */
export const putShare = sqlStatement<NewShare, ShareRow>(
  `INSERT INTO folder_share (team_id, id, folder_id, user_id, access, created_by, created_at)
   ${memberText('$team, $id, $folder, a.id, $access, $by, $at', '$user')}
   ON CONFLICT ON CONSTRAINT folder_share_once DO UPDATE SET access = excluded.access
   RETURNING ${columns}`,
);

/** The same with the whole team. */
export const putTeamShare = sqlStatement<NewShare, ShareRow>(
  `INSERT INTO folder_share (team_id, id, folder_id, user_id, access, created_by, created_at)
   VALUES ($team, $id, $folder, $user, $access, $by, $at)
   ON CONFLICT ON CONSTRAINT folder_share_once DO UPDATE SET access = excluded.access
   RETURNING ${columns}`,
);

export const deleteShare = sqlStatement<{ team: string; folder: string; id: string }, { id: string; user_id: string | null }>(
  'DELETE FROM folder_share WHERE team_id = $team AND folder_id = $folder AND id = $id RETURNING id, user_id',
);

export const dropSharesWith = sqlStatement<{ team: string; user: string }, never>(
  'DELETE FROM folder_share WHERE team_id = $team AND user_id = $user',
);

export const dropOwnShares = sqlStatement<{ team: string; user: string }, never>(
  `DELETE FROM folder_share s USING folder f
   WHERE s.team_id = $team AND s.user_id = $user AND f.team_id = $team AND f.id = s.folder_id AND f.user_id = $user`,
);

/** The shares on a folder and above it, with the folder each is on; those furthest up first. */
export const sharesReaching = sqlStatement<{ team: string; id: string }, ShareRow>(
  `WITH RECURSIVE ${aboveText('$id')}
   SELECT s.id, s.folder_id, s.user_id, s.access, s.created_by, s.created_at FROM above CROSS JOIN LATERAL (
     SELECT * FROM folder_share WHERE team_id = $team AND ${at('folder_id', 'above.id')} OFFSET 0
   ) s ORDER BY above.up DESC, s.id LIMIT 10000`,
);

const sharesOn = (path: string) => `SELECT s.user_id, max(s.access) AS access FROM ${path} CROSS JOIN LATERAL (
     SELECT user_id, access FROM folder_share WHERE team_id = $team AND ${at('folder_id', `${path}.id`)} OFFSET 0
   ) s GROUP BY s.user_id`;

/**
 * Whether somebody reaches what lies at `to`, or may write to it, who did not at `from` (null: in no folder): by a share with a
 * person or the team, or as an API client that is confined to a folder there. A share with the team covers each person.
 */
export const opensAt = sqlStatement<{ team: string; from: string | null; to: string }, { opens: boolean }>(
  `WITH RECURSIVE ${aboveText('$from', 'false', 'source')}, ${aboveText('$to', 'false', 'target')},
   held AS MATERIALIZED (${sharesOn('source')}),
   gained AS MATERIALIZED (${sharesOn('target')})
   SELECT EXISTS (
     SELECT FROM gained WHERE NOT EXISTS (
       SELECT FROM held WHERE (held.user_id IS NULL OR held.user_id = gained.user_id) AND held.access >= gained.access
     )
   ) OR EXISTS (
     SELECT FROM folders_of_clients($team) c
     WHERE c.folder_ids && ARRAY(SELECT id FROM target) AND NOT c.folder_ids && ARRAY(SELECT id FROM source)
   ) AS opens`,
);

/**
 * Of these people, those who are inside of the wall around a folder and of each wall around that: named there (`for good`), or
 * also while its glass is broken (`now`).
 */
export const insideOf = sqlStatement<{ team: string; id: string; users: readonly string[]; when: 'now' | 'for good' }, { id: string }>(
  `WITH RECURSIVE ${aboveText('$id')},
   walls AS MATERIALIZED (
     SELECT w.folder_id FROM above CROSS JOIN LATERAL (
       SELECT folder_id FROM folder_wall WHERE team_id = $team AND folder_id = above.id OFFSET 0
     ) w
   )
   SELECT u.id FROM unnest($users::uuid[]) AS u(id) WHERE NOT EXISTS (
     SELECT FROM walls WHERE NOT EXISTS (
       SELECT FROM folder_wall_member m WHERE m.team_id = $team AND m.folder_id = walls.folder_id AND m.user_id = u.id
         AND (m.until IS NULL OR ($when = 'now' AND m.until > now()))
     )
   )`,
);
