// What other domains ask: what an API client may do now. `$team` is the team.

/** The API client whom `id`, an expression, names while it is switched on, as a query of the `columns` of `c`. */
export const workingClientText = (columns: string, id: string) => `SELECT ${columns} FROM api_client c
     WHERE c.team_id = $team AND c.id = ${id} AND c.is_active AND (c.expires_at IS NULL OR c.expires_at > now())`;
