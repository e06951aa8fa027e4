/** OpenID Connect: authorization requests, ID tokens, and logout by the provider. */
export { authorizationRequest } from './authorize.ts';
export { endAtProvider } from './backchannel-logout.ts';
export { answers, complete, takeState } from './complete.ts';
