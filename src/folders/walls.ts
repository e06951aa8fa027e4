import { membersAmong } from '#teams';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import { byRole } from '../platform/reasons.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { type Looking, type Reached, readableFolder } from './access.ts';
import { wallLifted, wallSet } from './events.ts';
import { mayWall } from './policy.ts';
import { lockFolder } from './queries.ts';
import type { Wall } from './schemas.ts';
import { insideOf } from './share-queries.ts';
import * as tree from './tree-queries.ts';
import { noWall } from './visibility-queries.ts';
import * as queries from './wall-queries.ts';
import { inOrder, together } from '../platform/database/together.ts';

/** Who is inside of a folder's wall; told to those who are. */
export async function readWall(scope: ReadScope, id: string): Promise<Wall> {
  const { folder } = await readableFolder(scope, id);
  return wallOf(scope, folder.id);
}

async function wallOf(scope: Looking, folder: string): Promise<Wall> {
  const found = await scope.db.first(queries.findWall, { team: scope.team, folder });
  if (!found) throw notFound('wall');
  return { folderId: folder, userIds: found.users, since: found.created_at };
}

/**
 * Puts a wall around a folder and all in it, or names anew who is inside: nobody else reaches it by any role, share, task,
 * client or agent. The owner is inside by setting it. Errors: 403, 404 `member_not_found`.
 */
export async function setWall(scope: Scope, id: string, userIds: readonly string[]): Promise<Wall> {
  const { folder, access } = await wallable(scope, id);
  const by = scope.actor.type === 'user' ? scope.actor.id : folder.user_id;
  const users = [...new Set([...userIds, ...(by === folder.user_id ? [by] : [])])];
  const known = users.every(isUuid) ? await scope.db.all(membersAmong, { team: scope.team, ids: users }) : [];
  if (users.length === 0 || known.length < users.length)
    throw problems.member_not_found('`userIds` must name active members of your team, and nobody else. List the members and check it.');
  const of = { team: scope.team, folder: folder.id };
  const fresh = await scope.db.first(queries.putWall, { ...of, by, at: scope.now });
  scope.db.send(queries.dropUnnamed, { ...of, users });
  scope.db.send(queries.putNamed, { ...of, users });
  await inOrder([
    () => fresh && carry(scope, folder, folder.wall_id, folder.id),
    () => scope.db.all(tree.takeOver, { team: scope.team, id: folder.id, client: null }),
    () => scope.db.all(queries.touchFolder, { ...of, at: scope.now }),
    () => recordAct(scope, wallSet, folder.id, { userIds: users, ...byRole('all', access) }),
  ]);
  // Whoever named others and not themself is outside now, and told all the same what they have set.
  return wallOf(scope, folder.id);
}

/** Lifts the wall of a folder: what is in it is reached again as before. */
export async function liftWall(scope: Scope, id: string): Promise<void> {
  const { folder, access } = await wallable(scope, id);
  const of = { team: scope.team, folder: folder.id };
  if (!(await scope.db.first(queries.deleteWall, of))) throw notFound('wall');
  const outer =
    folder.parent_id === null ? undefined : await scope.db.first(queries.wallOf, { team: scope.team, folder: folder.parent_id });
  await inOrder([
    () => carry(scope, folder, folder.id, outer?.wall_id ?? noWall),
    () => scope.db.all(queries.touchFolder, { ...of, at: scope.now }),
    () => recordAct(scope, wallLifted, folder.id, byRole('all', access)),
  ]);
}

const carry = (scope: Scope, folder: { id: string; user_id: string }, fromWall: string, toWall: string) =>
  scope.db.all(tree.carrySubtree, { team: scope.team, id: folder.id, user: folder.user_id, fromWall, toWall });

/** A folder whose wall the actor may set or lift, held with the whole tree: nothing comes in or goes out meanwhile. */
async function wallable(scope: Scope, id: string): Promise<Reached> {
  const of = { team: scope.team, id: pathId(id, 'folder') };
  await readableFolder(scope, of.id);
  const found = await scope.db.locked(tree.lockTree, of, () => scope.db.locked(lockFolder, of, () => readableFolder(scope, of.id)));
  const { ownerInside, deserted } = await together({
    ownerInside: () => ownerIsInside(scope, found.folder),
    deserted: () => scope.db.first(queries.isDeserted, { team: scope.team, folder: of.id }),
  });
  if (!mayWall(scope.actor, found.access, { ownerIsInside: ownerInside, isDeserted: deserted !== undefined }))
    throw problems.forbidden('The owner of a folder sets and lifts its wall, or an administrator inside where the owner is not.');
  return found;
}

/** Whether the owner of a folder is inside of its wall for good, which a successor is not. */
export async function ownerIsInside(scope: Looking, folder: { id: string; user_id: string }): Promise<boolean> {
  const found = await scope.db.first(insideOf, { team: scope.team, id: folder.id, users: [folder.user_id], when: 'for good' });
  return found !== undefined;
}
