/** Endpoints of a team: their URL, events, secret and settings. */
export { endpointsMadeBy } from './custody.ts';
export { webhookRoutes } from './routes.ts';
export { sealedEndpointSecrets } from './secrets.ts';
