/** Coming to a team, leaving it and handing it over; what becomes of what a person has made. */
export { type Administration, removeSecondFactor, setTeamSuspended, signOutEverywhere, unlockAccount } from './administration.ts';
export { activeMember, holdMember } from './member-queries.ts';
export { type Made, type MadeBy, lose } from './custody.ts';
export { closeTeam, lockMembers, ownerOfTeam, teamGoesOn, teamIsSuspended } from './move-queries.ts';
export { continueSession, forgetPerson, joinTeam, leaveTeam, proofOfSession, settleAlone } from './moves.ts';
export { ownershipRoutes } from './routes.ts';
