/** Workers that claim due deliveries, fairly among teams and endpoints, and write the results. */
export { WebhookEngine } from './engine.ts';
export { disableDeadEndpoint, readDeliveryQueue, cleanQueue } from './jobs.ts';
