// Parts of the statements of other domains, which ask here who is a member, and when somebody came or left. `$team` is the team.

/** The active members of the team, as a query of the `columns` of a person `a`. */
export const membersText = (columns: string) =>
  `SELECT ${columns} FROM account a WHERE a.team_id = $team AND a.status = 'active' AND a.deleted_at IS NULL`;

/** The active member whom `id`, an expression, names, in the same way; no row for anybody else. */
export const memberText = (columns: string, id: string) =>
  `SELECT ${columns} FROM account a WHERE a.team_id = $team AND a.id = ${id} AND a.status = 'active' AND a.deleted_at IS NULL`;

/** The same of whoever it names, active, suspended or gone. */
export const personText = (columns: string, id: string) => `SELECT ${columns} FROM account a WHERE a.team_id = $team AND a.id = ${id}`;

/** Whether a person has left a team since a time, also when they have come back, which counts as joining anew: a condition. */
export const leftSinceText = (team: string, person: string, time: string) => `EXISTS (
    SELECT FROM account maker WHERE maker.team_id = ${team} AND maker.id = ${person}
      AND (maker.deleted_at IS NOT NULL OR maker.created_at > ${time}))`;

/** The address of a person, as addresses are compared: an expression. */
export const addressKeyText = (id: string) => `(SELECT email_key FROM account WHERE team_id = $team AND id = ${id})`;

/** How many are in the team: an expression. */
export const memberCountText = '(SELECT count(*) FROM account WHERE team_id = $team AND deleted_at IS NULL)';

/** Whether API clients of a team wait for a successor when who answers for them leaves it: a condition. */
export const clientsWaitText = (team: string) => `EXISTS (SELECT FROM team t WHERE t.team_id = ${team} AND t.clients_await_takeover)`;
