import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

const role = Type.String();

// `member.joined` and `member.removed` are announced by accounts too, where people come and go.
export const memberInvited = defineEvent({
  type: 'member.invited',
  target: 'invitation',
  scope: 'team:read',
  description: 'Somebody was invited to join the team.',
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

export const quotaExceeded = defineEvent({
  type: 'quota.exceeded',
  target: 'quota',
  scope: 'team:read',
  description: 'A quota of the team is used up. Further usage is rejected or delayed. Said at most once an hour for each quota.',
  data: Type.Object({ name: Type.String(), used: Type.Integer(), limit: Type.Integer() }),
  example: { name: 'documents', used: 1_000_000, limit: 1_000_000 },
});
/** Staff changed what a team may have at most. */
export const quotasChanged = defineAuditAction('team.quotas_changed', 'team', {
  quotas: Type.Record(
    Type.String(),
    Type.Union([Type.Integer(), Type.String({ description: '`default`: what the service gives every team' })]),
  ),
  reason: Type.String(),
});

export const memberSuspended = defineEvent({
  type: 'member.suspended',
  target: 'user',
  scope: 'team:read',
  description: 'A member was suspended: their sessions are over, and they come back when somebody says so.',
  data: Type.Object({ role }),
  example: { role: 'member' },
});
export const addressReleased = defineAuditAction('member.address_released', 'user');
export const addressBound = defineAuditAction('member.address_bound', 'user');
export const memberReactivated = defineAuditAction('member.reactivated', 'user');
export const invitationResent = defineAuditAction('invitation.resent', 'invitation');
export const invitationRevoked = defineAuditAction('invitation.revoked', 'invitation');
export const teamUpdated = defineAuditAction('team.updated', 'team', { members: Type.Array(Type.String()) });
