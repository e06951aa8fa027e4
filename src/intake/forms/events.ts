import { unsharedMembers } from '#access';
import { Type } from 'typebox';
import { defineAuditAction, defineEvent } from '../../platform/journal/audit-actions.ts';

const scope = 'interfaces:read';
const texts = ['title'] as const;
const title = Type.String();
const kind = Type.String({ description: 'form, scheduling or registry' });
const example = { title: 'Report a concern', kind: 'form' };

export const interfaceCreated = defineEvent({
  type: 'interface.created',
  target: 'interface',
  scope,
  description: 'A form, booking form or registry form was created. It is not public until it is published.',
  data: Type.Object({ title, kind }),
  texts,
  example,
});
export const interfacePublished = defineEvent({
  type: 'interface.published',
  target: 'interface',
  scope,
  description: 'A version of an interface was published. Its links now show this version.',
  data: Type.Object({ title, kind, version: Type.Integer() }),
  texts,
  example: { ...example, version: 2 },
});
export const interfaceClosed = defineEvent({
  type: 'interface.closed',
  target: 'interface',
  scope,
  description: 'An interface was closed and accepts no more submissions.',
  data: Type.Object({ title }),
  texts,
  example: { title: example.title },
});
export const interfaceDeleted = defineEvent({
  type: 'interface.deleted',
  target: 'interface',
  scope,
  description: 'An interface was deleted, and its links stopped working.',
  data: Type.Object({ title }),
  texts,
  example: { title: example.title },
});

/** `members` lists the changed members of the definition, without their values. */
export const interfaceUpdated = defineAuditAction('interface.updated', 'interface', {
  members: Type.Array(Type.String()),
  revision: Type.Integer(),
  via: Type.Optional(Type.String()),
});
export const linkRotated = defineAuditAction('interface.link_rotated', 'interface', {
  channel: Type.String(),
  via: Type.Optional(Type.String()),
});

const right = Type.Array(Type.String({ description: 'edit or submissions' }));
export const interfaceShared = defineAuditAction('interface.shared', 'interface', {
  ...unsharedMembers,
  rights: right,
});
export const interfaceUnshared = defineAuditAction('interface.unshared', 'interface', unsharedMembers);
export const interfaceHandedOver = defineAuditAction('interface.handed_over', 'interface', { from: Type.String(), to: Type.String() });
