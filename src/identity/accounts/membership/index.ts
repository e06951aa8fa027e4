/** Joining, leaving and transferring a team, and the resources of departed users. */
export { type Administration, removeSecondFactor, setTeamSuspended, signOutEverywhere, unlockAccount } from './administration.ts';
export {
  activeMember,
  fullNameOf,
  lockLeaver,
  lockMember,
  lockMembersAmong,
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
} from './member-queries.ts';
export * as acrossTeams from './search-queries.ts';
export * as guestStatements from './guest-queries.ts';
export * as teamStatements from './team-queries.ts';
export { forgetTeam, issuingTeam, teamAndMember, teamsToErase } from './team-queries.ts';
export { type MadeBy, lose } from './compromised-account.ts';
export type { OrphanedResource } from './orphaned-resources.ts';
export { closeTeam, lockMembers, ownerOfTeam, teamHasLegalHold, teamIsSuspended } from './membership-queries.ts';
export { emitMemberLeft, type EndingAccounts, endMembership, forgetPerson } from './end-membership.ts';
export { ensureTeam, joinTeam, type Joining, listTeams } from './teams-of-person.ts';
export { changeOwner } from './ownership.ts';
export { ownershipRoutes } from './routes.ts';
export { teamRoutes } from './team-routes.ts';
