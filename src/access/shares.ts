import { readingsByRole } from '#journal';
import { lockMember, managersOf } from '#teams';
import { randomUUIDv7 } from 'node:crypto';
import type { Static, TObject } from 'typebox';
import { pipelined } from '../platform/database/pipelined.ts';
import type { Statement } from '../platform/database/statement.ts';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import type { ResourceType } from './can.ts';
import { accessProblems } from './problems.ts';
import type { unsharedMembers } from './events.ts';
import * as queries from './queries.ts';
import type { AccessList, Grant, PrincipalBody } from './schemas.ts';

const maxReadings = 500;

/** A shared resource. `hold` locks its row against deletion. */
export type Shared = {
  type: ResourceType;
  noun: string;
  id: string;
  owner: string | null;
  hold: Statement<{ team: string; id: string }, { id: string }>;
};

/** Returns the shares and task grants of a resource, oldest first. */
export const sharesOf = (scope: ReadScope | Scope, type: ResourceType, resource: string): Promise<queries.GrantRow[]> =>
  scope.db.all(queries.listGrants, { team: scope.team, type, resource });

/**
 * Shares a resource with a member, a group or the whole team. A second share with the same principal replaces the first. Throws 400,
 * 404 `member_not_found`, `group_not_found`.
 */
export async function putShare(
  scope: Scope,
  { type, noun, id, owner, hold }: Shared,
  body: PrincipalBody,
  relations: readonly string[],
): Promise<queries.GrantRow> {
  if (scope.actor.type === 'system') throw new Error('The system cannot share resources');
  const principal = await principalFor(scope, noun, owner, body);
  if (!(await scope.db.first(hold, { team: scope.team, id }))) throw notFound(noun);
  const [made] = await scope.db.all(queries.putGrant, {
    team: scope.team,
    id: randomUUIDv7(),
    type,
    resource: id,
    ...principal,
    relations,
    source: 'share',
    by: scope.actor.id,
    at: scope.now,
  });
  if (!made) throw new Error('a share was not stored');
  return made;
}

type Revoked = Omit<Shared, 'hold' | 'owner'>;
const grantNamed = (scope: Scope, { type, id }: Revoked, grant: string) => ({
  team: scope.team,
  type,
  resource: id,
  id: pathId(grant, 'share'),
});

/** Returns a grant before its revocation. Throws 404. */
export async function findGrant(scope: Scope, of: Revoked, grant: string): Promise<queries.GrantRow> {
  const found = await scope.db.first(queries.findGrant, grantNamed(scope, of, grant));
  if (!found) throw notFound(`share of this ${of.noun}`);
  return found;
}

/** Revokes a share. Throws 404. */
export async function revokeShare(scope: Scope, of: Revoked, share: string): Promise<queries.GrantRow> {
  const [ended] = await scope.db.all(queries.revokeGrant, grantNamed(scope, of, share));
  if (!ended) throw notFound(`share of this ${of.noun}`);
  return ended;
}

/** Gives a confined client or agent the relations to a resource that it creates outside of its containers. */
export function grantToCreator(scope: Scope, type: ResourceType, resource: string, relations: readonly string[]): void {
  const { actor, team, now: at } = scope;
  if ((actor.type !== 'client' && actor.type !== 'agent') || actor.folderIds === undefined) return;
  const principal = { principalType: actor.type, principal: actor.id, relations, source: 'confinement' } as const;
  scope.db.send(queries.addGrant, { team, id: randomUUIDv7(), type, resource, ...principal, by: actor.id, at });
}

type Principal = { principalType: 'user' | 'group' | 'team' | 'client'; principal: string };

/** Returns the identifier of an active API client that sees the whole team. Throws 404 `client_not_found`. */
export async function clientNamed({ db, team }: Scope, clientId: string): Promise<string> {
  const client = isUuid(clientId) && (await db.first(queries.findClient, { team, id: clientId.toLowerCase() }));
  if (!client)
    throw accessProblems.client_not_found(
      '`clientId` must name an active API client of your team that is not confined to folders. List the API clients and check the identifier.',
    );
  return client.id;
}

async function principalFor(scope: Scope, noun: string, owner: string | null, body: PrincipalBody): Promise<Principal> {
  const { userId, groupId, team, clientId } = body;
  if (clientId !== undefined && userId === undefined && groupId === undefined && team === undefined)
    return { principalType: 'client', principal: await clientNamed(scope, clientId) };
  if ([userId, groupId, team].filter((each) => each !== undefined).length !== 1) {
    const reason = 'exactly one of `userId`, `groupId` and `team` must be given';
    throw problems.validation_failed(`Share the ${noun} with one member (\`userId\`), group (\`groupId\`) or the whole team (\`team\`).`, {
      errors: [{ name: 'userId', pointer: '/userId', reason, rule: 'required' }],
    });
  }
  if (team) return { principalType: 'team', principal: scope.team };
  if (groupId !== undefined) {
    const group = isUuid(groupId) && (await scope.db.first(queries.lockGroupShared, { team: scope.team, id: groupId.toLowerCase() }));
    if (!group) throw accessProblems.group_not_found('`groupId` must name a group of your team. List the groups and check the identifier.');
    return { principalType: 'group', principal: group.id };
  }
  const member = userId !== undefined && isUuid(userId) && userId.toLowerCase() !== owner ? userId.toLowerCase() : undefined;
  const found = member && (await scope.db.first(lockMember, { team: scope.team, id: member }));
  // An auditor reads the resources of the seat only.
  if (!found || found.role === 'auditor')
    throw problems.member_not_found('`userId` must name another active member of your team. List the members and check the identifier.');
  return { principalType: 'user', principal: found.id };
}

/** Rejects a share with the caller, who already has access. Throws 409. */
export function refuseOneself({ actor }: Scope, userId: string | undefined): void {
  if (actor.type === 'user' && actor.id === userId)
    throw accessProblems.self_share_not_allowed(
      '`userId` is your own identifier, and you already have access. Name another member of your team.',
    );
}

/** Returns the principal of a grant for responses and journal entries. */
export function principalOf({ principal_type: type, principal_id: id }: Pick<queries.GrantRow, 'principal_type' | 'principal_id'>): Omit<
  Static<TObject<typeof unsharedMembers>>,
  'via' | 'cascade'
> & {
  team?: true;
} {
  if (type === 'team') return { team: true };
  if (type === 'client') return { clientId: id };
  return type === 'group' ? { groupId: id } : { userId: id };
}

/** Returns the users of a principal: the member, or the members of the group. Returns null for the whole team. */
export async function personsOf({ db, team }: Scope, { userId, groupId }: PrincipalBody): Promise<string[] | null> {
  if (userId !== undefined) return [userId];
  if (groupId === undefined) return null;
  return (await db.all(queries.membersOfGroup, { team, group: groupId })).map(({ user_id: id }) => id);
}

const accessOf = ({ relations }: queries.GrantRow): Grant['access'] => {
  if (relations.includes('binder')) return 'bind';
  return relations.includes('editor') ? 'write' : 'read';
};

export const presentGrant = (row: queries.GrantRow): Grant => ({
  id: row.id,
  ...principalOf(row),
  access: accessOf(row),
  reason: row.source === 'task' ? 'task' : 'share',
  ...(row.source_id === null ? {} : { taskId: row.source_id }),
  grantedBy: row.granted_by,
  since: row.created_at,
});

/** Returns the access list of a resource: its owner, these grants and the managers of the team. Adds the privileged access by role, newest first. */
export async function accessListOf(
  { db, team }: ReadScope,
  resource: { id: string; owner: string; since: string },
  grants: readonly Grant[],
): Promise<AccessList> {
  const { managers, privilegedAccess } = await pipelined({
    managers: () => db.all(managersOf, { team }),
    privilegedAccess: () => db.all(readingsByRole, { team, target: resource.id, limit: maxReadings }),
  });
  return {
    grants: [
      { userId: resource.owner, access: 'write', reason: 'owner', since: resource.since },
      ...grants,
      ...managers
        .filter(({ id }) => id !== resource.owner)
        .map(({ id }) => ({ userId: id, access: 'write' as const, reason: 'role' as const })),
    ],
    privilegedAccess: privilegedAccess.map(({ id, type, actor_id: userId, at, data }) => ({
      id,
      type,
      userId,
      at,
      ...(typeof data.version === 'number' ? { version: data.version } : {}),
    })),
  };
}
