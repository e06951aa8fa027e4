import type { GrantRow } from '#access';
import { sqlStatement } from '../platform/database/statement.ts';
import { aboveText } from './visibility-queries.ts';

/** The shares on a folder and above it, with the folder each is on; those furthest up first. */
export const sharesReaching = sqlStatement<{ team: string; id: string }, GrantRow & { resource_id: string }>(
  `WITH RECURSIVE ${aboveText('$id')}
   SELECT s.* FROM access_shares_on($team, 'folder', ARRAY(SELECT id FROM above)) s JOIN above ON above.id = s.resource_id
   ORDER BY above.up DESC, s.id LIMIT 10000`,
  {
    id: 'a column of the table that is never null',
    principal_type: 'as above',
    principal_id: 'as above',
    relations: 'as above',
    granted_by: 'as above',
    created_at: 'as above',
  },
);

const sharesOn = (path: string) => `SELECT s.principal_type, s.principal_id, bool_or('editor' = ANY (s.relations)) AS writes
     FROM access_shares_on($team, 'folder', ARRAY(SELECT id FROM ${path})) s GROUP BY s.principal_type, s.principal_id`;

/**
 * Whether a principal gets access, or write access, to a resource that moves from the folder `from` (null: in no folder) to the folder
 * `to`: by a share, or as an API client that is confined to a folder there. A share with the team covers each person.
 */
export const opensAt = sqlStatement<{ team: string; from: string | null; to: string }, { opens: boolean }>(
  `WITH RECURSIVE ${aboveText('$from', 'false', 'source')}, ${aboveText('$to', 'false', 'target')},
   before AS MATERIALIZED (${sharesOn('source')}),
   gained AS MATERIALIZED (${sharesOn('target')})
   SELECT EXISTS (
     SELECT FROM gained WHERE NOT EXISTS (
       SELECT FROM before WHERE (before.principal_type = 'team' OR before.principal_id = gained.principal_id) AND before.writes >= gained.writes
     )
   ) OR EXISTS (
     SELECT FROM folders_of_clients($team) c
     WHERE c.folder_ids && ARRAY(SELECT id FROM target) AND NOT c.folder_ids && ARRAY(SELECT id FROM source)
   ) AS opens`,
);

/**
 * Of these people, those who are inside of the barrier around a folder and of each barrier around that: named there (`for good`), or
 * also by emergency access (`now`).
 */
export const insideOf = sqlStatement<{ team: string; id: string; users: readonly string[]; when: 'now' | 'for good' }, { id: string }>(
  `WITH RECURSIVE ${aboveText('$id')},
   barriers AS MATERIALIZED (
     SELECT w.folder_id FROM above CROSS JOIN LATERAL (
       SELECT folder_id FROM folder_barrier WHERE team_id = $team AND folder_id = above.id OFFSET 0
     ) w
   )
   SELECT u.id FROM unnest($users::uuid[]) AS u(id) WHERE NOT EXISTS (
     SELECT FROM barriers WHERE NOT EXISTS (
       SELECT FROM folder_barrier_member m WHERE m.team_id = $team AND m.folder_id = barriers.folder_id AND m.user_id = u.id
         AND (m.until IS NULL OR ($when = 'now' AND m.until > now()))
     )
   )`,
);
