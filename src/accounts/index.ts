/**
 * Accounts: registration with confirmation, sign-in by password, sessions with rotating refresh tokens, profile and
 * password. Access tokens verify offline and end at once when their session does.
 */
export { type AccessTokens, accessTokenSeconds, createAccessTokens, type LiveClient, type TokenClaims } from './access-tokens.ts';
export type { AccountDeps } from './deps.ts';
export { dropExpiredSignIns } from './jobs.ts';
export { knownScopes } from './roles.ts';
export { accountRoutes } from './routes.ts';
export { createThrottle, type Throttle } from './throttle.ts';
