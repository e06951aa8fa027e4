import { accessToContained, type ContainedAccess, type Facts } from '#access';
import type { Actor } from '../../platform/scope.ts';

/** The permissions of an actor on a folder and on what lies in it. */
export type FolderAccess = ContainedAccess<'folder'>;
/** The permissions of the actor on a folder. Undefined for one that the actor may not view: the response is 404. */
export const accessToFolder = (actor: Actor, facts: Facts): FolderAccess | undefined => accessToContained(actor, 'folder', facts);

/**
 * Whether the actor says who else sees a folder: its owner, administrators, and an API client that made the folder and all
 * that is in it.
 */
export const mayShare = (actor: Actor, access: FolderAccess, { madeByActor }: { madeByActor: boolean }): boolean =>
  actor.type === 'client' ? access.can('edit') && madeByActor : access.can('share');

/** Whether the actor may move something. To another tree, or to or from a barrier, its owner or an administrator moves it. */
export const mayRelocate = (access: ContainedAccess<'folder' | 'document'>, { within }: { within: boolean }): boolean =>
  access.can('share') || (access.can('edit') && within);
