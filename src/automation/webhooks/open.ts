import type { OpenAccounts } from '#accounts';
import { type KeyRing, publicSigner } from '#keys';
import type { Transaction } from '../../platform/database/database.ts';
import type { OpenedDomain, Platform, Worker } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { type AddressPolicy, createAddressPolicy, createResolver } from './addresses/index.ts';
import type { WebhookConfig } from './config.ts';
import { endpointSecrets, endpointsMadeBy, isSignedBy, type SignedAnswer, webhookRoutes } from './endpoints/index.ts';
import { disableDeadEndpoint, readDeliveryQueue, cleanQueue, WebhookEngine } from './engine/index.ts';
import { dropOldDeliveries } from './deliveries/index.ts';
import { createSender } from './sending/index.ts';

/** Creates the worker that sends queued deliveries while the process runs. */
function deliveryWorker(
  { database, listener, masterKey, log, tracer }: Platform,
  policy: AddressPolicy,
  keys: KeyRing,
  config: WebhookConfig,
): Worker {
  return {
    name: 'webhook-deliveries',
    async start() {
      const sender = createSender({
        policy,
        timeoutMs: config.WEBHOOK_TIMEOUT_SECONDS * 1000,
        ...(config.WEBHOOKS_CA_FILE === undefined ? {} : { ca: config.WEBHOOKS_CA_FILE }),
        ...(config.WEBHOOKS_DNS_SERVERS.length === 0 ? {} : { resolve: createResolver(config.WEBHOOKS_DNS_SERVERS) }),
      });
      const engine = new WebhookEngine({
        database,
        listener,
        sender,
        masterKey,
        signPublicly: publicSigner(keys, 'webhook'),
        log,
        tracer,
        leaseSeconds: config.WEBHOOK_LEASE_SECONDS,
        ...(config.WEBHOOK_RETRY_SCHEDULE === undefined ? {} : { schedule: config.WEBHOOK_RETRY_SCHEDULE }),
      });
      await engine.start();
      return async () => {
        await engine.stop();
        await sender.close();
      };
    },
  };
}

/** The functions for domains that receive callbacks of endpoints. */
export type OpenWebhooks = {
  /** Whether an endpoint has signed a callback. */
  isSignedBy(scope: { db: Transaction; team: string }, endpoint: string, answer: SignedAnswer): Promise<boolean>;
};

export function open(
  platform: Platform,
  { accounts, keys }: { accounts: OpenAccounts; keys: KeyRing },
  config: WebhookConfig,
): OpenedDomain<OpenWebhooks> {
  const { database, listeners, masterKey, log, clock } = platform;
  const policy = createAddressPolicy({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE, allowCidrs: config.WEBHOOKS_ALLOW_CIDRS });
  if (config.WEBHOOKS_ALLOW_PRIVATE) log.warn('WEBHOOKS_ALLOW_PRIVATE is on: webhooks may reach http and private addresses');
  const secrets = endpointSecrets(masterKey);
  accounts.onLoss(endpointsMadeBy);
  return {
    exports: { isSignedBy: (scope, endpoint, answer) => isSignedBy(scope, secrets, endpoint, answer) },
    routes: (app) => webhookRoutes(app, { masterKey, policy }),
    readQueues: () => readDeliveryQueue(database),
    jobs: [openJob(disableDeadEndpoint, { database, clock, listeners })],
    workers: [deliveryWorker(platform, policy, keys, config)],
    periodic: [
      { name: 'delivery-sweep', cron: '* * * * *', run: () => cleanQueue(database) },
      { name: 'delivery-drop', cron: '47 3 * * *', run: ({ now }) => dropOldDeliveries(database, now) },
    ],
  };
}
