import { defineDomain } from '../platform/domain.ts';
import { webhookTables } from './tables.ts';

/**
 * Webhooks: endpoints that receive a team's events, signed, at least once, with a log of each attempt. Events are queued
 * in the transaction that causes them; any number of workers claim and send them.
 */
export const domain = defineDomain({ name: 'webhooks', uses: [], tables: webhookTables, description: () => import('./description.ts') });

export { createAddressPolicy } from './addresses.ts';
export { endpointsMadeBy } from './custody.ts';
export { createWebhookEngine } from './engine.ts';
export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
export { dropOldDeliveries } from './log-jobs.ts';
export { webhookBulkListener, webhookListener } from './listeners.ts';
export { createResolver, createTextLookup } from './resolver.ts';
export { presentCatalogue } from './present.ts';
export { parseSchedule } from './retry.ts';
export { type WebhookDeps, webhookRoutes } from './routes.ts';
export { sealedEndpointSecrets } from './secrets.ts';
export { createSender } from './sender.ts';
export { checkEndpointUrl } from './urls.ts';
