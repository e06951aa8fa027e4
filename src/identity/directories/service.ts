import { randomUUIDv7 } from 'node:crypto';
import { requireRecentSignIn, lockMembers, teamStatements } from '#accounts';
import { releaseDirectoryGroups } from '#access';
import { connectionExists } from '#sso';
import { newTeamToken, readTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { PublicScope, ReadScope, Scope } from '../../platform/scope.ts';
import { enterTeam } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import type { Directories } from './context.ts';
import { directoryCreated, directoryDeleted, directoryUpdated, tokenCreated, tokenDeleted, usersRestored } from './events.ts';
import { restoreJob, suspendJob } from './jobs.ts';
import { maySucceed, linkMember } from './membership.ts';
import { directoryProblems } from './problems.ts';
import * as queries from './queries.ts';
import { groupsAmong } from './scim/group-queries.ts';
import * as userQueries from './scim/user-queries.ts';
import type { Directory, DirectoryBody, DirectoryPatch, DirectoryUser, LinkBody, LogEntry, Token } from './schemas.ts';

const maxDirectories = 5;
const maxTokens = 2;
const dayMs = 86_400_000;
const maxTokenDays = 365;

function present({ baseUrl }: Directories, row: queries.DirectoryRow): Versioned<Directory> {
  const value = {
    id: row.id,
    name: row.name,
    kind: row.kind,
    baseUrl,
    ...(row.connection_id === null ? {} : { connectionId: row.connection_id }),
    defaultRole: row.default_role,
    roleGroups: row.role_groups,
    mayGiveAdmin: row.may_give_admin,
    successor: row.successor,
    ...(row.successor_id === null ? {} : { successorId: row.successor_id }),
    ...(row.owner_successor_id === null ? {} : { ownerSuccessorId: row.owner_successor_id }),
    removalDelayDays: row.removal_delay_days,
    isActive: row.is_active,
    usersCount: row.users,
    pendingCount: row.pending,
    groupsCount: row.groups,
    ...(row.surge_at === null ? {} : { restorableSince: row.surge_at }),
    createdBy: row.created_by,
    createdByType: 'user' as const,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Lists the directories of the team, oldest first. */
export async function listDirectories(dirs: Directories, scope: ReadScope): Promise<Directory[]> {
  return (await scope.db.all(queries.listDirectories, { team: scope.team })).map((row) => present(dirs, row).value);
}

/** Returns a directory. Throws 404. */
export async function getDirectory(dirs: Directories, scope: ReadScope | Scope, given: string): Promise<Versioned<Directory>> {
  const row = await scope.db.first(queries.findDirectory, { team: scope.team, id: pathId(given, 'directory') });
  if (!row) throw notFound('directory');
  return present(dirs, row);
}

const refusedSetting = (detail: string) => directoryProblems.invalid_directory_setting(detail);

type CheckedSettings = {
  connection: string | null;
  role: 'member' | 'viewer';
  groups: queries.RoleGroup[];
  mayGiveAdmin: boolean;
  successor: 'manager' | 'owner' | 'member';
  successorId: string | null;
  ownerSuccessor: string | null;
  delay: number;
  active: boolean;
};

const lower = (id: string | null): string | null => id?.toLowerCase() ?? null;

/** Returns the settings after a change. Throws 403 for a setting of the owner, 422 if one names something that the team does not have. */
async function settledSettings(
  scope: Scope,
  input: Omit<DirectoryPatch, 'name'>,
  before: queries.DirectoryRow | undefined,
  caller: { role: string },
): Promise<CheckedSettings> {
  const settings: CheckedSettings = {
    connection: input.connectionId === undefined ? (before?.connection_id ?? null) : lower(input.connectionId),
    role: input.defaultRole ?? before?.default_role ?? 'member',
    groups: (input.roleGroups ?? before?.role_groups ?? []).map(({ groupId, role }) => ({ groupId: groupId.toLowerCase(), role })),
    mayGiveAdmin: input.mayGiveAdmin ?? before?.may_give_admin ?? false,
    successor: input.successor ?? before?.successor ?? 'owner',
    successorId: input.successorId === undefined ? (before?.successor_id ?? null) : lower(input.successorId),
    ownerSuccessor: input.ownerSuccessorId === undefined ? (before?.owner_successor_id ?? null) : lower(input.ownerSuccessorId),
    delay: input.removalDelayDays ?? before?.removal_delay_days ?? 7,
    active: input.isActive ?? before?.is_active ?? true,
  };
  if (settings.successor !== 'member') settings.successorId = null;
  const ofOwner =
    settings.mayGiveAdmin !== (before?.may_give_admin ?? false) || settings.ownerSuccessor !== (before?.owner_successor_id ?? null);
  if (ofOwner && caller.role !== 'owner')
    throw problems.forbidden('Only the owner of the team can set `mayGiveAdmin` and `ownerSuccessorId`.');
  if (!settings.mayGiveAdmin && settings.groups.some(({ role }) => role === 'admin'))
    throw refusedSetting('A role group gives the role `admin`, which needs `mayGiveAdmin`.');
  if (settings.successor === 'member' && settings.successorId === null)
    throw refusedSetting('With `successor: member`, `successorId` is required.');
  await requireNamed(scope, settings, input, before);
  return settings;
}

/** Throws 422 unless the connection, the members and the groups that the request names exist. Guests and auditors cannot be successors. */
async function requireNamed(
  scope: Scope,
  settings: CheckedSettings,
  input: Omit<DirectoryPatch, 'name'>,
  before: queries.DirectoryRow | undefined,
): Promise<void> {
  const { team } = scope;
  if (
    input.connectionId !== undefined &&
    settings.connection !== null &&
    !(isUuid(settings.connection) && (await scope.db.first(connectionExists, { team, id: settings.connection })))
  )
    throw refusedSetting('`connectionId` must name a provider connection of the team.');
  for (const [member, id] of [
    ['successorId', settings.successorId],
    ['ownerSuccessorId', settings.ownerSuccessor],
  ] as const) {
    if (id === null || input[member] === undefined) continue;
    const found = isUuid(id) ? await scope.db.first(teamStatements.findMember, { team, id }) : undefined;
    if (!found || !maySucceed(found))
      throw refusedSetting(`\`${member}\` must name an active member of the team, who is not a guest or an auditor.`);
  }
  const ids = [...new Set(settings.groups.map(({ groupId }) => groupId))];
  if (input.roleGroups === undefined || ids.length === 0) return;
  const found = before && ids.every((id) => isUuid(id)) ? await scope.db.all(groupsAmong, { team, directory: before.id, ids }) : [];
  if (found.length < ids.length)
    throw refusedSetting('`roleGroups` names a group that is not of this directory. The directory creates it first.');
}

const columnsOf = (settings: CheckedSettings) => {
  const { groups, ...others } = settings;
  return { ...others, roleGroups: JSON.stringify(groups) };
};

/** Creates a directory without tokens. Throws 401 `reauthentication_required`, 403, 409 `directory_limit`, 422 `invalid_directory_setting`. */
export async function createDirectory(
  dirs: Directories,
  scope: Scope,
  session: string,
  input: DirectoryBody,
): Promise<Versioned<Directory>> {
  const { account_id: by, role } = await requireRecentSignIn(scope, session);
  const { name: given, kind, ...wanted } = input;
  const name = cleanName(given);
  const settings = await settledSettings(scope, wanted, undefined, { role });
  const id = randomUUIDv7();
  const one = { team: scope.team, id, name, kind, by, at: scope.now, most: maxDirectories };
  const made = await scope.db.locked(queries.lockDirectoryCount, { team: scope.team }, () =>
    scope.db.first(queries.insertDirectory, { ...one, ...columnsOf(settings) }),
  );
  if (!made)
    throw directoryProblems.directory_limit(`Your team has ${maxDirectories} directories, which is the maximum. Delete one first.`);
  await recordAudit(scope, directoryCreated, id, { name, kind });
  return getDirectory(dirs, scope, id);
}

/** Locks a directory for a change. Throws 404, 412. */
async function locked(scope: Scope, given: string, expect: VersionCheck): Promise<queries.DirectoryRow> {
  const one = { team: scope.team, id: pathId(given, 'directory') };
  return scope.db.locked(queries.lockDirectory, one, async () => {
    const row = await scope.db.first(queries.findDirectory, one);
    if (!row) throw notFound('directory');
    expect(row.version);
    return row;
  });
}

/** Changes the given settings. They apply to the next request of the directory. Errors as of {@link createDirectory}, 404 and 412. */
export async function updateDirectory(
  dirs: Directories,
  scope: Scope,
  session: string,
  given: string,
  input: DirectoryPatch,
  expect: VersionCheck,
): Promise<Versioned<Directory>> {
  const { role } = await requireRecentSignIn(scope, session);
  const before = await locked(scope, given, expect);
  const { name: renamed, ...wanted } = input;
  const name = renamed === undefined ? before.name : cleanName(renamed);
  const settings = await settledSettings(scope, wanted, before, { role });
  await scope.db.first(queries.updateDirectory, { team: scope.team, id: before.id, name, at: scope.now, ...columnsOf(settings) });
  await recordAudit(scope, directoryUpdated, before.id, { changed: Object.keys(input).toSorted() });
  return getDirectory(dirs, scope, before.id);
}

/**
 * Deletes a directory and its tokens. Its groups become groups of the team. With `keep` its users stay as they are, otherwise a job suspends all active
 * ones. Throws 401 `reauthentication_required`, 404 or 412.
 */
export async function deleteDirectory(scope: Scope, session: string, given: string, keep: boolean, expect: VersionCheck): Promise<void> {
  await requireRecentSignIn(scope, session);
  const { id, name } = await locked(scope, given, expect);
  const one = { team: scope.team, id };
  releaseDirectoryGroups(scope, id);
  if (keep) scope.db.send(queries.deleteDirectory, one);
  else {
    scope.db.send(queries.buryDirectory, { ...one, at: scope.now });
    enqueue(scope, suspendJob, { directory: id });
  }
  await recordAudit(scope, directoryDeleted, id, { name, keep });
}

const presentToken = (row: queries.TokenRow): Token => ({
  id: row.id,
  createdBy: row.created_by,
  createdByType: 'user',
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
});

/** Lists the tokens of a directory, without the tokens themselves. Throws 404. */
export async function listTokens(dirs: Directories, scope: ReadScope, given: string): Promise<Token[]> {
  const { value } = await getDirectory(dirs, scope, given);
  return (await scope.db.all(queries.listTokens, { team: scope.team, directory: value.id })).map(presentToken);
}

/** Creates a token, which is shown once. Throws 401 `reauthentication_required`, 404, 409 `token_limit`. */
export async function createToken(scope: Scope, session: string, given: string, days = maxTokenDays): Promise<Token> {
  const { account_id: by } = await requireRecentSignIn(scope, session);
  const directory = await locked(scope, given, () => undefined);
  const of = { team: scope.team, directory: directory.id };
  const [token, id] = [newTeamToken(scope.team), randomUUIDv7()];
  const expiresAt = new Date(scope.now.getTime() + days * dayMs);
  await scope.db.all(queries.dropExpiredTokens, of);
  const row = await scope.db.first(queries.insertToken, {
    ...of,
    id,
    hash: tokenHash(token),
    by,
    at: scope.now,
    expiresAt,
    most: maxTokens,
  });
  if (!row) throw directoryProblems.token_limit(`The directory has ${maxTokens} valid tokens, which is the maximum. Delete one first.`);
  await recordAudit(scope, tokenCreated, directory.id, { tokenId: id, expiresAt: expiresAt.toISOString() });
  return { ...presentToken(row), token };
}

/** Deletes a token, which ends at once. Throws 404. */
export async function deleteToken(scope: Scope, given: { id: string; tokenId: string }): Promise<void> {
  const directory = await locked(scope, given.id, () => undefined);
  const one = { team: scope.team, directory: directory.id, id: pathId(given.tokenId, 'token') };
  if (!(await scope.db.first(queries.deleteToken, one))) throw notFound('token');
  await recordAudit(scope, tokenDeleted, directory.id, { tokenId: one.id });
}

/** Lists a page of the requests of a directory, newest first. Throws 404. */
export async function listLog(
  dirs: Directories,
  scope: ReadScope,
  given: string,
  page: { before: string; limit: number },
): Promise<LogEntry[]> {
  const { value } = await getDirectory(dirs, scope, given);
  const rows = await scope.db.all(queries.listLog, { team: scope.team, directory: value.id, ...page });
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    method: row.method,
    path: row.path,
    status: row.status,
    ...(row.scim_type === null ? {} : { scimType: row.scim_type }),
    ...(row.detail === null ? {} : { detail: row.detail }),
    attributes: row.attributes,
    requestId: row.request_id,
  }));
}

const presentUser = (row: userQueries.UserRow): DirectoryUser => ({
  id: row.id,
  userName: row.user_name,
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
  ...(row.email === null ? {} : { email: row.email }),
  status: row.status,
  active: row.active,
  suspendedByTeam: row.is_suspended,
  ...(row.account_id === null ? {} : { userId: row.account_id }),
  ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Lists a page of the users of a directory in the order of their ids. Throws 404. */
export async function listUsers(
  dirs: Directories,
  scope: ReadScope,
  given: string,
  page: { status: string | null; after: string; limit: number },
): Promise<DirectoryUser[]> {
  const { value } = await getDirectory(dirs, scope, given);
  return (await scope.db.all(userQueries.listAllUsers, { team: scope.team, directory: value.id, ...page })).map(presentUser);
}

/**
 * Links a user of a directory with a member of the team, who from then on is managed there. Throws 401 `reauthentication_required`, 404
 * `member_not_found`, 409 `user_not_linkable`.
 */
export async function linkUser(dirs: Directories, scope: Scope, session: string, given: string, input: LinkBody): Promise<DirectoryUser> {
  await scope.db.all(lockMembers, { team: scope.team });
  const { role } = await requireRecentSignIn(scope, session);
  const { team } = scope;
  const id = pathId(given, 'directory');
  const directory = await scope.db.first(queries.settingsOf, { team, id });
  if (!directory) throw notFound('directory');
  const user = isUuid(input.scimUserId)
    ? await scope.db.first(userQueries.lockAnyUser, { team, directory: id, id: input.scimUserId.toLowerCase() })
    : undefined;
  if (!user) throw notFound('user of the directory');
  const member = isUuid(input.userId)
    ? await scope.db.first(teamStatements.findMember, { team, id: input.userId.toLowerCase() })
    : undefined;
  if (!member) throw problems.member_not_found('`userId` must name a member of your team. List the members and check the identifier.');
  if (member.role === 'owner' && role !== 'owner') throw problems.forbidden('Only the owner can put their own account under a directory.');
  const taken = await scope.db.first(userQueries.userOfAccount, { team, account: member.id });
  if (user.account_id !== null || user.deleted_at !== null || taken)
    throw directoryProblems.user_not_linkable('The user of the directory or the member is linked already.');
  return presentUser(await linkMember(dirs, scope, directory, user, member.id));
}

/** Restores the users who were deactivated in the latest hour with unusually many deactivations. A job does it. Throws 404. */
export async function restoreUsers(scope: Scope, session: string, given: string): Promise<void> {
  await requireRecentSignIn(scope, session);
  const { id } = await locked(scope, given, () => undefined);
  if (!(await beginRestore(scope, id))) throw notFound('deactivation of many users');
}

/** Restores them by the mailed link. Throws 400 `invalid_restore_link`. */
export async function restoreByLink(outer: PublicScope, token: string): Promise<void> {
  const key = readTeamToken(token);
  const found = key && (await outer.db.first(queries.directoryBySurge, key));
  const invalidLink = () => directoryProblems.invalid_restore_link('The link is wrong, used, or older than 7 days.');
  if (!found) throw invalidLink();
  const scope = enterTeam(outer, key.team, { type: 'system' });
  if (!(await beginRestore(scope, found.id))) throw invalidLink();
}

async function beginRestore(scope: Scope, id: string): Promise<boolean> {
  const ended = await scope.db.first(queries.endSurge, { team: scope.team, id });
  if (!ended) return false;
  enqueue(scope, restoreJob, { directory: id, since: ended.surge_at });
  await recordAudit(scope, usersRestored, id, { since: ended.surge_at });
  return true;
}
