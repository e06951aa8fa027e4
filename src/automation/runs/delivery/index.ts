/** What came of a run of a job, for whoever the job names: an endpoint, or a person. */
export { deliverLater, deliveryJob } from './delivery-jobs.ts';
export { readDelivery } from './settings.ts';
export { whatWasTold } from './delivery-result.ts';
