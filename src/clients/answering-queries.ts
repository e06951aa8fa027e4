import { sqlStatement } from '../platform/database/statement.ts';

// What other domains ask: who answers for an API client, and what one may do now. `$team` is the team.

/** The API client whom `id`, an expression, names while it is switched on, as a query of the `columns` of `c`. */
export const workingClientText = (columns: string, id: string) => `SELECT ${columns} FROM api_client c
     WHERE c.team_id = $team AND c.id = ${id} AND c.is_active AND (c.expires_at IS NULL OR c.expires_at > now())`;

/** These who did something, as persons, for an API client whoever answers for it: an expression for an array. */
export const personsText = (done: string) => `ARRAY(
      SELECT person.id FROM unnest(ARRAY[${done}]) AS done (id)
      CROSS JOIN LATERAL (
        SELECT done.id
        UNION ALL SELECT coalesce(c.responsible_id, c.created_by) FROM api_client c WHERE c.team_id = $team AND c.id = done.id
        UNION ALL SELECT f.responsible_id FROM former_client f WHERE f.team_id = $team AND f.id = done.id
      ) person WHERE person.id IS NOT NULL)`;

/** Who answers for these API clients, or did when they were deleted. */
export const answeringFor = sqlStatement<{ team: string; clients: readonly string[] }, { id: string }>(
  `SELECT coalesce(responsible_id, created_by) AS id FROM api_client WHERE team_id = $team AND id = ANY ($clients::uuid[])
   UNION SELECT responsible_id FROM former_client WHERE team_id = $team AND id = ANY ($clients::uuid[])`,
);
