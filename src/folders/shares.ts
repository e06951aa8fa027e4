import { randomUUIDv7 } from 'node:crypto';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { readableFolder, viewerOf } from './access.ts';
import { folderShared, folderUnshared } from './events.ts';
import { presentShare } from './present.ts';
import * as queries from './queries.ts';
import type { Share } from './schemas.ts';

/** Who a folder is shared with, directly. Whoever may read the folder may see it. */
export async function listShares(scope: ReadScope, folderId: string): Promise<Share[]> {
  const folder = await readableFolder(scope, folderId);
  return (await scope.db.all(queries.listShares, { team: scope.team, folder: folder.id })).map(presentShare);
}

/** Shares a folder and all below it with a member; a second share with the same person changes the first. */
export async function shareFolder(scope: Scope, folderId: string, input: { userId: string; access: 'read' | 'write' }): Promise<Share> {
  const folder = await ownFolder(scope, folderId);
  const member =
    isUuid(input.userId) && input.userId !== folder.user_id
      ? await scope.db.first(queries.putShare, {
          team: scope.team,
          id: randomUUIDv7(),
          folder: folder.id,
          user: input.userId,
          access: input.access,
          by: folder.user_id,
          at: scope.now,
        })
      : undefined;
  if (!member) throw problems.member_not_found('`userId` names no other active member of your team. List the members and check it.');
  await recordAct(scope, folderShared, folder.id, { userId: input.userId, access: input.access });
  return presentShare(member);
}

/** Ends a share. */
export async function unshareFolder(scope: Scope, folderId: string, shareId: string): Promise<void> {
  const folder = await ownFolder(scope, folderId);
  const [ended] = await scope.db.all(queries.deleteShare, { team: scope.team, folder: folder.id, id: pathId(shareId, 'share') });
  if (!ended) throw notFound('share');
  await recordAct(scope, folderUnshared, folder.id, { userId: ended.user_id });
}

/** Only whose folder it is decides who else sees it. */
async function ownFolder(scope: Scope, id: string) {
  const folder = await readableFolder(scope, id);
  const viewer = viewerOf(scope.actor);
  if (viewer !== null && folder.user_id !== viewer) throw problems.forbidden('Only the owner of a folder may share it.');
  return folder;
}
