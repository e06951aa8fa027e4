import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

const proven = { amr: Type.Array(Type.String({ description: 'Authentication methods (RFC 8176)' })) };

export const userRegistered = defineAuditAction('user.registered', 'user');
export const emailVerified = defineAuditAction('user.email_verified', 'user');
export const loginSucceeded = defineAuditAction('login.succeeded', 'session', proven);
export const newDevice = defineAuditAction('login.new_device', 'user');
export const loginFailed = defineAuditAction('login.failed', 'user');
export const sessionRevoked = defineAuditAction('session.revoked', 'session');
export const loggedOut = defineAuditAction('logout', 'session');
/** The sessions of a user through a provider ended, because the user signed out there or their account there ended. */
export const loggedOutAtProvider = defineAuditAction('logout.at_provider', 'user', { connectionId: Type.String() });
export const tokenReused = defineAuditAction('token.reused', 'session');
export const profileUpdated = defineAuditAction('profile.updated', 'user', { members: Type.Array(Type.String()) });
export const passwordChanged = defineAuditAction('password.changed', 'user');
export const resetRequested = defineAuditAction('password.reset_requested', 'user');
export const challengeIssued = defineAuditAction('challenge.issued', 'user');
export const challengeFailed = defineAuditAction('challenge.failed', 'user');
export const backupCodeUsed = defineAuditAction('twofactor.backup_used', 'user');
export const setupStarted = defineAuditAction('twofactor.setup_started', 'user');
export const twoFactorEnabled = defineAuditAction('twofactor.enabled', 'user');
export const twoFactorDisabled = defineAuditAction('twofactor.disabled', 'user', {
  reason: Type.Optional(Type.String({ description: 'The reason, if staff turned it off' })),
});
export const appRemoved = defineAuditAction('twofactor.app_removed', 'user');
export const codesRegenerated = defineAuditAction('twofactor.codes_regenerated', 'user');
export const passkeyRegistered = defineAuditAction('passkey.registered', 'passkey', { synced: Type.Boolean() });
export const passkeyRenamed = defineAuditAction('passkey.renamed', 'passkey');
export const passkeyRemoved = defineAuditAction('passkey.removed', 'passkey');
export const counterRegressed = defineAuditAction('passkey.counter_regressed', 'passkey');
export const identityLinked = defineAuditAction('identity.linked', 'user', { connectionId: Type.String() });
export const identityUnlinked = defineAuditAction('identity.unlinked', 'user', { connectionId: Type.String() });
/** A new subject of the provider has the address of an account that is already linked. */
export const identityConflict = defineAuditAction('identity.conflict', 'user', { connectionId: Type.String() });
export const reauthenticated = defineAuditAction('session.reauthenticated', 'session', proven);
export const emailChangeRequested = defineAuditAction('email.change_requested', 'user');
export const emailChanged = defineAuditAction('email.changed', 'user');
export const teamSwitched = defineAuditAction('session.team_switched', 'session');
export const userDeleted = defineAuditAction('user.deleted', 'user');
export const teamClosed = defineAuditAction('team.closed', 'team');
export const passwordReset = defineAuditAction('password.reset', 'user');

/** The reason for a staff action on a team or a user. */
const because = { reason: Type.String() };
export const teamSuspended = defineAuditAction('team.suspended', 'team', because);
export const teamRestored = defineAuditAction('team.restored', 'team', because);
export const userUnlocked = defineAuditAction('user.unlocked', 'user', because);
export const sessionsRevoked = defineAuditAction('session.all_revoked', 'user', because);

export const memberJoined = defineEvent({
  type: 'member.joined',
  target: 'user',
  scope: 'team:read',
  description: 'A user became a member of the team.',
  data: Type.Object({ role: Type.String(), invitationId: Type.Optional(Type.String()) }),
  example: { role: 'owner' },
});

export const memberRemoved = defineEvent({
  type: 'member.removed',
  target: 'user',
  scope: 'team:read',
  description:
    'A user left the team, was removed from it, reached the end of their membership, or deleted their account. `successorId` received their tasks, workflows and folders.',
  data: Type.Object({
    role: Type.String(),
    reason: Type.Enum(['removed', 'left', 'ended', 'account_deleted']),
    successorId: Type.String(),
  }),
  example: { role: 'member', reason: 'removed', successorId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11' },
});

export const ownershipTransferred = defineEvent({
  type: 'team.ownership_transferred',
  target: 'team',
  scope: 'team:read',
  description: 'The team has a new owner. The former owner is now an administrator.',
  data: Type.Object({ fromUserId: Type.String(), toUserId: Type.String() }),
  example: { fromUserId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11', toUserId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12' },
});
