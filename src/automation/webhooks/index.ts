import { domain as accounts } from '#accounts';
import { domain as keys } from '#keys';
import { defineDomain } from '../../platform/domain.ts';
import { resolveWebhooksSettings, webhookSettings } from './config.ts';
import { webhookBulkListener, webhookListener } from './listeners.ts';
import { open } from './open.ts';
import { presentCatalogue } from './present.ts';
import { sealedEndpointSecrets } from './endpoints/index.ts';
import { webhookTables } from './tables.ts';

/**
 * Webhooks: signed events for the endpoints of a team, delivered at least once, with a log of each attempt. Events are queued in the transaction
 * that causes them; any number of workers claim and send them.
 */
export const domain = defineDomain({
  name: 'webhooks',
  uses: { accounts, keys },
  settings: webhookSettings,
  settle: resolveWebhooksSettings,
  tables: webhookTables,
  description: () => import('./description.ts'),
  sealed: sealedEndpointSecrets,
  subscribes: { first: [webhookListener] },
  subscribesBulk: [webhookBulkListener],
  sends: presentCatalogue,
  open,
});

export { deliveryStates, failedDeliveries, sendToOne } from './deliveries/index.ts';
export { endpointDeleted } from './events.ts';
export { deleteEndpointsOf, lockForCallback, mayAsk, namedEndpoints, type SignedAnswer } from './endpoints/index.ts';
export type { OpenWebhooks } from './open.ts';
export { errorCode } from './sending/send-errors.ts';
export {
  type AddressPolicy,
  createAddressPolicy,
  createGuardedFetch,
  createGuardedStream,
  type GuardedFetch,
  type GuardedStream,
  createResolver,
  createTextLookup,
  checkEndpointUrl,
} from './addresses/index.ts';
