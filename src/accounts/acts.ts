import { Type } from 'typebox';
import { defineAct, defineEvent } from '../platform/journal/acts.ts';

export const userRegistered = defineAct('user.registered', 'user');
export const emailVerified = defineAct('user.email_verified', 'user');
export const loginSucceeded = defineAct('login.succeeded', 'session');
export const loginFailed = defineAct('login.failed', 'user');
export const sessionRevoked = defineAct('session.revoked', 'session');
export const loggedOut = defineAct('logout', 'session');
export const tokenReused = defineAct('token.reused', 'session');
export const profileUpdated = defineAct('profile.updated', 'user');
export const passwordChanged = defineAct('password.changed', 'user');
export const resetRequested = defineAct('password.reset_requested', 'user');
export const passwordReset = defineAct('password.reset', 'user');

export const memberJoined = defineEvent({
  type: 'member.joined',
  target: 'user',
  description: 'A person became a member of the team.',
  data: Type.Object({ role: Type.String(), invitationId: Type.Optional(Type.String()) }),
  example: { role: 'owner' },
});
