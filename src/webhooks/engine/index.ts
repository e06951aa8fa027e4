/** Workers that claim what is due, fairly over teams and endpoints, and write what came of it. */
export { createWebhookEngine } from './engine.ts';
export { readDeliveryQueue } from './jobs.ts';
