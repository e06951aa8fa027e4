/** Sign-ins at external MCP servers, and their tokens. */
export { callbackPath } from './client-metadata.ts';
export { endSignInsOf, revokeTokensJob } from './revoke-tokens.ts';
export { signInRoutes } from './routes.ts';
export { readAnswer, type SignInAnswer } from './state.ts';
export { askSignedIn } from './tokens.ts';
