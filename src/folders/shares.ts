import { type AccessList, accessListOf, refuseOneself } from '#access';
import { randomUUIDv7 } from 'node:crypto';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import { byRole } from '../platform/reasons.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { type Reached, readableFolder } from './access.ts';
import { folderShared, folderUnshared } from './events.ts';
import { madeWholly, ownerForActor } from './place.ts';
import { mayShare } from './policy.ts';
import { presentShare } from './present.ts';
import type { Share, ShareBody } from './schemas.ts';
import * as queries from './share-queries.ts';
import { lockTree } from './tree-queries.ts';
import { lockSeen } from '../platform/database/lock-seen.ts';

/** Who a folder is shared with, directly. Whoever may read the folder may see it. */
export async function listShares(scope: ReadScope, folderId: string): Promise<Share[]> {
  const { folder } = await readableFolder(scope, folderId);
  return (await scope.db.all(queries.listShares, { team: scope.team, folder: folder.id })).map(presentShare);
}

/**
 * Shares a folder and all below it with a member, or the whole team; a second share with the same changes the first. Errors: 403,
 * 404 `member_not_found`, 409 `shared_with_oneself`.
 */
export async function shareFolder(scope: Scope, folderId: string, input: ShareBody): Promise<Share> {
  const { folder, access } = await sharableFolder(scope, folderId);
  if ((input.userId === undefined) === (input.team === undefined))
    throw problems.validation_failed('Name one of `userId` and `team`: a folder is shared with a person or with the whole team.', {
      errors: [{ name: 'userId', pointer: '/userId', reason: 'or `team` must be given, and not both', rule: 'required' }],
    });
  refuseOneself(scope, input.userId);
  const common = { team: scope.team, id: randomUUIDv7(), folder: folder.id, access: input.access, at: scope.now };
  const by = scope.actor.type === 'system' ? await ownerForActor(scope) : scope.actor.id;
  const [made] =
    input.userId === undefined
      ? await scope.db.all(queries.putTeamShare, { ...common, user: null, by })
      : isUuid(input.userId) && input.userId !== folder.user_id
        ? await scope.db.all(queries.putShare, { ...common, user: input.userId, by })
        : [];
  if (!made) throw problems.member_not_found('`userId` names no other active member of your team. List the members and check it.');
  const withWhom = input.userId === undefined ? { team: true } : { userId: input.userId };
  await recordAct(scope, folderShared, folder.id, { ...withWhom, access: input.access, ...byRole('all', access) });
  return presentShare(made);
}

/** Ends a share. */
export async function unshareFolder(scope: Scope, folderId: string, shareId: string): Promise<void> {
  const { folder, access } = await sharableFolder(scope, folderId);
  const [ended] = await scope.db.all(queries.deleteShare, { team: scope.team, folder: folder.id, id: pathId(shareId, 'share') });
  if (!ended) throw notFound('share');
  const withWhom = ended.user_id === null ? { team: true } : { userId: ended.user_id };
  await recordAct(scope, folderUnshared, folder.id, { ...withWhom, ...byRole('all', access) });
}

/** Who may see a folder, why and since when, and what was done with it by role alone: for its owner and administrators. */
export async function folderAccess(scope: ReadScope, folderId: string): Promise<AccessList> {
  const { folder, access } = await readableFolder(scope, folderId);
  if (access.level !== 'all') throw problems.forbidden('Only the owner of a folder and administrators see who has access to it.');
  return accessOf(scope, { id: folder.id, owner: folder.user_id, since: folder.created_at, folder: folder.id }, []);
}

type Accessible = { id: string; owner: string; since: string; folder: string | null };

/**
 * The grants of a thing by its folder, its owner and the roles of the team, together with its `own`, and the readings by role.
 * Whom a wall keeps out is marked.
 */
export async function accessOf(scope: ReadScope, thing: Accessible, own: AccessList['grants']): Promise<AccessList> {
  const shares = thing.folder === null ? [] : await scope.db.all(queries.sharesReaching, { team: scope.team, id: thing.folder });
  const { grants, readings } = await accessListOf(scope, thing, [
    ...shares.map(({ id, folder_id: folderId, user_id: userId, access, created_by: grantedBy, created_at: since }) => ({
      id,
      ...(userId === null ? { team: true as const } : { userId }),
      access: access === 'write' ? ('write' as const) : ('read' as const),
      reason: 'share' as const,
      folderId,
      grantedBy,
      since,
    })),
    ...own,
  ]);
  const inside = await insideOf(scope, thing.folder, grants);
  return {
    grants: grants.map((grant) => (grant.userId === undefined || inside.has(grant.userId) ? grant : { ...grant, walled: true as const })),
    readings,
  };
}

async function insideOf(scope: ReadScope, folder: string | null, grants: AccessList['grants']): Promise<Set<string>> {
  const users = [...new Set(grants.flatMap(({ userId }) => userId ?? []))];
  if (folder === null) return new Set(users);
  return new Set((await scope.db.all(queries.insideOf, { team: scope.team, id: folder, users, when: 'now' })).map(({ id }) => id));
}

/** Only its owner, administrators and the client that made it, and all that is in it, decide who else sees a folder. */
async function sharableFolder(scope: Scope, id: string): Promise<Reached> {
  // Nothing comes into the tree while what is in it is looked through.
  const look = () => readableFolder(scope, id);
  const found = await (scope.actor.type === 'client' ? lockSeen(scope.db, lockTree, { team: scope.team }, look) : look());
  const madeByActor = await madeWholly(scope, found.folder.id);
  if (mayShare(scope.actor, found.access, { madeByActor })) return found;
  throw problems.forbidden(
    scope.actor.type === 'client'
      ? 'An API client shares a folder that it made while it alone made what is in it, and nobody else has moved it or changed that. Ask its owner or an administrator to share it.'
      : 'Only the owner of a folder or an administrator may share it.',
  );
}
