import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';

const role = Type.String();

// The accounts domain also emits `member.joined` and `member.removed`, because it adds and removes members.
export const memberInvited = defineEvent({
  type: 'member.invited',
  target: 'invitation',
  scope: 'team:read',
  description: 'A user was invited to join the team.',
  data: Type.Object({ role }),
  example: { role: 'member' },
});
export const memberRoleChanged = defineEvent({
  type: 'member.role_changed',
  target: 'user',
  scope: 'team:read',
  description: 'A member’s role in the team changed.',
  data: Type.Object({ from: role, to: role }),
  example: { from: 'member', to: 'admin' },
});

export const policyChanged = defineAuditAction('team.policy_changed', 'team', {
  secondFactor: Type.Boolean(),
  sessionHours: Type.Optional(Type.Integer()),
  guestDaysMax: Type.Integer(),
  guestDomains: Type.Array(Type.String()),
  membersMaySponsor: Type.Boolean(),
});

export const quotaExceeded = defineEvent({
  type: 'quota.exceeded',
  target: 'quota',
  scope: 'team:read',
  description: 'A quota of the team is used up. Further usage is rejected or delayed. Sent at most once an hour for each quota.',
  data: Type.Object({ name: Type.String(), used: Type.Integer(), limit: Type.Integer() }),
  example: { name: 'documents', used: 1_000_000, limit: 1_000_000 },
});
/** Staff changed the quotas of a team. */
export const quotasChanged = defineAuditAction('team.quotas_changed', 'team', {
  quotas: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.String({ description: '`default`: the default of the service' })])),
  reason: Type.String(),
});

export const memberSuspended = defineEvent({
  type: 'member.suspended',
  target: 'user',
  scope: 'team:read',
  description: 'A member was suspended. Their sessions ended. They cannot sign in until an administrator reactivates them.',
  data: Type.Object({ role }),
  example: { role: 'member' },
});
export const memberEnded = defineEvent({
  type: 'member.ended',
  target: 'user',
  scope: 'team:read',
  description: 'The membership of a guest or auditor reached its end. `successorId` received their tasks and documents.',
  data: Type.Object({ role, successorId: Type.String() }),
  example: { role: 'guest', successorId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11' },
});
/** A guest or auditor has another end. */
export const memberEndChanged = defineAuditAction('member.end_changed', 'user', {
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
});
/** A guest has another sponsor. */
export const sponsorChanged = defineAuditAction('member.sponsor_changed', 'user', {
  from: Type.Optional(Type.String()),
  to: Type.String(),
});
export const workDiscarded = defineAuditAction('member.work_discarded', 'user', discardedMembers);
export const addressReleased = defineAuditAction('member.address_released', 'user');
export const addressBound = defineAuditAction('member.address_bound', 'user');
export const memberReactivated = defineAuditAction('member.reactivated', 'user');
export const invitationResent = defineAuditAction('invitation.resent', 'invitation');
export const invitationRevoked = defineAuditAction('invitation.revoked', 'invitation');
export const teamUpdated = defineAuditAction('team.updated', 'team', { members: Type.Array(Type.String()) });
