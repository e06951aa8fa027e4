import { barriers, lockBarrierGroups } from '#access';
import { membersAmong } from '#teams';
import { pipelined } from '../../platform/database/pipelined.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, ReadScope, Scope } from '../../platform/scope.ts';
import { type AccessibleFolder, lockedInTree, readableFolder } from './access.ts';
import { barrierLifted, barrierSet } from './events.ts';
import type { FolderKind } from './policy.ts';
import * as queries from './queries.ts';
import type { Barrier, BarrierBody, FolderBarrier } from './schemas.ts';
import { barrierAround } from './folder-location.ts';
import { changeBarriers, changeInProgress, progressOf, refuseDuringChange } from './barrier-changes.ts';
import { nameIsTaken, nameTaken } from './service.ts';

/** Returns a page of the barriers of the team, for its owner and administrators. */
export async function listBarriers(scope: ReadScope, page: { after: string; limit: number }): Promise<Barrier[]> {
  const { actor, team } = scope;
  if (actor.type !== 'user') throw new Error('only a person may list the barriers of a team');
  const rows = await scope.db.all(queries.listBarriers, { team, user: actor.id, ...page });
  return rows.map(presentBarrier);
}

const presentBarrier = ({
  id,
  name,
  user_id: userId,
  created_at: since,
  is_member: isMember,
  is_inside: isInside,
  is_matter: isMatter,
  kind,
}: queries.BarrierRow): Barrier => ({
  id,
  type: isMatter ? 'matter' : 'folder',
  name,
  userId,
  since,
  status: kind === 'raise' ? 'raising' : kind === 'lift' ? 'removing' : 'active',
  access: isMember ? 'member' : isInside ? 'emergency' : 'none',
});

/** Returns the members of the barrier on a folder. Errors: 404. */
export async function readBarrier(scope: ReadScope, id: string, kind?: FolderKind): Promise<FolderBarrier> {
  const { folder } = await readableFolder(scope, id, kind);
  return barrierOf(scope, folder.id);
}

async function barrierOf(scope: AccessContext, folder: string): Promise<FolderBarrier> {
  const { found, change } = await pipelined({
    found: () => scope.db.first(barriers.findBarrier, { team: scope.team, barrier: folder }),
    change: () => scope.db.first(barriers.findChange, { team: scope.team, id: folder }),
  });
  if (!found) throw notFound('barrier');
  return { folderId: folder, userIds: found.users, groupIds: found.groups, since: found.created_at, ...progressOf(change) };
}

/**
 * Raises a barrier on a folder, or replaces its members. It excludes everyone else, regardless of roles, shares and tasks, and also API clients and
 * agents. An owner who raises it becomes a member. Errors: 403, 404 `member_not_found`, `group_not_found`.
 */
export async function setBarrier(
  scope: Scope,
  id: string,
  { userIds, groupIds = [] }: BarrierBody,
  maxDocuments: number,
  kind?: FolderKind,
): Promise<FolderBarrier> {
  const { folder, access } = await managed(scope, id, kind);
  const by = scope.actor.type === 'user' ? scope.actor.id : folder.user_id;
  const users = [...new Set([...userIds, ...(by === folder.user_id ? [by] : [])])];
  const known = users.every(isUuid) ? await scope.db.all(membersAmong, { team: scope.team, ids: users }) : [];
  if (users.length === 0 || known.length < users.length)
    throw problems.member_not_found('`userIds` must name only active members of your team. List the members and check it.');
  const groups = await lockBarrierGroups(scope, groupIds);
  const of = { team: scope.team, barrier: folder.id };
  if (await scope.db.first(barriers.findChange, { team: scope.team, id: folder.id })) throw changeInProgress();
  const isNew = await scope.db.first(barriers.putBarrier, { ...of, by, at: scope.now });
  scope.db.send(barriers.dropMembersExcept, { ...of, users, groups });
  scope.db.send(barriers.putMembers, { ...of, users, groups });
  if (isNew) {
    await refuseDuringChange(scope, folder.id, null);
    await changeBarriers(
      scope,
      { kind: 'raise', id: folder.id, user: folder.user_id, from: folder.barrier_id, to: folder.id },
      maxDocuments,
    );
  }
  await pipelined([
    () => scope.db.all(queries.touchFolder, { team: scope.team, id: folder.id, at: scope.now }),
    () => recordAudit(scope, barrierSet, folder.id, { userIds: users, groupIds: groups, ...access.byRole('manage') }),
  ]);
  // The administrator who sent the request may be missing from the new list.
  return barrierOf(scope, folder.id);
}

/**
 * Lifts the barrier on a folder. If a job does it, the barrier stays until the job ends. Errors: 403, 404, 409 `name_taken` if a sibling has the
 * same name, `barrier_change_in_progress`.
 */
export async function liftBarrier(scope: Scope, id: string, maxDocuments: number, kind?: FolderKind): Promise<void> {
  const { folder, access } = await managed(scope, id, kind);
  const { team } = scope;
  await barrierOf(scope, folder.id);
  await refuseDuringChange(scope, folder.id, null);
  const change = { kind: 'lift', id: folder.id, user: folder.user_id, from: folder.id, to: await barrierAround(scope, folder) } as const;
  const started = await changeBarriers(scope, change, maxDocuments).catch(nameTaken(folder.name));
  if (started && (await scope.db.first(queries.nameBeside, { team, id: folder.id }))) throw nameIsTaken(folder.name);
  scope.db.send(queries.touchFolder, { team, id: folder.id, at: scope.now });
  if (started) return;
  scope.db.send(barriers.deleteBarrier, { team, barrier: folder.id });
  await recordAudit(scope, barrierLifted, folder.id, access.byRole('manage'));
}

/**
 * Locks the whole tree and returns a folder that the actor manages. While the lock is held, no resource moves into or out of the tree. Errors: 403,
 * 404.
 */
async function managed(scope: Scope, id: string, kind?: FolderKind): Promise<AccessibleFolder> {
  const found = await lockedInTree(scope, id, kind);
  if (found.access.can('manage')) return found;
  throw problems.forbidden('Only its owner or an administrator may raise or lift the barrier. Emergency access is read-only.');
}
