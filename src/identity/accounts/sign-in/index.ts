/** Signing in and staying signed in: passwords, providers, sessions, access and refresh tokens, the step-up. */
export {
  type AccessTokens,
  type LiveClient,
  type TokenClaims,
  type TokenUse,
  createAccessTokens,
  isMcpResource,
  mcpResource,
  ownClient,
} from './access-tokens.ts';
export { endSessions, endChallengesThrough, endSessionsThrough } from './credentials.ts';
export { conflictOf, type Federated, linkFederated, noteConflict, signInFederated, unlinkFederated } from './federation.ts';
export { forgetIdentities } from './federation-queries.ts';
export { type Device, type SignedIn } from './open-session.ts';
export {
  endAppSession,
  sessionOfToken,
  scopesWithinRole,
  type AppTokens,
  activeAppSessions,
  openAppSession,
  findConsentingAccount,
  renewAppSession,
  takeUpSession,
} from './connected-apps.ts';
export { type SignInForPages, signInForPages } from './for-pages.ts';
export { requireRecentSignIn } from './reauthentication.ts';
export { identityRoutes } from './identity-routes.ts';
export { signInRoutes } from './routes.ts';
