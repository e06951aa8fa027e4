import { domain as accounts } from '#accounts';
import { domain as credentials } from '#credentials';
import { defineDomain } from '../platform/domain.ts';
import { clientTables } from './tables.ts';

/**
 * API clients: programs that act in a team's name, with a secret of their own and the scopes they were given. They get
 * access tokens by the client credentials grant; with the client or its secret end its tokens, on the next request.
 */
export const domain = defineDomain({
  name: 'clients',
  uses: [accounts, credentials],
  tables: clientTables,
  description: () => import('./description.ts'),
});

export { clientsMadeBy } from './custody.ts';
export type { ClientDeps } from './deps.ts';
export { dropEndedSecrets } from './jobs.ts';
export { clientLookup } from './live.ts';
export { clientRoutes } from './routes.ts';
