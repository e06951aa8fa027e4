/** Signing in at MCP servers elsewhere, and the tokens that come of it. */
export { callbackPath } from './program.ts';
export { endSignInsOf, giveBackJob } from './give-back.ts';
export { signInRoutes } from './routes.ts';
export { readAnswer, type SignInAnswer } from './state.ts';
export { askSignedIn } from './tokens.ts';
