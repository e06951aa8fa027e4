/** The log of deliveries and their attempts, and what sends one again. */
export { dropOldDeliveries } from './log-jobs.ts';
export { deliveryStates } from './queries.ts';
export { sendToOne } from './send-to-endpoint.ts';
