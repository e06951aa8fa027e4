/** Suspension of interfaces by staff. */
export { suspensionRoutes } from './routes.ts';
