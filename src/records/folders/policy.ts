import { accessToContained, type ContainedAccess, type Facts } from '#access';
import type { Actor } from '../../platform/scope.ts';

/** The resources that are rows of `folder`: folders, the roots of matters, or either. */
export type FolderKind = 'folder' | 'matter' | 'any';
/** The permissions of an actor on a folder and its content. */
export type FolderAccess = ContainedAccess<'folder'>;
/** Returns the permissions of the actor on a folder. Returns undefined if the actor may not view it; the response is then 404. */
export const accessToFolder = (actor: Actor, facts: Facts, kind: FolderKind = 'folder'): FolderAccess | undefined =>
  accessToContained(actor, kind === 'matter' ? 'matter' : 'folder', facts);

/** Whether the actor may share a folder: its owner, administrators, and an API client that made the folder and all its content. */
export const mayShare = (actor: Actor, access: FolderAccess, { madeByActor }: { madeByActor: boolean }): boolean =>
  actor.type === 'client' ? access.can('edit') && madeByActor : access.can('share');

/** Whether the actor may move a resource. Only its owner or an administrator may move it to another tree, or into or out of a barrier. */
export const mayRelocate = (access: ContainedAccess<'folder' | 'document'>, { within }: { within: boolean }): boolean =>
  access.can('share') || (access.can('edit') && within);
