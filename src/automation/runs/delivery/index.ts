/** Delivers the result of a run to the endpoint or the person in the settings of its job. */
export { deliverLater, deliveryJob } from './delivery-jobs.ts';
export { readDelivery } from './settings.ts';
export { deliveriesOf } from './delivery-result.ts';
