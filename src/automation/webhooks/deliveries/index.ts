/** The log of deliveries and their attempts, and retries. */
export { dropOldDeliveries } from './log-jobs.ts';
export { deliveryStates } from './queries.ts';
export { failedDeliveries } from './service.ts';
export { sendToOne } from './send-to-endpoint.ts';
