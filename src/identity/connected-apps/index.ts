import { domain as accounts } from '#accounts';
import { domain as clients } from '#clients';
import { domain as credentials } from '#credentials';
import { createAddressPolicy, createGuardedFetch, domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { connectedAppSettings, resolveConnectedAppsSettings } from './config.ts';
import type { ConnectedApps } from './context.ts';
import { openDocuments } from './documents.ts';
import { readRequest } from './authorization-request.ts';
import { dropUnused } from './jobs.ts';
import { connectedAppRoutes } from './routes.ts';
import { connectedAppTables } from './tables.ts';
import { grants, takeBack } from './tokens.ts';

/**
 * Connected apps act for users at the MCP server. An app registers itself. The user sees its
 * request and allows it. The app then has a session, which ends together with the user’s access.
 */
export const domain = defineDomain({
  name: 'connected-apps',
  // `webhooks` provides connections that reach no addresses inside the operator’s network, because strangers choose the addresses.
  uses: { accounts, credentials, clients, webhooks },
  settings: connectedAppSettings,
  settle: resolveConnectedAppsSettings,
  tables: connectedAppTables,
  description: () => import('./description.ts'),
  open(
    { config, database, masterKey, log },
    { accounts: people, clients: { addGrant, addTakeBack } },
    { CONNECTED_APPS_ALLOW_PRIVATE: allowPrivate },
  ) {
    if (allowPrivate)
      log.warn('CONNECTED_APPS_ALLOW_PRIVATE is on: metadata documents of connected apps may have http and private addresses');
    const guarded = createGuardedFetch({ policy: createAddressPolicy({ allowPrivate, allowCidrs: [] }), timeoutMs: 5_000 });
    const apps: ConnectedApps = {
      accounts: people,
      issuer: config.BASE_URL,
      database,
      requestKey: masterKey.derive('program-requests'),
      document: openDocuments((url) => guarded.fetch(url, { headers: { accept: 'application/json' } }), allowPrivate),
    };
    for (const [name, grant] of grants(apps)) addGrant(name, grant);
    addTakeBack((request, form) => takeBack(apps, request, form));
    return {
      exports: { readRequest: (query: object, ip: string | undefined) => readRequest(apps, query, ip) },
      routes: (app) => connectedAppRoutes(app, apps),
      periodic: [{ name: 'connected-app-drop', cron: '37 * * * *', run: () => dropUnused(database) }],
      close: () => guarded.close(),
    };
  },
});

export type { Answer as AppRequest } from './authorization-request.ts';
export { appUpdated } from './events.ts';
export { appOverMcp, type AppOverMcp } from './over-mcp.ts';
export { changingScopes, offeredScopes, readingScopes, usualScopes } from './scopes.ts';
