/** Workers that claim what is due, fairly over teams and endpoints, and write what came of it. */
export { WebhookEngine } from './engine.ts';
export { readDeliveryQueue } from './jobs.ts';
