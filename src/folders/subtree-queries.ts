import { at } from './visibility-queries.ts';

/* Parts of statements of other domains whose rules hold for a folder and what lies in it, as far as no wall stands between. `$team` is the team. */

/**
 * `name`: each folder that lies in one of those which `starts`, a query of `n` and `id`, names, with the `n` of that; those themselves
 * too. It goes past no wall. Needs `WITH RECURSIVE`.
 */
export const coveredText = (starts: string, name = 'covered') => `${name} AS (
     SELECT s.n, f.id, f.wall_id FROM (${starts}) s CROSS JOIN LATERAL (
       SELECT g.id, g.wall_id FROM folder g WHERE g.team_id = $team AND g.id = s.id AND g.deleted_at IS NULL OFFSET 0
     ) f
     UNION ALL
     SELECT c.n, b.id, b.wall_id FROM ${name} c CROSS JOIN LATERAL (
       SELECT g.id, g.wall_id FROM folder g WHERE g.team_id = $team AND ${at('g.parent_id', 'c.id')} AND g.deleted_at IS NULL OFFSET 0
     ) b WHERE b.wall_id = c.wall_id
   )`;

/** `around`: the folder that `start`, an expression, names and those above it behind the same wall. Needs `WITH RECURSIVE`. */
export const aroundText = (start: string) => `around AS (
     SELECT s.id, s.parent_id, s.wall_id FROM folder s WHERE s.team_id = $team AND s.id = ${start}
     UNION ALL
     SELECT p.id, p.parent_id, p.wall_id FROM around a CROSS JOIN LATERAL (
       SELECT g.id, g.parent_id, g.wall_id FROM folder g WHERE g.team_id = $team AND g.id = a.parent_id OFFSET 0
     ) p WHERE p.wall_id = a.wall_id
   )`;
