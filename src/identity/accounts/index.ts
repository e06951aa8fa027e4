import { domain as credentials } from '#credentials';
import { domain as keys } from '#keys';
import { defineDomain } from '../../platform/domain.ts';
import { accountSettings, resolveAccountsSettings } from './config.ts';
import { open } from './open.ts';
import { sealedFactors } from './two-factor/index.ts';
import { accountTables } from './tables.ts';

/**
 * Accounts: registration with confirmation, sign-in by password, sessions with rotating refresh tokens,
 * profile and password. Access tokens can be verified offline, and end at once with their session.
 */
export const domain = defineDomain({
  name: 'accounts',
  uses: { credentials, keys },
  settings: accountSettings,
  settle: resolveAccountsSettings,
  tables: accountTables,
  description: () => import('./description.ts'),
  sealed: sealedFactors,
  open,
});

export type { OpenAccounts } from './open.ts';
export {
  type AccessTokens,
  createAccessTokens,
  type LiveClient,
  type TokenClaims,
  type TokenUse,
  isMcpResource,
  mcpResource,
  ownClient,
  endChallengesThrough,
  endMemberSessions,
  endSessionsAtProvider,
  endSessionsThrough,
  forgetIdentities,
  type Federated,
  conflictOf,
  linkFederated,
  recordConflict,
  signInFederated,
  unlinkFederated,
  requireOwnProof,
  reachOfSignIn,
  requireOwnSignIn,
  requireRecentSignIn,
  openSignInHere,
  type SignInForPages,
  endAppSession,
  sessionOfToken,
  scopesWithinRole,
  type AppTokens,
  activeAppSessions,
  openAppSession,
  findConsentingAccount,
  renewAppSession,
  takeUpSession,
  type Device,
  type SignedIn,
} from './sign-in/index.ts';
export { memberJoined, memberRemoved, teamClosed } from './events.ts';
export {
  activeMember,
  fullNameOf,
  lockLeaver,
  lockMembersAmong,
  issuingTeam,
  managersOf,
  managerContacts,
  type Member,
  membersAmong,
  membersByAddress,
  memberContacts,
  memberContact,
  namesOf,
  usersNamed,
  ownerContact,
  type TaskMailContact,
  taskMailContacts,
  localeOfTeam,
  zoneOfTeam,
  acrossTeams,
  guestStatements,
  teamStatements,
  forgetTeam,
  teamAndMember,
  teamsToErase,
  lockMember,
  type Administration,
  removeSecondFactor,
  setTeamSuspended,
  signOutEverywhere,
  unlockAccount,
  lose,
  type OrphanedResource,
  type MadeBy,
  changeOwner,
  closeTeam,
  lockMembers,
  ownerOfTeam,
  teamHasLegalHold,
  teamIsSuspended,
  emitMemberLeft,
  type EndingAccounts,
  endMembership,
  ensureTeam,
  forgetPerson,
  joinTeam,
  type Joining,
  listTeams,
} from './membership/index.ts';
export { type Accounts, type DirectoryLookup, type InvitationWaits } from './context.ts';
export { type EmailAddress, parseEmail } from './emails.ts';
export {
  changeManagedPerson,
  createTeamByOperator,
  type TeamByOperator,
  type TeamDraft,
  provisionMember,
  type Provisioned,
  accountExists,
  dropRegistrations,
  enrol,
  checkPerson,
  cleanPersonName,
  emailOf,
  refused,
} from './registration/index.ts';
export { personByEmail } from './queries.ts';
export { passwordError } from './passwords/index.ts';
export { accountProblems } from './problems.ts';
export { cleanTimeZone } from './profile/index.ts';
export { accountMail } from './mails.ts';
export { hasEnd, isRole, knownScopes, managers, type Role, mayAutomate, scopesOfRole } from './roles.ts';
export * as accountSchemas from './schemas.ts';
