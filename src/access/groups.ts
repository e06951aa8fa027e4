import { hasEnd } from '#accounts';
import { lockMember } from '#teams';
import { randomUUIDv7 } from 'node:crypto';
import { violates } from '../platform/database/errors.ts';
import { pipelined } from '../platform/database/pipelined.ts';
import { lockSeen } from '../platform/database/lock-tracking.ts';
import type { ChangePage, Placed } from '../platform/database/sorted-page.ts';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { record } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { AccessContext, ReadScope, Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import type { VersionCheck, Versioned } from '../platform/versioned.ts';
import { groupCreated, groupDeleted, groupMemberAdded, groupMemberRemoved, groupUpdated } from './events.ts';
import { accessProblems } from './problems.ts';
import { viewerOf } from './list-queries.ts';
import * as queries from './queries.ts';
import type { ResourceName } from './resource-access.ts';
import type { Group, GroupBody, GroupMember, GroupPatch } from './schemas.ts';

const maxGroups = 1_000;

/** Returns a page of the groups of the team. */
export async function listGroups(scope: ReadScope, { sort, ...page }: ChangePage): Promise<Placed<Group>[]> {
  const rows = await scope.db.all(queries.listGroups[sort], { team: scope.team, ...page });
  return rows.map((row) => ({ thing: present(row), place: [row.sort_time, row.id] as const }));
}

/** Returns one group. Throws 404. */
export async function getGroup(scope: ReadScope | Scope, id: string): Promise<Versioned<Group>> {
  const row = await scope.db.first(queries.findGroup, { team: scope.team, id: pathId(id, 'group') });
  if (!row) throw notFound('group');
  return { value: present(row), version: row.version };
}

/** Returns the names of the groups among these identifiers. */
export const groupNames = ({ db, team }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
  db.all(queries.groupsNamed, { team, ids });

/** Creates a group without members. Throws 409 `group_name_taken`, `group_limit`. */
export async function createGroup(scope: Scope, input: GroupBody): Promise<Versioned<Group>> {
  const { team, actor, now: at } = scope;
  if (actor.type === 'system') throw new Error('The system cannot create groups');
  const name = cleanName(input.name);
  const id = randomUUIDv7();
  const made = await scope.db.first(queries.insertGroup, {
    team,
    id,
    name,
    description: input.description ?? null,
    by: actor.id,
    byType: actor.type,
    at,
    most: maxGroups,
  });
  if (!made) {
    if (await scope.db.first(queries.isNameTaken, { team, id, name })) throw nameTaken();
    throw accessProblems.group_limit(`Your team has ${maxGroups} groups, the maximum. Delete groups that are no longer used.`);
  }
  await record(scope, groupCreated, id, { name });
  return getGroup(scope, id);
}

/** Changes the name or description of a group. Throws 404, 409 `group_name_taken`, 412. */
export async function updateGroup(scope: Scope, id: string, input: GroupPatch, expect: VersionCheck): Promise<Versioned<Group>> {
  const { group } = await lockedGroup(scope, id, expect);
  const name = input.name === undefined ? group.name : cleanName(input.name);
  const description = input.description === undefined ? group.description : input.description;
  await scope.db.all(queries.updateGroup, { team: scope.team, id: group.id, name, description, at: scope.now }).catch((error: unknown) => {
    throw violates(error, 'access_group_name') ? nameTaken() : error;
  });
  await record(scope, groupUpdated, group.id, { name });
  return getGroup(scope, group.id);
}

/** Returns the number of uses of a group, by kind. Throws 404. */
export async function usesOfGroup(scope: ReadScope, id: string): Promise<queries.GroupUses> {
  const { value: group } = await getGroup(scope, id);
  return countUses(scope, group.id);
}

async function countUses({ db, team }: ReadScope | Scope, id: string): Promise<queries.GroupUses> {
  const uses = await db.first(queries.usesOfGroup, { team, id });
  if (!uses) throw new Error('the function returned no row');
  return uses;
}

/**
 * Deletes a group and its shares. `force` deletes it also while tasks, steps, templates or policies name it. Throws 404, 409 `group_in_use`, 412.
 */
export async function deleteGroup(
  scope: Scope,
  id: string,
  expect: VersionCheck,
  { force = false }: { force?: boolean } = {},
): Promise<void> {
  const { group } = await lockedGroup(scope, id, expect);
  const uses = force ? undefined : await countUses(scope, group.id);
  if (uses && uses.tasks + uses.steps + uses.templates + uses.policies > 0)
    throw accessProblems.group_in_use(
      'Open tasks, steps of unfinished workflows, templates or approval policies name this group: `uses` counts them. Reassign or change them, or send `force=true`.',
      { members: { uses } },
    );
  await pipelined([
    () => scope.db.all(queries.deleteGroup, { team: scope.team, id: group.id }),
    () => record(scope, groupDeleted, group.id, { name: group.name }),
  ]);
}

/** Returns a page of the members of a group. Throws 404. */
export async function listGroupMembers(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<GroupMember[]> {
  const { value: group } = await getGroup(scope, id);
  return (await scope.db.all(queries.listMembers, { team: scope.team, group: group.id, ...page })).map(presentMember);
}

/** Adds a team member to a group; does nothing for an existing group member. Throws 403, 404 `member_not_found`, 422 `guest_in_group`. */
export async function addGroupMember(scope: Scope, id: string, userId: string): Promise<GroupMember> {
  const { group } = await lockedGroup(scope, id);
  const { team, actor, now: at } = scope;
  await requireInside(scope, group.id);
  if (actor.type === 'system') throw new Error('The system cannot add group members');
  const member = isUuid(userId) && (await scope.db.first(lockMember, { team, id: userId.toLowerCase() }));
  if (!member)
    throw problems.member_not_found('`userId` must name an active member of your team. List the members and check the identifier.');
  if (hasEnd(member.role))
    throw accessProblems.guest_in_group(
      'Guests and auditors are in no group, because a group can get more access later. Share with them directly.',
    );
  const one = { team, group: group.id, user: member.id };
  const added = await scope.db.first(queries.insertMember, { ...one, by: actor.id, at });
  if (added) await record(scope, groupMemberAdded, group.id, { name: group.name, userId: member.id });
  const row = added ?? (await scope.db.first(queries.findMember, one));
  if (!row) throw notFound('member of this group');
  return presentMember(row);
}

/** Removes a member from a group. Throws 404. */
export async function removeGroupMember(scope: Scope, id: string, userId: string): Promise<void> {
  const { group } = await lockedGroup(scope, id);
  const one = { team: scope.team, group: group.id, user: pathId(userId, 'member of this group') };
  if (!(await scope.db.first(queries.deleteMember, one))) throw notFound('member of this group');
  await record(scope, groupMemberRemoved, group.id, { name: group.name, userId: one.user });
}

/** Requires that the actor is a member of the barriers of the group. Throws 403. */
async function requireInside({ db, team, actor }: Scope, group: string): Promise<void> {
  const found = await db.first(queries.outsideOfGroup, { team, group, user: viewerOf(actor).user });
  if (found)
    throw problems.forbidden(
      'This group is a member of an information barrier, and you are not. Ask a member of the barrier to add a member to the group.',
    );
}

/** Locks groups against deletion and changes of a directory, and returns their identifiers. Throws 404 `group_not_found`. */
export async function lockGroupsShared(scope: Scope, ids: readonly string[]): Promise<string[]> {
  return (await lockKnownGroups(scope, ids)).map(({ id }) => id);
}

/**
 * Like {@link lockGroupsShared}, for groups that become members of a barrier. Groups of a directory cannot. Throws 404
 * `group_not_found`, 422 `group_managed_by_directory`.
 */
export async function lockBarrierGroups(scope: Scope, ids: readonly string[]): Promise<string[]> {
  const found = await lockKnownGroups(scope, ids);
  if (found.some((group) => group.directory_id !== null))
    throw accessProblems.group_managed_by_directory(
      '`groupIds` names a group of a directory, which cannot be a member of a barrier. Name members, or a group of your own.',
      { status: 422 },
    );
  return found.map(({ id }) => id);
}

async function lockKnownGroups({ db, team }: Scope, ids: readonly string[]): Promise<{ id: string; directory_id: string | null }[]> {
  const unique = [...new Set(ids.map((id) => id.toLowerCase()))].toSorted();
  const found = unique.every(isUuid) ? await db.all(queries.lockGroupsShared, { team, ids: unique }) : [];
  if (found.length < unique.length)
    throw accessProblems.group_not_found(
      'The request names a group that your team does not have. List the groups and check the identifier.',
    );
  return found;
}

/** Keeps a group and its members as they are until the transaction ends. */
export const keepGroup = async ({ db, team }: Scope, group: string): Promise<void> => {
  await db.all(queries.lockGroupsShared, { team, ids: [group] });
};

/** Locks and returns a group that the team manages. Throws 404, 409 `group_managed_by_directory`, 412. */
async function lockedGroup(scope: Scope, id: string, expect: VersionCheck = () => undefined): Promise<{ group: queries.GroupRow }> {
  const at = { team: scope.team, id: pathId(id, 'group') };
  return lockSeen(scope.db, queries.lockGroup, at, async () => {
    const group = await scope.db.first(queries.findGroup, at);
    if (!group) throw notFound('group');
    if (group.directory_id !== null)
      throw accessProblems.group_managed_by_directory('A directory of the team manages this group. Change it there.');
    expect(group.version);
    return { group };
  });
}

const nameTaken = () => accessProblems.group_name_taken('Another group of your team has this name. Choose another name.');

const present = (row: queries.GroupRow): Group => ({
  id: row.id,
  name: row.name,
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.directory_id === null ? {} : { directoryId: row.directory_id }),
  membersCount: row.members,
  createdBy: row.created_by,
  createdByType: row.created_by_type,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const presentMember = (row: queries.MemberRow): GroupMember => ({ userId: row.user_id, addedBy: row.added_by, addedAt: row.added_at });
