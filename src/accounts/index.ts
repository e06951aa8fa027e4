/**
 * Accounts: registration with confirmation, sign-in by password, sessions with rotating refresh tokens, profile and
 * password. Access tokens verify offline and end at once when their session does.
 */
export { type AccessTokens, accessTokenSeconds, createAccessTokens, type LiveClient, type TokenClaims } from './access-tokens.ts';
export type { AccountDeps } from './deps.ts';
export { dropExpiredSignIns } from './jobs.ts';
export { type Administration, removeSecondFactor, setTeamSuspended, signOutEverywhere, unlockAccount } from './administration.ts';
export { parseEmail } from './emails.ts';
export { passwordFault } from './passwords.ts';
export { accountProblems } from './problems.ts';
export { cleanPersonName, emailOf, refused } from './register.ts';
export { accountRoutes } from './routes.ts';
export * as accountSchemas from './schemas.ts';
export { knownScopes } from './roles.ts';
export { createThrottle, type Throttle } from './throttle.ts';
