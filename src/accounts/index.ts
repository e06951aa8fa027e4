import { domain as credentials } from '#credentials';
import { domain as keys } from '#keys';
import { defineDomain } from '../platform/domain.ts';
import { accountSettings, settleAccounts } from './config.ts';
import { open } from './opening.ts';
import { sealedFactors } from './second-factor.ts';
import { accountTables } from './tables.ts';

/**
 * Accounts: registration with confirmation, sign-in by password, sessions with rotating refresh tokens, profile and
 * password. Access tokens verify offline and end at once when their session does.
 */
export const domain = defineDomain({
  name: 'accounts',
  uses: { credentials, keys },
  settings: accountSettings,
  settle: settleAccounts,
  tables: accountTables,
  description: () => import('./description.ts'),
  sealed: sealedFactors,
  open,
});

export type { OpenAccounts } from './opening.ts';
export { type AccessTokens, createAccessTokens, type LiveClient, type TokenClaims } from './access-tokens.ts';
export { memberJoined, memberRemoved, teamClosed } from './acts.ts';
export { type Administration, removeSecondFactor, setTeamSuspended, signOutEverywhere, unlockAccount } from './administration.ts';
export { endSessions, endSessionsThrough } from './credentials.ts';
export { type Accounts, type InvitationWaits } from './deps.ts';
export { lose, type Made, type MadeBy } from './custody.ts';
export { parseEmail } from './emails.ts';
export { accountExists, dropRegistrations, enrol } from './enrol.ts';
export { type Federated, signInFederated } from './federation.ts';
export { requireRecentSignIn } from './step-up.ts';
export { closeTeam, lockMembers } from './move-queries.ts';
export { continueSession, forgetPerson, joinTeam, leaveTeam, proofOfSession, settleAlone } from './moves.ts';
export { passwordFault } from './passwords.ts';
export { accountProblems } from './problems.ts';
export { cleanTimeZone } from './profile.ts';
export { accountMail } from './mails.ts';
export { checkPerson, cleanPersonName, emailOf, refused } from './register.ts';
export { isRole, knownScopes, managers, type Role } from './roles.ts';
export * as accountSchemas from './schemas.ts';
export type { Device, SignedIn } from './sign-in.ts';
