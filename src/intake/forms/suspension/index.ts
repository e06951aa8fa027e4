/** Suspension of forms by staff. */
export { suspensionRoutes } from './routes.ts';
