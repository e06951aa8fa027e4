import { accessListOf, type GrantRow, insideOf, presentGrant, principalOf, putShare, refuseOneself, revokeShare, sharesOf } from '#access';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import { interfaceShared, interfaceUnshared } from '../events.ts';
import { lockInterface, type AccessibleForm } from '../queries.ts';
import type { Access, Right, Share, ShareBody } from './schemas.ts';

const kind = { type: 'form', noun: 'interface' } as const;
const relationOf: Record<Right, string> = { edit: 'editor', submissions: 'submission_viewer' };
const everything: Right[] = ['edit', 'submissions'];
const rightsOf = ({ relations }: GrantRow): Right[] => everything.filter((right) => relations.includes(relationOf[right]));

/** Lists the shares of a form. Throws 404. */
export async function listShares(scope: ReadScope, id: string): Promise<Share[]> {
  const { row } = await readableInterface(scope, id);
  return (await sharesOf(scope, kind.type, row.id)).map((share) => present(row.id, share));
}

/**
 * Shares a form with a member, a group or the whole team. Throws 400, 403, 404, `member_not_found`, `group_not_found`, 409 `self_share_not_allowed`.
 */
export async function shareInterface(scope: Scope, id: string, input: ShareBody): Promise<Share> {
  const { row, access } = await sharable(scope, id);
  const { rights } = input;
  refuseOneself(scope, input.userId);
  const relations = rights.map((right) => relationOf[right]);
  const share = await putShare(scope, { ...kind, id: row.id, owner: row.owner_id, hold: lockInterface }, input, relations);
  await recordAudit(scope, interfaceShared, row.id, { ...principalOf(share), rights, ...access.byRole('share') });
  return present(row.id, share);
}

/** Revokes a share. Throws 403, 404. */
export async function unshareInterface(scope: Scope, id: string, shareId: string): Promise<void> {
  const { row, access } = await sharable(scope, id);
  const share = await revokeShare(scope, { ...kind, id: row.id }, shareId);
  await recordAudit(scope, interfaceUnshared, row.id, { ...principalOf(share), ...access.byRole('share') });
}

/**
 * Lists the members and groups with access to a form, with their rights, the reasons, and the time since which they have access. Also lists access
 * that follows from a role. Requires the owner or an administrator.
 */
export async function interfaceAccess(scope: ReadScope, id: string): Promise<Access> {
  const { row, access } = await readableInterface(scope, id);
  if (!access.can('share'))
    throw problems.forbidden('Only the owner of the form and administrators can see its access list. Ask one of them.');
  const shares = await sharesOf(scope, kind.type, row.id);
  const { grants, privilegedAccess } = await accessListOf(
    scope,
    { id: row.id, owner: row.owner_id, since: row.created_at },
    shares.map(presentGrant),
  );
  const users = [...new Set(grants.flatMap(({ userId }) => userId ?? []))];
  const inside = row.folder_id === null ? users : await peopleInside(scope, row.folder_id, users);
  const rights = new Map(shares.map((share) => [share.id, rightsOf(share)]));
  return {
    grants: grants.map((grant) => {
      const { access: _, reason, ...shown } = grant;
      return {
        ...shown,
        rights: rights.get(grant.id ?? '') ?? everything,
        reason: reason === 'owner' || reason === 'role' ? reason : 'share',
        ...(grant.userId === undefined || inside.includes(grant.userId) ? {} : { barred: true as const }),
      };
    }),
    privilegedAccess: privilegedAccess.map(({ id: entry, type, userId, at }) => ({ id: entry, type, userId, at })),
  };
}

async function peopleInside({ db, team }: ReadScope, folder: string, users: string[]): Promise<string[]> {
  return (await db.all(insideOf, { team, container: folder, users, when: 'now' })).map(({ id }) => id);
}

/** Returns a form that the actor can share. Throws 403, 404. */
async function sharable(scope: Scope, id: string): Promise<AccessibleForm> {
  const found = await readableInterface(scope, id);
  if (!found.access.can('share')) throw problems.forbidden('Only the owner of the form or an administrator can share it. Ask one of them.');
  return found;
}

const present = (interfaceId: string, row: GrantRow): Share => ({
  id: row.id,
  interfaceId,
  ...principalOf(row),
  rights: rightsOf(row),
  createdAt: row.created_at,
});
