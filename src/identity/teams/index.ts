import { domain as accounts } from '#accounts';
import { defineDomain } from '../../platform/domain.ts';
import { sponsorListener } from './guests.ts';
import { open } from './open.ts';
import { teamTables } from './tables.ts';

/**
 * Teams: name and time zone, members with their roles, and invitations by mail. A user can be a member of several teams. The resources of a user who
 * leaves or is removed go to a successor.
 */
export const domain = defineDomain({
  name: 'teams',
  uses: { accounts },
  tables: teamTables,
  description: () => import('./description.ts'),
  subscribes: { usual: [sponsorListener] },
  open,
});

export {
  activeMember,
  fullNameOf,
  lockLeaver,
  lockMember,
  lockMembersAmong,
  issuingTeam,
  managersOf,
  localeOfTeam,
  managerContacts,
  memberRemoved,
  membersAmong,
  membersByAddress,
  memberContacts,
  memberContact,
  namesOf,
  ownerOfTeam,
  type TaskMailContact,
  teamAndMember,
  taskMailContacts,
  zoneOfTeam,
} from '#accounts';
export type { OpenTeams } from './open.ts';
export { endInvitationsBy } from './compromised-account.ts';
export { memberReactivated, memberRoleChanged, memberSuspended } from './events.ts';
export { sendInvitation, withdrawInvitation } from './invitations.ts';
export { changeMembership, offboard, removeMember } from './members.ts';
export { pendingInvitation } from './invitation-queries.ts';
export { teamProblems } from './problems.ts';
export { invitation as invitationSchema, type Invitation, type Seat, seatMembers } from './schemas.ts';
export { changeQuotas, type QuotaChanges } from './quotas.ts';
