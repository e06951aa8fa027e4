import { sqlStatement } from '../platform/database/statement.ts';

/**
 * Whether an endpoint may get events that a scope opens: the team's own may, an API client's while the client is switched on,
 * holds that scope and is not confined to folders, and while the token that last pointed the endpoint somewhere held it too.
 *
 * @param row a row of `webhook_endpoint`
 * @param scope the scope, as an expression
 */
export const mayGetText = (row: string, scope = '$scope') => `(${row}.client_id IS NULL OR (
    (${row}.scopes IS NULL OR ${scope} = ANY (${row}.scopes)) AND EXISTS (
      SELECT FROM client_that_gets(${row}.team_id, ${row}.client_id, ${scope})
    )))`;

/** Of these scopes, those whose events an endpoint may get now. */
export const scopesOpenTo = sqlStatement<{ team: string; endpoint: string; scopes: readonly string[] }, { scope: string }>(
  `SELECT s.scope FROM unnest($scopes::text[]) AS s(scope), webhook_endpoint e
   WHERE e.team_id = $team AND e.id = $endpoint AND ${mayGetText('e', 's.scope')}`,
);
