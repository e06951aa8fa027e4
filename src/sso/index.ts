import { domain as accounts } from '#accounts';
import { defineDomain } from '../platform/domain.ts';
import { ssoTables } from './tables.ts';

/**
 * Single sign-on: a team's connections to OpenID Connect providers, the domains it has shown to be its own, and signing in
 * through a provider. Who a person is at a provider is kept by the accounts.
 */
export const domain = defineDomain({ name: 'sso', uses: [accounts], tables: ssoTables, description: () => import('./description.ts') });

export { connectionsMadeBy } from './custody.ts';
export { sealedConnections } from './connections.ts';
export type { SsoDeps } from './deps.ts';
export { dropSpentStates } from './jobs.ts';
export { ssoRoutes } from './routes.ts';
