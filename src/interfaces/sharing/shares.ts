import { randomUUIDv7 } from 'node:crypto';
import { accessOf, insideOf, ownerForActor, refuseOneself } from '#folders';
import { holdMember } from '#teams';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import { byRole } from '../../platform/reasons.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { readableInterface } from '../access.ts';
import { interfaceShared, interfaceUnshared } from '../events.ts';
import type { Reached } from '../queries.ts';
import * as queries from './queries.ts';
import type { Access, Right, Share, ShareBody } from './schemas.ts';

/** Who an interface is shared with. Whoever sees the interface may see it. Errors: 404. */
export async function listShares(scope: ReadScope, id: string): Promise<Share[]> {
  const { row } = await readableInterface(scope, id);
  return (await scope.db.all(queries.listShares, { team: scope.team, interface: row.id })).map(present);
}

/**
 * Shares an interface with a member or the whole team; a second share with the same changes the first. Who may not read what was
 * submitted gives nobody that right. Errors: 400, 403, 404, `member_not_found`, 409 `shared_with_oneself`.
 */
export async function shareInterface(scope: Scope, id: string, input: ShareBody): Promise<Share> {
  const { row, access } = await sharable(scope, id);
  const { userId, team: withTeam, rights } = input;
  if ((userId === undefined) === (withTeam === undefined))
    throw problems.validation_failed('Name one of `userId` and `team`: an interface is shared with a person or with the whole team.', {
      errors: [{ name: 'userId', pointer: '/userId', reason: 'or `team` must be given, and not both', rule: 'required' }],
    });
  if (rights.includes('submissions') && access.submissions !== 'write')
    throw problems.forbidden('A wall keeps you from what was submitted, or lets you read it for a day: you cannot let others read it.');
  refuseOneself(scope, userId);
  const member = userId === undefined ? undefined : await memberToShareWith(scope, userId, row.owner_id);
  const [made] = await scope.db.all(queries.putShare, {
    team: scope.team,
    interface: row.id,
    id: randomUUIDv7(),
    user: member ?? null,
    rights,
    by: await ownerForActor(scope),
    at: scope.now,
  });
  if (!made) throw notFound('interface');
  await recordAct(scope, interfaceShared, row.id, { ...withWhom(member), rights, ...byRole('all', access) });
  return present(made);
}

async function memberToShareWith(scope: Scope, userId: string, owner: string): Promise<string> {
  const known = isUuid(userId) && userId.toLowerCase() !== owner ? userId.toLowerCase() : undefined;
  const member = known && (await scope.db.first(holdMember, { team: scope.team, id: known }));
  if (!member) throw problems.member_not_found('`userId` names no other active member of your team. List the members and check it.');
  return member.id;
}

/** Ends a share. Errors: 403, 404. */
export async function unshareInterface(scope: Scope, id: string, shareId: string): Promise<void> {
  const { row, access } = await sharable(scope, id);
  const [ended] = await scope.db.all(queries.deleteShare, { team: scope.team, interface: row.id, id: pathId(shareId, 'share') });
  if (!ended) throw notFound('share');
  await recordAct(scope, interfaceUnshared, row.id, { ...withWhom(ended.user_id ?? undefined), ...byRole('all', access) });
}

/** Who may do what with an interface, why and since when, and what was done with it by role alone: for its owner and administrators. */
export async function interfaceAccess(scope: ReadScope, id: string): Promise<Access> {
  const { row, access } = await readableInterface(scope, id);
  if (access.level !== 'all') throw problems.forbidden('Only the owner of an interface and administrators see who has access to it.');
  const { team } = scope;
  const shares = await scope.db.all(queries.listShares, { team, interface: row.id });
  const own = shares.map(({ id: shareId, user_id: userId, created_by: grantedBy, created_at: since }) => ({
    id: shareId,
    ...(userId === null ? { team: true as const } : { userId }),
    access: 'read' as const,
    reason: 'share' as const,
    grantedBy,
    since,
  }));
  const { grants, readings } = await accessOf(scope, { id: row.id, owner: row.owner_id, since: row.created_at, folder: null }, own);
  const users = [...new Set(grants.flatMap(({ userId }) => userId ?? []))];
  const inside = row.folder_id === null ? users : await peopleInside(scope, row.folder_id, users);
  const rightsOf = new Map(shares.map(({ id: shareId, rights }) => [shareId, rights]));
  return {
    grants: grants.map(({ id: grant, userId, team: whole, reason, grantedBy, since }) => ({
      ...(grant === undefined ? {} : { id: grant }),
      ...(userId === undefined ? {} : { userId }),
      ...(whole === undefined ? {} : { team: whole }),
      rights: rightsOf.get(grant ?? '') ?? everything,
      reason: reason === 'owner' || reason === 'role' ? reason : 'share',
      ...(grantedBy === undefined ? {} : { grantedBy }),
      ...(since === undefined ? {} : { since }),
      ...(userId === undefined || inside.includes(userId) ? {} : { walled: true as const }),
    })),
    readings: readings.map(({ id: entry, type, userId, at }) => ({ id: entry, type, userId, at })),
  };
}

const everything: Right[] = ['edit', 'submissions'];

async function peopleInside({ db, team }: ReadScope, folder: string, users: string[]): Promise<string[]> {
  return (await db.all(insideOf, { team, id: folder, users, when: 'now' })).map(({ id }) => id);
}

const withWhom = (member: string | undefined) => (member === undefined ? { team: true } : { userId: member });

/** Only its owner and administrators decide who else may do something with an interface. */
async function sharable(scope: Scope, id: string): Promise<Reached> {
  const found = await readableInterface(scope, id);
  if (found.access.level !== 'all') throw problems.forbidden('Only the owner of an interface or an administrator may share it.');
  return found;
}

const present = ({ id, interface_id: interfaceId, user_id: userId, rights, created_at: createdAt }: queries.ShareRow): Share => ({
  id,
  interfaceId,
  ...(userId === null ? { team: true as const } : { userId }),
  rights,
  createdAt,
});
