/** Legal holds. A resource under a hold cannot be deleted until the hold is lifted. */
export { holdRoutes } from './routes.ts';
export { legalHoldShown, refuseUnderHold, refuseUnderHoldLocked } from './refuse.ts';
