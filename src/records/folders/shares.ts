import {
  type AccessList,
  accessListOf,
  insideOf,
  personsOf,
  presentGrant,
  principalOf,
  putShare,
  refuseOneself,
  type Revoke,
  type RevokedGrant,
  revokeShare,
  sharesOf,
  sharesReaching,
  viewerOf,
} from '#access';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { type AccessibleFolder, readableFolder } from './access.ts';
import { folderShared, folderUnshared } from './events.ts';
import { isCreatedByClient } from './folder-location.ts';
import { mayShare } from './policy.ts';
import { presentShare } from './present.ts';
import { keepFolder } from './queries.ts';
import type { Share, FolderShareBody } from './schemas.ts';
import { type DependentGrant, dependentGrants as grantsBelow, lockTree } from './tree-queries.ts';
import { lockSeen } from '../../platform/database/lock-tracking.ts';

const kind = { type: 'folder', noun: 'folder' } as const;

/** Lists the shares of the folder itself, for every reader of the folder. Errors: 404. */
export async function listShares(scope: ReadScope, folderId: string): Promise<Share[]> {
  const { folder } = await readableFolder(scope, folderId);
  return (await sharesOf(scope, kind.type, folder.id)).map((row) => presentShare(folder.id, row));
}

/**
 * Shares a folder and everything below it with a member, a group or the whole team. A second share with the same principal replaces the
 * first. Errors: 400, 403, 404 `member_not_found`, `group_not_found`, 409 `self_share_not_allowed`.
 */
export async function shareFolder(scope: Scope, folderId: string, input: FolderShareBody): Promise<Share> {
  const { folder, access } = await sharableFolder(scope, folderId);
  refuseOneself(scope, input.userId);
  const relations = [input.access === 'write' ? 'editor' : 'viewer'];
  const row = await putShare(scope, { ...kind, id: folder.id, owner: folder.user_id, hold: keepFolder }, input, relations);
  await recordAudit(scope, folderShared, folder.id, { ...principalOf(row), access: input.access, ...access.byRole('share') });
  return presentShare(folder.id, row);
}

/** Revokes a share and returns the task grants that its principal made below the folder. `cascade` ends them too. Errors: 403, 404. */
export async function unshareFolder(
  scope: Scope,
  folderId: string,
  shareId: string,
  { cascade = false }: Revoke = {},
): Promise<RevokedGrant> {
  const { folder, access } = await sharableFolder(scope, folderId);
  const row = await revokeShare(scope, { ...kind, id: folder.id }, shareId);
  await recordAudit(scope, folderUnshared, folder.id, { ...principalOf(row), ...(cascade ? { cascade } : {}), ...access.byRole('share') });
  return revokedGrant(cascade ? [] : await dependentGrants(scope, principalOf(row), { folder: folder.id }));
}

/** Returns the task grants that the principal of a share made for a document, or for the documents in a folder and below it. */
export async function dependentGrants(
  scope: Scope,
  principal: Parameters<typeof personsOf>[1],
  of: { document: string } | { folder: string },
): Promise<DependentGrant[]> {
  const by = await personsOf(scope, principal);
  const { user } = viewerOf(scope.actor);
  return scope.db.all(grantsBelow, { team: scope.team, by, user, document: null, folder: null, ...of });
}

const maxDependentGrants = 1_000;

/** The response of a revocation, with the remaining dependent grants. */
export const revokedGrant = (below: readonly DependentGrant[]): RevokedGrant => ({
  dependentGrants: below
    .filter(({ hidden }) => !hidden)
    .slice(0, maxDependentGrants)
    .map((row) => ({
      id: row.id,
      documentId: row.document_id,
      ...(row.user_id === null ? {} : { userId: row.user_id }),
      ...(row.group_id === null ? {} : { groupId: row.group_id }),
      taskId: row.task_id,
      grantedBy: row.granted_by,
      since: row.created_at,
    })),
});

/**
 * Lists who may see a folder, the reason and start of each access, and the actions that only a role allowed. Only its owner and administrators can do
 * this. Errors: 403, 404.
 */
export async function folderAccess(scope: ReadScope, folderId: string): Promise<AccessList> {
  const { folder, access } = await readableFolder(scope, folderId);
  if (!access.can('share'))
    throw problems.forbidden('Only the owner of the folder and administrators may see who has access to it. Ask one of them.');
  return accessOf(scope, { id: folder.id, owner: folder.user_id, since: folder.created_at, folder: folder.id }, []);
}

type Accessible = { id: string; owner: string; since: string; folder: string | null };

/**
 * Returns the grants of a resource by its folder, its owner and the roles of the team, with its `own` grants and the privileged access. Marks users
 * that a barrier excludes.
 */
export async function accessOf(scope: ReadScope, thing: Accessible, own: AccessList['grants']): Promise<AccessList> {
  const shares = thing.folder === null ? [] : await scope.db.all(sharesReaching, { team: scope.team, container: thing.folder });
  const { grants, privilegedAccess } = await accessListOf(scope, thing, [
    ...shares.map((row) => ({ ...presentGrant(row), folderId: row.resource_id })),
    ...own,
  ]);
  const inside = await insideAmong(scope, thing.folder, grants);
  return {
    grants: grants.map((grant) => (grant.userId === undefined || inside.has(grant.userId) ? grant : { ...grant, barred: true as const })),
    privilegedAccess,
  };
}

async function insideAmong(scope: ReadScope, folder: string | null, grants: AccessList['grants']): Promise<Set<string>> {
  const users = [...new Set(grants.flatMap(({ userId }) => userId ?? []))];
  if (folder === null) return new Set(users);
  return new Set((await scope.db.all(insideOf, { team: scope.team, container: folder, users, when: 'now' })).map(({ id }) => id));
}

/** Returns a folder that the actor may share: its owner, administrators, and an API client that made it and all its content. Errors: 403, 404. */
export async function sharableFolder(scope: Scope, id: string): Promise<AccessibleFolder> {
  // The tree lock keeps the content unchanged while it is checked.
  const look = () => readableFolder(scope, id);
  const found = await (scope.actor.type === 'client' ? lockSeen(scope.db, lockTree, { team: scope.team }, look) : look());
  const madeByActor = await isCreatedByClient(scope, found.folder.id);
  if (mayShare(scope.actor, found.access, { madeByActor })) return found;
  throw problems.forbidden(
    scope.actor.type === 'client'
      ? 'An API client may share only a folder that it created, with content that only it created, changed and moved. Ask its owner or an administrator to share it.'
      : 'Only the owner of a folder or an administrator may share it.',
  );
}
