import { sqlStatement, type TeamScopedId } from '../platform/database/statement.ts';

type OfResource = { team: string; type: string; resource: string };
/** A consent: `id` is the API client, `user_id` the member on whose behalf it acts. */
export type ConsentRow = { id: string; user_id: string; created_at: string };

const columns = 'g.principal_id AS id, g.granted_by AS user_id, g.created_at';
// A consent ends when its member leaves the team, even if they join again, and while they are suspended.
const valid = `access_grant g JOIN member m ON m.team_id = g.team_id AND m.id = g.granted_by AND m.created_at <= g.created_at
   WHERE g.team_id = $team AND g.resource_type = $type AND g.resource_id = $resource AND g.source = 'consent'`;

export const listConsents = sqlStatement<OfResource, ConsentRow>(`SELECT ${columns} FROM ${valid} ORDER BY g.created_at, g.id LIMIT 100`);
export const findConsent = sqlStatement<OfResource & { client: string }, ConsentRow>(
  `SELECT ${columns} FROM ${valid} AND g.principal_id = $client`,
);
/** Adds a consent, or replaces one that is no longer valid. Returns no row if 100 exist. */
export const putConsent = sqlStatement<OfResource & TeamScopedId & { client: string; by: string; at: Date }, { created_at: string }>(
  `INSERT INTO access_grant (team_id, id, resource_type, resource_id, principal_type, principal_id, relations, source, granted_by, created_at)
   SELECT $team, $id, $type, $resource, 'client', $client, '{caller}', 'consent', $by, $at
   WHERE (SELECT count(*) FROM access_grant g WHERE g.team_id = $team AND g.resource_type = $type AND g.resource_id = $resource
     AND g.source = 'consent' AND g.principal_id <> $client) < 100
   ON CONFLICT ON CONSTRAINT access_grant_once DO UPDATE SET granted_by = excluded.granted_by, created_at = excluded.created_at
   RETURNING created_at`,
);
export const endConsent = sqlStatement<OfResource & { client: string }, { id: string }>(
  `DELETE FROM access_grant WHERE team_id = $team AND resource_type = $type AND resource_id = $resource AND source = 'consent'
   AND principal_id = $client RETURNING id`,
);
