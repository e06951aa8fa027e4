/** Workers that claim what is due, fairly over teams and endpoints, and write what came of it. */
export { WebhookEngine } from './engine.ts';
export { disableDeadEndpoint, readDeliveryQueue, sweepQueue } from './jobs.ts';
