import { Type } from 'typebox';
import { defineAct, defineEvent } from '../platform/journal/acts.ts';
import { changes } from '../platform/journal/changes.ts';

const via = Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' }));
const named = Type.Object({ name: Type.String(), parentId: Type.Optional(Type.String()), via });
const changed = Type.Object({ ...named.properties, changes: Type.Optional(changes) });
const example = { name: 'Contracts' };

export const folderCreated = defineEvent({
  type: 'folder.created',
  target: 'folder',
  description: 'A folder was created.',
  data: named,
  example,
});
export const folderUpdated = defineEvent({
  type: 'folder.updated',
  target: 'folder',
  description: 'A folder’s name or details changed.',
  data: changed,
  example,
});
export const folderMoved = defineEvent({
  type: 'folder.moved',
  target: 'folder',
  description: 'A folder was moved under another, or to the top.',
  data: named,
  example,
});
export const folderDeleted = defineEvent({
  type: 'folder.deleted',
  target: 'folder',
  description: 'A folder was deleted; everything in it went to the bin with it.',
  data: named,
  example,
});
export const folderRestored = defineEvent({
  type: 'folder.restored',
  target: 'folder',
  description: 'A folder was taken out of the bin, with what was deleted with it.',
  data: named,
  example,
});
export const folderShared = defineAct('folder.shared', 'folder');
export const folderUnshared = defineAct('folder.unshared', 'folder');
export const wallSet = defineAct('folder.wall_set', 'folder');
export const wallLifted = defineAct('folder.wall_lifted', 'folder');
export const glassAsked = defineAct('folder.glass_asked', 'folder');
export const glassBroken = defineAct('folder.glass_broken', 'folder');
