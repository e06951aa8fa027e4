import { isBehindBarrier } from '#access';
import { type AccessibleFolder, readableFolder } from '#folders';
import { notFound } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext } from '../../platform/scope.ts';
import * as queries from './queries.ts';

/** A matter with its root folder and the access of the actor to both. */
export type AccessibleMatter = { matter: queries.MatterRow; root: AccessibleFolder['folder']; access: AccessibleFolder['access'] };

/** Returns a matter that the actor may read. Errors: the same 404 for a missing matter and an invisible one. */
export async function readableMatter(scope: AccessContext, id: string): Promise<AccessibleMatter> {
  return withMatter(scope, await readableFolder(scope, id, 'matter'));
}

/** Adds the matter to its root folder. */
export async function withMatter(scope: AccessContext, { folder, access }: AccessibleFolder): Promise<AccessibleMatter> {
  const matter = await scope.db.first(queries.findMatter, { team: scope.team, id: folder.id });
  if (!matter) throw notFound('matter');
  return { matter, root: folder, access };
}

/** Requires a right on a matter. Errors: 403. */
export function requireRight({ access }: Pick<AccessibleMatter, 'access'>, right: 'edit' | 'share' | 'manage'): void {
  if (access.can(right)) return;
  throw problems.forbidden(
    right === 'edit'
      ? 'This matter is shared with you for reading only. Ask its responsible person for write access.'
      : 'Only the responsible person of the matter and administrators can do this. Ask one of them.',
  );
}

/** Whether a barrier applies to a matter. */
export const isBarred = ({ root }: Pick<AccessibleMatter, 'root'>): boolean => isBehindBarrier(root.barrier_id);
