/** Coming to a team, leaving it and handing it over; what becomes of what a person has made. */
export { type Administration, removeSecondFactor, setTeamSuspended, signOutEverywhere, unlockAccount } from './administration.ts';
export {
  activeMember,
  fullNameOf,
  holdLeaver,
  holdMember,
  holdMembersAmong,
  managersOf,
  managerContacts,
  type Member,
  membersAmong,
  membersByAddress,
  memberContacts,
  memberContact,
  namesOf,
  ownerContact,
  type TaskMailContact,
  taskMailContacts,
  zoneOfTeam,
} from './member-queries.ts';
export * as acrossTeams from './search-queries.ts';
export * as teamStatements from './team-queries.ts';
export { forgetTeam, issuingTeam, teamAndMember, teamsToErase } from './team-queries.ts';
export { type MadeBy, lose } from './compromised-account.ts';
export type { OrphanedResource } from './orphaned-resources.ts';
export { closeTeam, lockMembers, ownerOfTeam, teamHasLegalHold, teamIsSuspended } from './team-transfer-queries.ts';
export { announceLeaving, continueSession, forgetPerson, joinTeam, leaveTeam, proofOfSession, settleAlone } from './team-transfer.ts';
export { ownershipRoutes } from './routes.ts';
