import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../platform/journal/audit-actions.ts';
import { roleVia } from '../platform/schema-parts.ts';

const principal = {
  userId: Type.Optional(Type.String()),
  groupId: Type.Optional(Type.String()),
  team: Type.Optional(Type.Boolean()),
  clientId: Type.Optional(Type.String()),
};

/** Members of journal entries about shares, and about resources that a successor took over. */
export const sharedMembers = { ...principal, access: Type.String(), via: roleVia };
const cascade = Type.Optional(Type.Boolean({ description: 'True if the grants that the principal made below also ended' }));
export const unsharedMembers = { ...principal, cascade, via: roleVia };
export const handedOverMembers = { from: Type.String(), to: Type.String(), via: roleVia };

/** Returns the audit actions for the shares and the owner of a resource type. `name` is the prefix of the audit action names. */
export const sharingActs = (name: string, target: string) => ({
  shared: defineAuditAction(`${name}.shared`, target, sharedMembers),
  unshared: defineAuditAction(`${name}.unshared`, target, unsharedMembers),
  handedOver: defineAuditAction(`${name}.handed_over`, target, handedOverMembers),
});

/** An auditor joined the team and got the seat. */
export const seatOpened = defineAuditAction('auditor.seated', 'user', {
  journalFrom: Type.String(),
  journalTo: Type.String(),
  mayExport: Type.Boolean(),
  things: Type.Integer(),
});
export const seatChanged = defineAuditAction('auditor.changed', 'user', { members: Type.Array(Type.String()) });
/** A request of an auditor, before it runs. `resourceId` is the identifier in its path. */
export const seatRead = defineAuditAction('auditor.read', 'user', {
  operation: Type.String(),
  via: Type.Literal('audit'),
  resourceId: Type.Optional(Type.String()),
});

const group = { target: 'group', scope: 'team:read' } as const;
const named = Type.Object({ name: Type.String() });
const member = Type.Object({ name: Type.String(), userId: Type.String() });
const example = { name: 'Litigation' };
const memberExample = { ...example, userId: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11' };

export const groupCreated = defineEvent({ type: 'group.created', ...group, description: 'A group was created.', data: named, example });
export const groupUpdated = defineEvent({
  type: 'group.updated',
  ...group,
  description: 'The name or description of a group changed.',
  data: named,
  example,
});
export const groupDeleted = defineEvent({
  type: 'group.deleted',
  ...group,
  description: 'A group was deleted, with all shares to it.',
  data: named,
  example,
});
export const groupMembersChanged = defineEvent({
  type: 'group.members_changed',
  ...group,
  description: 'A directory added members to a group or removed members from it.',
  data: Type.Object({ name: Type.String(), added: Type.Integer(), removed: Type.Integer() }),
  example: { ...example, added: 3, removed: 1 },
});
/** The members removed by a directory. Webhooks get `group.members_changed` instead. */
export const groupMembersRemoved = defineAuditAction('group.members_removed', 'group', {
  name: Type.String(),
  userIds: Type.Array(Type.String()),
});
export const groupMemberAdded = defineEvent({
  type: 'group.member_added',
  ...group,
  description: 'A member of the team was added to a group.',
  data: member,
  example: memberExample,
});
export const groupMemberRemoved = defineEvent({
  type: 'group.member_removed',
  ...group,
  description: 'A member of the team was removed from a group.',
  data: member,
  example: memberExample,
});
