import { sharedMembers, unsharedMembers } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';
import { changes } from '../../platform/journal/changes.ts';
import { roleVia } from '../../platform/schema-parts.ts';

const named = Type.Object({
  name: Type.String(),
  parentId: Type.Optional(Type.String()),
  matterId: Type.Optional(Type.String()),
  via: roleVia,
});
const changed = Type.Object({ ...named.properties, changes: Type.Optional(changes) });
const example = { name: 'Contracts' };
const scope = 'folders:read';
const texts = ['name'] as const;

export const folderCreated = defineEvent({
  type: 'folder.created',
  target: 'folder',
  scope,
  description: 'A folder was created.',
  data: named,
  texts,
  example,
});
export const folderUpdated = defineEvent({
  type: 'folder.updated',
  target: 'folder',
  scope,
  description: 'A folder’s name or details changed.',
  data: changed,
  texts,
  example,
});
export const folderMoved = defineEvent({
  type: 'folder.moved',
  target: 'folder',
  scope,
  description: 'A folder was moved to another parent, or to the top.',
  data: named,
  texts,
  example,
});
export const folderDeleted = defineEvent({
  type: 'folder.deleted',
  target: 'folder',
  scope,
  description: 'A folder was moved to the bin with its content.',
  data: named,
  texts,
  example,
});
export const folderRestored = defineEvent({
  type: 'folder.restored',
  target: 'folder',
  scope,
  description: 'A folder was restored from the bin, with everything that was deleted with it.',
  data: named,
  texts,
  example,
});
export const folderShared = defineAuditAction('folder.shared', 'folder', sharedMembers);
export const folderUnshared = defineAuditAction('folder.unshared', 'folder', unsharedMembers);
export const barrierSet = defineAuditAction('folder.barrier_set', 'folder', {
  userIds: Type.Array(Type.String()),
  groupIds: Type.Array(Type.String()),
  via: roleVia,
});
export const barrierLifted = defineAuditAction('folder.barrier_lifted', 'folder', { via: roleVia });
/** A job changes the barrier of many documents because a barrier is raised or lifted, or because their folder moved. */
const barrierChange = { change: Type.Enum(['raise', 'lift', 'move']), documents: Type.Integer() };
export const barrierChangeStarted = defineAuditAction('folder.barrier_change_started', 'folder', { ...barrierChange, via: roleVia });
export const barrierChangeCompleted = defineAuditAction('folder.barrier_change_completed', 'folder', barrierChange);
/** The last member of a barrier left the team, and the successor became a member. */
export const barrierMemberAdded = defineAuditAction('folder.barrier_member_added', 'folder', { userId: Type.String(), via: roleVia });
// The reason is visible to supervisors outside the barrier, so it must not contain anything from inside it.
export const emergencyAccessRequested = defineAuditAction('folder.emergency_access_requested', 'folder', {
  emergencyAccessId: Type.String(),
  reason: Type.String(),
  via: roleVia,
});
export const emergencyAccessGranted = defineAuditAction('folder.emergency_access_granted', 'folder', {
  emergencyAccessId: Type.String(),
  userId: Type.String(),
  reason: Type.String(),
  until: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  via: roleVia,
});
