import { Type } from 'typebox';
import { defineAct, defineEvent } from '../../platform/journal/audit-actions.ts';

const proven = { amr: Type.Array(Type.String({ description: 'How it was proven (RFC 8176)' })) };

export const userRegistered = defineAct('user.registered', 'user');
export const emailVerified = defineAct('user.email_verified', 'user');
export const loginSucceeded = defineAct('login.succeeded', 'session', proven);
export const newDevice = defineAct('login.new_device', 'user');
export const loginFailed = defineAct('login.failed', 'user');
export const sessionRevoked = defineAct('session.revoked', 'session');
export const loggedOut = defineAct('logout', 'session');
export const tokenReused = defineAct('token.reused', 'session');
export const profileUpdated = defineAct('profile.updated', 'user', { members: Type.Array(Type.String()) });
export const passwordChanged = defineAct('password.changed', 'user');
export const resetRequested = defineAct('password.reset_requested', 'user');
export const challengeIssued = defineAct('challenge.issued', 'user');
export const challengeFailed = defineAct('challenge.failed', 'user');
export const backupCodeUsed = defineAct('twofactor.backup_used', 'user');
export const setupStarted = defineAct('twofactor.setup_started', 'user');
export const twoFactorEnabled = defineAct('twofactor.enabled', 'user');
export const twoFactorDisabled = defineAct('twofactor.disabled', 'user', {
  reason: Type.Optional(Type.String({ description: 'Of staff who turned it off' })),
});
export const appRemoved = defineAct('twofactor.app_removed', 'user');
export const codesRegenerated = defineAct('twofactor.codes_regenerated', 'user');
export const passkeyRegistered = defineAct('passkey.registered', 'passkey', { synced: Type.Boolean() });
export const passkeyRenamed = defineAct('passkey.renamed', 'passkey');
export const passkeyRemoved = defineAct('passkey.removed', 'passkey');
export const counterRegressed = defineAct('passkey.counter_regressed', 'passkey');
export const identityLinked = defineAct('identity.linked', 'user', { connectionId: Type.String() });
export const identityUnlinked = defineAct('identity.unlinked', 'user', { connectionId: Type.String() });
/** Another subject of the provider came with the address of an account that is linked already. */
export const identityConflict = defineAct('identity.conflict', 'user', { connectionId: Type.String() });
export const reauthenticated = defineAct('session.reauthenticated', 'session', proven);
export const emailChangeRequested = defineAct('email.change_requested', 'user');
export const emailChanged = defineAct('email.changed', 'user');
export const userDeleted = defineAct('user.deleted', 'user');
export const teamClosed = defineAct('team.closed', 'team');
export const passwordReset = defineAct('password.reset', 'user');

/** Of staff: what they did to a team or a person, and why. */
const because = { reason: Type.String() };
export const teamSuspended = defineAct('team.suspended', 'team', because);
export const teamRestored = defineAct('team.restored', 'team', because);
export const userUnlocked = defineAct('user.unlocked', 'user', because);
export const sessionsRevoked = defineAct('session.all_revoked', 'user', because);

export const memberJoined = defineEvent({
  type: 'member.joined',
  target: 'user',
  scope: 'team:read',
  description: 'A person became a member of the team.',
  data: Type.Object({ role: Type.String(), invitationId: Type.Optional(Type.String()) }),
  example: { role: 'owner' },
});

export const memberRemoved = defineEvent({
  type: 'member.removed',
  target: 'user',
  scope: 'team:read',
  description:
    'A person left the team, was removed from it, or deleted their account; `successorId` has taken over their tasks, workflows and folders.',
  data: Type.Object({ role: Type.String(), reason: Type.Enum(['removed', 'left', 'account_deleted']), successorId: Type.String() }),
  example: { role: 'member', reason: 'removed', successorId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11' },
});

export const ownershipTransferred = defineEvent({
  type: 'team.ownership_transferred',
  target: 'team',
  scope: 'team:read',
  description: 'The team has another owner; the former one is an administrator now.',
  data: Type.Object({ fromUserId: Type.String(), toUserId: Type.String() }),
  example: { fromUserId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11', toUserId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12' },
});
