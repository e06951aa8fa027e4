import { domain as accounts } from '#accounts';
import { domain as journal } from '#journal';
import { domain as teams } from '#teams';
import { defineDomain } from '../platform/domain.ts';
import { accessListener, roleListener } from './listeners.ts';
import { groupRoutes } from './routes.ts';
import { seatRoutes } from './seat-routes.ts';
import { openSeat } from './seats.ts';
import { accessTables } from './tables.ts';

/** Access inside a team: the access model with its rules, grants, and groups of members. */
export const domain = defineDomain({
  name: 'access',
  uses: { accounts, journal, teams },
  tables: accessTables,
  description: () => import('./description.ts'),
  subscribes: { usual: [accessListener, roleListener] },
  open(_platform, seats) {
    seats.teams.openSeats((scope, auditor) => openSeat(seats, scope, auditor));
    return {
      exports: undefined,
      routes(app) {
        groupRoutes(app);
        seatRoutes(app, seats);
      },
    };
  },
});

export { can, relationsFor, type Relations } from './can.ts';
export { groupDeleted, groupMemberRemoved, groupMembersRemoved, sharedMembers, sharingActs, unsharedMembers } from './events.ts';
export {
  changeDirectoryGroupMembers,
  createDirectoryGroup,
  deleteDirectoryGroup,
  joinDirectoryGroups,
  releaseDirectoryGroups,
  renameDirectoryGroup,
} from './directory-groups.ts';
export { consentsOf, consentTo, endConsent, putConsent } from './consents.ts';
export { groupNames, lockBarrierGroups, lockGroupsShared, keepGroup } from './groups.ts';
export { grantsEndForOwner } from './listeners.ts';
export {
  type ImmediateAccessParams,
  immediateAccessParamsOf,
  barrierIsThere,
  grantedDocuments,
  isBehindBarrier,
  isOpen,
  isSettled,
  noBarrier,
  type View,
  type Viewer,
  viewerOf,
  viewOf,
  viewSql,
} from './list-queries.ts';
export * as barriers from './barrier-queries.ts';
export { type BarrierChange, type EmergencyRow, insideOf } from './barrier-queries.ts';
export {
  accessTo,
  accessToContained,
  audienceOf,
  type ContainedAccess,
  type Facts,
  factsAreThere,
  type ResourceName,
  type PrincipalFilter,
  callerOf,
  levelOf,
  type ResourceAccess,
  teamLevelOf,
  relationsOf,
  viewable,
} from './resource-access.ts';
export {
  type AccessList,
  accessList,
  type Grant,
  grant,
  principal,
  type Revoke,
  revokedGrant,
  type RevokedGrant,
  revokeQuery,
  shareBody,
  type ShareBody,
  shownPrincipal,
} from './schemas.ts';
export {
  accessListOf,
  findGrant,
  grantToCreator,
  personsOf,
  presentGrant,
  principalOf,
  putShare,
  refuseOneself,
  revokeShare,
  sharesOf,
} from './shares.ts';
export { endGrants, endTaskGrants, endTaskGrantsTo, grantByTask } from './task-grants.ts';
export { openSharing, sharingOf } from './sharing.ts';
export { sharingRoutes } from './sharing-routes.ts';
export { resourceQueries } from './resource-queries.ts';
export { type GrantRow, sharesReaching } from './queries.ts';
