import { randomUUIDv7 } from 'node:crypto';
import { lockMembers } from '#accounts';
import { changeDirectoryGroupMembers, createDirectoryGroup, deleteDirectoryGroup, renameDirectoryGroup } from '#access';
import { violates } from '../../../platform/database/errors.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { isPrintable, normalText } from '../../../platform/text.ts';
import type { Directories } from '../context.ts';
import { applyRoles } from '../membership.ts';
import { directoryUpdated } from '../events.ts';
import * as directoryQueries from '../queries.ts';
import { invalid, noResource, notUnique } from './errors.ts';
import * as queries from './group-queries.ts';
import { type GroupChange, maxGroupName, maxMembers, type MemberStep } from './patch.ts';
import { actingDirectory, type VersionCheck } from './users.ts';

const maxGroups = 5_000;

type Group = queries.GroupRow;
type DirectorySettings = directoryQueries.DirectorySettings;

const nameTaken = () => notUnique('A group of the team has this `displayName`. Rename one of the two.');

function cleanGroupName(given: string): string {
  const name = normalText(given).trim();
  if (name === '' || name.length > maxGroupName || !isPrintable(name))
    throw invalid('invalidValue', `\`displayName\` must have 1 to ${maxGroupName} visible characters.`);
  return name;
}

/** Returns the acting directory. Roles are changed under the lock of the memberships, which comes before that of a group. */
async function directoryFor(scope: Scope): Promise<DirectorySettings> {
  const directory = await actingDirectory(scope);
  if (directory.role_groups.length > 0) await scope.db.all(lockMembers, { team: scope.team });
  return directory;
}

async function orTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw violates(error, 'directory_group_external_once') ? notUnique('Another group of the directory has this `externalId`.') : error;
  }
}

/** Creates a group with its members. Throws 400 `invalidValue`, 403, 409 `uniqueness`. */
export async function createGroup(
  dirs: Directories,
  scope: Scope,
  input: { displayName: string; externalId: string | null; members: string[] | undefined },
): Promise<Group> {
  const directory = await directoryFor(scope);
  const of = { team: scope.team, directory: directory.id };
  const counted = await scope.db.first(queries.countGroups, of);
  if ((counted?.groups ?? 0) >= maxGroups) throw problems.forbidden(`A directory has at most ${maxGroups} groups. Delete some first.`);
  const id = randomUUIDv7();
  const name = cleanGroupName(input.displayName);
  if (!(await createDirectoryGroup(scope, { id, directory: directory.id, name }))) throw nameTaken();
  const row = await orTaken(scope.db.first(queries.insertGroup, { ...of, id, name, externalId: input.externalId, at: scope.now }));
  if (!row) throw new Error('the inserted group was not returned');
  await changeMembers(dirs, scope, directory, row, [{ op: 'add', ids: input.members ?? [] }]);
  return row;
}

async function lockedGroup(scope: Scope, directory: DirectorySettings, given: string, expect: VersionCheck): Promise<Group> {
  const row = isUuid(given)
    ? await scope.db.first(queries.lockGroup, { team: scope.team, directory: directory.id, id: given.toLowerCase() })
    : undefined;
  if (!row) throw noResource('group');
  expect(row.version);
  return row;
}

/**
 * Changes the name, the external identifier and the members of a group, all or nothing. Throws 400 `invalidValue` for an unknown member, 404, 409
 * `uniqueness`, 412.
 */
export async function changeGroup(dirs: Directories, scope: Scope, id: string, change: GroupChange, expect: VersionCheck): Promise<Group> {
  const directory = await directoryFor(scope);
  const group = await lockedGroup(scope, directory, id, expect);
  const name = change.displayName === undefined ? group.name : cleanGroupName(change.displayName);
  const externalId = change.externalId === undefined ? group.external_id : change.externalId;
  if (name !== group.name) await renameDirectoryGroup(scope, { id: group.id, name }, nameTaken);
  const moved = await changeMembers(dirs, scope, directory, { ...group, name }, change.steps);
  if (name === group.name && externalId === group.external_id && !moved) return group;
  const row = await orTaken(scope.db.first(queries.updateGroup, { team: scope.team, id: group.id, name, externalId, at: scope.now }));
  return row ?? group;
}

/** Deletes a group with its shares. Its members get the roles of their other groups. Throws 404, 412. */
export async function deleteGroup(dirs: Directories, scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  const directory = await directoryFor(scope);
  const group = await lockedGroup(scope, directory, id, expect);
  const decides = directory.role_groups.some(({ groupId }) => groupId === group.id);
  const members = decides ? await scope.db.all(queries.accountsOfGroup, { team: scope.team, group: group.id }) : [];
  await deleteDirectoryGroup(scope, group);
  if (decides) await dropRoleGroup(scope, directory, group.id);
  const users = members.map((row) => row.user_id);
  await applyRoles(dirs, scope, directory, users);
}

async function dropRoleGroup(scope: Scope, { id }: DirectorySettings, group: string): Promise<void> {
  await scope.db.all(directoryQueries.dropRoleGroup, { team: scope.team, id, group, at: scope.now });
  await recordAudit(scope, directoryUpdated, id, { changed: ['roleGroups'] });
}

type ChangedMember = { user_id: string; account_id: string | null };

/** Applies the steps in their order, each as one set. Returns whether the members changed. Throws 400. */
async function changeMembers(
  dirs: Directories,
  scope: Scope,
  directory: DirectorySettings,
  group: Group,
  steps: readonly MemberStep[],
): Promise<boolean> {
  const of = { team: scope.team, group: group.id };
  /** Whether each changed user is a member now. */
  const now = new Map<string, { account: string | null; isMember: boolean }>();
  const note = (rows: readonly ChangedMember[], isMember: boolean) => {
    for (const { user_id: user, account_id: account } of rows) now.set(user, { account, isMember });
  };
  for (const step of steps) {
    if (step.op === 'clear') note(await scope.db.all(queries.keepMembers, { ...of, users: [] }), false);
    else if (step.op === 'remove') note(await scope.db.all(queries.dropMembers, { ...of, users: step.ids }), false);
    else {
      const users = await lockedUsers(scope, directory, step.ids);
      if (step.op === 'replace') note(await scope.db.all(queries.keepMembers, { ...of, users: [...users.keys()] }), false);
      const added = users.size === 0 ? [] : await scope.db.all(queries.addMembers, { ...of, users: [...users.keys()] });
      note(
        added.map(({ user_id: user }) => ({ user_id: user, account_id: users.get(user) ?? null })),
        true,
      );
    }
  }
  if (now.size === 0) return false;
  if (((await scope.db.first(queries.countMembers, of))?.members ?? 0) > maxMembers)
    throw invalid('tooMany', `A group has at most ${maxMembers} members.`);
  const accounts = (isMember: boolean) =>
    [...now.values()].flatMap((one) => (one.isMember === isMember && one.account !== null ? [one.account] : [])).toSorted();
  const { id, name } = group;
  await changeDirectoryGroupMembers(scope, { id, name, directory: directory.id, added: accounts(true), removed: accounts(false) });
  if (directory.role_groups.some(({ groupId }) => groupId === group.id)) await applyRoles(dirs, scope, directory, [...now.keys()]);
  return true;
}

/** Returns the accounts of users of the directory, who are locked. Throws 400 `invalidValue` if one is unknown. */
async function lockedUsers(scope: Scope, directory: DirectorySettings, given: readonly string[]): Promise<Map<string, string | null>> {
  const ids = [...new Set(given)];
  if (ids.length === 0) return new Map();
  const locked = await scope.db.all(queries.lockUsers, { team: scope.team, directory: directory.id, ids });
  if (locked.length < ids.length) {
    const known = new Set(locked.map(({ id }) => id));
    throw invalid('invalidValue', `The directory has no user with the id ${ids.find((id) => !known.has(id)) ?? ''}.`);
  }
  return new Map(locked.map(({ id, account_id: account }) => [id, account]));
}
