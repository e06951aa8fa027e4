import { sqlStatement } from '../../platform/database/statement.ts';

/** Of these scopes, those whose events an endpoint may get now. */
export const scopesOpenTo = sqlStatement<{ team: string; endpoint: string; scopes: readonly string[] }, { scope: string }>(
  `SELECT s.scope FROM unnest($scopes::text[]) AS s(scope), webhook_endpoint e
   WHERE e.team_id = $team AND e.id = $endpoint AND endpoint_gets($team, e.client_id, e.scopes, s.scope)`,
);
