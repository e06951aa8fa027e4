import { sharedMembers, unsharedMembers } from '#access';
import { Type } from 'typebox';
import { defineAct, defineEvent } from '../platform/journal/acts.ts';
import { changes } from '../platform/journal/changes.ts';

const via = Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' }));
const named = Type.Object({ name: Type.String(), parentId: Type.Optional(Type.String()), via });
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
  description: 'A folder was moved under another, or to the top.',
  data: named,
  texts,
  example,
});
export const folderDeleted = defineEvent({
  type: 'folder.deleted',
  target: 'folder',
  scope,
  description: 'A folder was deleted; everything in it went to the bin with it.',
  data: named,
  texts,
  example,
});
export const folderRestored = defineEvent({
  type: 'folder.restored',
  target: 'folder',
  scope,
  description: 'A folder was taken out of the bin, with what was deleted with it.',
  data: named,
  texts,
  example,
});
export const folderShared = defineAct('folder.shared', 'folder', sharedMembers);
export const folderUnshared = defineAct('folder.unshared', 'folder', unsharedMembers);
export const wallSet = defineAct('folder.wall_set', 'folder', { userIds: Type.Array(Type.String()), via });
export const wallLifted = defineAct('folder.wall_lifted', 'folder', { via });
// The reason is an administrator's from outside of the wall, for all who watch over it: it says nothing of what is behind.
export const glassAsked = defineAct('folder.glass_asked', 'folder', { openingId: Type.String(), reason: Type.String(), via });
export const glassBroken = defineAct('folder.glass_broken', 'folder', {
  openingId: Type.String(),
  userId: Type.String(),
  reason: Type.String(),
  until: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  via,
});
