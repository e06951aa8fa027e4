/** Legal holds: what one stands on is deleted by nobody until it is lifted. */
export { holdRoutes } from './routes.ts';
export { holdShown, refuseUnderHold, refuseUnderHoldLocked } from './refuse.ts';
