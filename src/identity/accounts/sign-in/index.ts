/** Sign-in by password and provider, sessions, access and refresh tokens, and reauthentication. */
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
export { endChallengesThrough, endMemberSessions, endSessionsThrough } from './credentials.ts';
export {
  conflictOf,
  endSessionsAtProvider,
  type Federated,
  linkFederated,
  recordConflict,
  signInFederated,
  unlinkFederated,
} from './federation.ts';
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
export { reachOfSignIn } from './credential-queries.ts';
export { requireOwnProof, requireOwnSignIn, requireRecentSignIn } from './reauthentication.ts';
export { identityRoutes } from './identity-routes.ts';
export { signInRoutes } from './routes.ts';
export { openSignInHere } from './switch-team.ts';
