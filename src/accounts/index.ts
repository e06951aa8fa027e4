/**
 * Accounts: registration with confirmation, sign-in by password, sessions with rotating refresh tokens, profile and
 * password. Access tokens verify offline and end at once when their session does.
 */
export { type AccessTokens, createAccessTokens } from './access-tokens.ts';
export { memberJoined } from './acts.ts';
export { setRefreshCookie } from './cookies.ts';
export { type AccountDeps, type Accounts, openAccounts, type TakeInvitation } from './deps.ts';
export { accountExists, dropRegistrations, enrol } from './enrol.ts';
export { dropExpiredSignIns } from './jobs.ts';
export { compose as composeMail, type MailText } from './mails.ts';
export { lockMembers } from './move-queries.ts';
export { continueSession, forgetPerson, joinTeam, leaveTeam, proofOfSession, settleAlone } from './moves.ts';
export { accountProblems } from './problems.ts';
export { isTimeZone } from './profile.ts';
export { endSessions } from './refresh.ts';
export { checkPerson, emailOf } from './register.ts';
export { isRole, type Role } from './roles.ts';
export { accountRoutes } from './routes.ts';
export { loginUser, signedIn } from './schemas.ts';
export type { Device, SignedIn } from './sign-in.ts';
