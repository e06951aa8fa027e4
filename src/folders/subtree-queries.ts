import { at } from './visibility-queries.ts';

/* Parts of statements of other domains whose rules hold for a folder and what lies in it, as far as no barrier stands between. `$team` is the team. */

/**
 * `name`: each folder that lies in one of those which `starts`, a query of `n` and `id`, names, with the `n` of that; those themselves
 * too. It goes past no barrier. Needs `WITH RECURSIVE`.
 */
export const coveredText = (starts: string, name = 'covered') => `${name} AS (
     SELECT s.n, f.id, f.barrier_id FROM (${starts}) s CROSS JOIN LATERAL (
       SELECT g.id, g.barrier_id FROM folder g WHERE g.team_id = $team AND g.id = s.id AND g.deleted_at IS NULL OFFSET 0
     ) f
     UNION ALL
     SELECT c.n, b.id, b.barrier_id FROM ${name} c CROSS JOIN LATERAL (
       SELECT g.id, g.barrier_id FROM folder g WHERE g.team_id = $team AND ${at('g.parent_id', 'c.id')} AND g.deleted_at IS NULL OFFSET 0
     ) b WHERE b.barrier_id = c.barrier_id
   )`;

/** `around`: the folder that `start`, an expression, names and those above it behind the same barrier. Needs `WITH RECURSIVE`. */
export const aroundText = (start: string) => `around AS (
     SELECT s.id, s.parent_id, s.barrier_id FROM folder s WHERE s.team_id = $team AND s.id = ${start}
     UNION ALL
     SELECT p.id, p.parent_id, p.barrier_id FROM around a CROSS JOIN LATERAL (
       SELECT g.id, g.parent_id, g.barrier_id FROM folder g WHERE g.team_id = $team AND g.id = a.parent_id OFFSET 0
     ) p WHERE p.barrier_id = a.barrier_id
   )`;
