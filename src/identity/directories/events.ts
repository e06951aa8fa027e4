import { Type } from 'typebox';
import { discardedMembers } from '../../platform/jobs/due-jobs.ts';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const name = { name: Type.String() };
export const directoryCreated = defineAuditAction('directory.created', 'directory', { ...name, kind: Type.String() });
export const directoryUpdated = defineAuditAction('directory.updated', 'directory', { changed: Type.Array(Type.String()) });
export const directoryDeleted = defineAuditAction('directory.deleted', 'directory', { ...name, keep: Type.Boolean() });
export const tokenCreated = defineAuditAction('directory.token_created', 'directory', {
  tokenId: Type.String(),
  expiresAt: Type.String({ format: 'date-time' }),
});
export const tokenDeleted = defineAuditAction('directory.token_deleted', 'directory', { tokenId: Type.String() });

/** The directory and the account of a user, if the user has joined. */
const user = { directoryId: Type.String(), userId: Type.Optional(Type.String()) };
export const userProvisioned = defineAuditAction('directory.user_provisioned', 'directory_user', user);
export const userLinked = defineAuditAction('directory.user_linked', 'directory_user', user);
export const userChanged = defineAuditAction('directory.user_changed', 'directory_user', {
  ...user,
  changed: Type.Array(Type.String()),
});
export const userDeactivated = defineAuditAction('directory.user_deactivated', 'directory_user', user);
export const userActivated = defineAuditAction('directory.user_activated', 'directory_user', user);
export const userDeprovisioned = defineAuditAction('directory.user_deprovisioned', 'directory_user', user);
/** The directory tried to deactivate the owner. */
export const ownerKept = defineAuditAction('directory.owner_kept', 'user', { directoryId: Type.String() });
/** Unusually many users were deactivated within an hour. */
export const surgeNoticed = defineAuditAction('directory.deactivation_surge', 'directory', { users: Type.Integer() });
export const usersRestored = defineAuditAction('directory.users_restored', 'directory', {
  since: Type.String({ format: 'date-time' }),
});
export const removalDiscarded = defineAuditAction('directory.removal_discarded', 'directory_user', discardedMembers);
