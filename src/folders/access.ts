import type { Reader } from '../platform/database/database.ts';
import { notFound, pathId } from '../platform/identifiers.ts';
import { problems } from '../platform/problems.ts';
import type { Actor } from '../platform/scope.ts';
import { type ReachedFolder, reachFolder, reachOwnFolder } from './queries.ts';

/** Who looks: a person, or null for an API client, agent or timer, which sees the whole team's folders. */
export function viewerOf(actor: Actor): string | null {
  return actor.type === 'user' ? actor.id : null;
}

/** A folder the actor may read; the same 404 for one that is missing, binned, or another's. */
export async function readableFolder(
  scope: { db: Reader; team: string; actor: Actor },
  id: string,
): Promise<ReachedFolder & { access: 'read' | 'write' }> {
  const [team, folder, user] = [scope.team, pathId(id, 'folder'), viewerOf(scope.actor)];
  const own = user === null ? undefined : await scope.db.first(reachOwnFolder, { team, user, id: folder });
  if (own) return { ...own, access: 'write' };
  const found = await scope.db.first(reachFolder, { team, id: folder, user });
  if (!found || found.access === null) throw notFound('folder');
  return { ...found, access: found.access };
}

/** A folder the actor may change. One shared for reading is a 403: they see it, but may not write. */
export async function writableFolder(scope: { db: Reader; team: string; actor: Actor }, id: string): Promise<ReachedFolder> {
  const found = await readableFolder(scope, id);
  if (found.access !== 'write')
    throw problems.forbidden('This folder is shared with you for reading only. Ask its owner for write access.');
  return found;
}
