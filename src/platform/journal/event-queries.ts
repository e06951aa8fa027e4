// Parts of the statements of domains that deliver events or empty them. The journal writes events, each with its act.

/** The event that `team` and `id`, expressions, name, as a query of the `columns` of `v`: no row when it is gone. */
export const eventText = (columns: string, team: string, id: string) =>
  `SELECT ${columns} FROM event v WHERE v.team_id = ${team} AND v.id = ${id}`;

/** The event `e` that a `row` names, joined to it. */
export const joinEventText = (row: string) => `JOIN event e ON e.team_id = ${row}.team_id AND e.id = ${row}.event_id`;

/** The events of `$team` since a time, as a query of the `columns` of `e`; `first` bounds the walk over ids. */
export const eventsSinceText = (columns: string, first: string, since: string) =>
  `SELECT ${columns} FROM event e WHERE e.team_id = $team AND e.id >= ${first} AND e.created_at >= ${since}`;

/** The events of all teams from before a time, in the same way. */
export const eventsBeforeText = (columns: string, before: string) => `SELECT ${columns} FROM event e WHERE e.created_at < ${before}`;

/** Drops events, by lists of their teams and ids, where a condition on `e` holds. */
export const dropEventsText = (teams: string, ids: string, condition: string) =>
  `DELETE FROM event e USING unnest(${teams}::uuid[], ${ids}::text[]) AS r(team_id, id)
   WHERE e.team_id = r.team_id AND e.id = r.id AND ${condition}`;

/** Records events of `$type` by lists, `$teams`, `$events`, `$bodies` and `$times`, and answers those that are new. */
export const recordEventsText = `INSERT INTO event (team_id, id, type, body, created_at)
     SELECT team_id, id, $type, body, created_at
     FROM unnest($teams::uuid[], $events::text[], $bodies::bytea[], $times::timestamptz[]) AS e(team_id, id, body, created_at)
     ON CONFLICT DO NOTHING
     RETURNING team_id, id`;

/** Empties the bytes of an event of `$team` for good. */
export const emptyEventText = (id: string) => `UPDATE event SET body = '' WHERE team_id = $team AND id = ${id}`;

/** Writes the bytes of events anew, by lists of their teams and ids; `body` is an expression over `v`. */
export const rewriteEventsText = (teams: string, ids: string, body: string) =>
  `UPDATE event v SET body = ${body} FROM unnest(${teams}::uuid[], ${ids}::text[]) AS e(team_id, id)
   WHERE v.team_id = e.team_id AND v.id = e.id`;
