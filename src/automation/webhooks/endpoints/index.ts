/** Endpoints of a team: their URL, events, secret and settings. */
export { holdToAsk, isSignedBy, mayAsk, type SignedAnswer } from './callback.ts';
export { endpointsMadeBy } from './compromised-account.ts';
export { webhookRoutes } from './routes.ts';
export { endpointSecrets, sealedEndpointSecrets } from './secrets.ts';
export { deleteEndpointsOf } from './service.ts';
