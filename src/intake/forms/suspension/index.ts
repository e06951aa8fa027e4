/** Suspension: what staff do about an interface that the public should not be shown. */
export { suspensionRoutes } from './routes.ts';
