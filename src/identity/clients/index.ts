import { domain as accounts } from '#accounts';
import { domain as credentials } from '#credentials';
import { domain as folders } from '#folders';
import { domain as teams } from '#teams';
import { domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { clientsMadeBy } from './compromised-account.ts';
import { type Grant, openClients, type TakeBack } from './context.ts';
import { dropEndedSecrets } from './jobs.ts';
import { clientLookup } from './status.ts';
import { clientRoutes } from './routes.ts';
import { clientTables } from './tables.ts';

/**
 * API clients: software that acts for a team with a secret and granted scopes. They get access tokens by the
 * client credentials grant. When a client or its secret ends, its tokens are invalid at the next request.
 */
export const domain = defineDomain({
  name: 'clients',
  uses: { accounts, credentials, teams, folders, webhooks },
  tables: clientTables,
  description: () => import('./description.ts'),
  open({ config, database, masterKey }, { accounts: { tokens, ...people }, credentials: { throttle } }) {
    people.askClients(clientLookup(database));
    people.onLoss(clientsMadeBy(tokens));
    const clients = openClients({ tokens, throttle, masterKey, issuer: config.BASE_URL });
    return {
      exports: {
        addGrant: (name: string, grant: Grant) => void clients.grants.set(name, grant),
        addTakeBack: (takeBack: TakeBack) => void clients.takeBacks.push(takeBack),
      },
      routes: (app) => clientRoutes(app, clients),
      periodic: [{ name: 'client-drop', cron: '57 * * * *', run: () => dropEndedSecrets(database) }],
    };
  },
});

export { clientLookup } from './status.ts';
export { clientsNamed } from './queries.ts';
export { confinement, grantable } from './grantable-scopes.ts';
export { knownPolicy } from './approval-policy.ts';
export { clientDeleted, clientUpdated } from './events.ts';
export { mcpClient, type ClientOverMcp } from './over-mcp.ts';
export { parseForm, type Form } from './credentials.ts';
export { clientProblems } from './problems.ts';
export type { IssuedToken } from './schemas.ts';
export type { GrantorScopes } from './policy.ts';
export { resourceMetadata } from './schemas.ts';
