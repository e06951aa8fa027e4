/** Endpoints of a team: URL, events, secret and settings. */
export { lockForCallback, isSignedBy, mayAsk, namedEndpoints, type SignedAnswer } from './callback.ts';
export { webhookRoutes } from './routes.ts';
export { endpointSecrets, sealedEndpointSecrets } from './secrets.ts';
export { deleteEndpointsOf, endpointsMadeBy } from './service.ts';
