import { randomUUIDv7 } from 'node:crypto';
import { lockMembers, parseEmail } from '#accounts';
import { lockConnection } from '#sso';
import { violates } from '../../../platform/database/errors.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { nameKey } from '../../../platform/text.ts';
import type { Directories } from '../context.ts';
import { userChanged, userDeprovisioned, userProvisioned } from '../events.ts';
import { activate, admit, carryProfile, deactivate, linkWaiting, noticeSurge } from '../membership.ts';
import * as queries from '../queries.ts';
import { changedUser, type UserChange, type UserState } from './attributes.ts';
import { noResource, notUnique } from './errors.ts';
import * as userQueries from './user-queries.ts';

const maxUsers = 50_000;

/** The key by which names of users and addresses are compared: without case, and with the domain in IDNA form. */
export const userKey = (text: string): string => parseEmail(text)?.key ?? nameKey(text);

type User = userQueries.UserRow;
/** A check of `If-Match` against the version of a resource. */
export type VersionCheck = (version: number) => void;

/** The result of a change: the user, or the reason of a rejection. The transaction of a rejected change commits its notices. */
export type Changed = { user: User; refused?: never } | { user?: never; refused: 'owner' | 'conflict' };

/** Returns the error of a refused change. */
export const refusal = (reason: 'owner' | 'conflict') =>
  reason === 'owner'
    ? problems.forbidden(
        'The user owns the team, so a directory cannot deactivate them. Transfer the ownership, or name `ownerSuccessorId` in the directory.',
      )
    : addressTaken();

const addressTaken = () =>
  notUnique(
    'A member of the team, or an invitation as a guest, auditor or administrator, has this address. An administrator must link the member with this user.',
  );

/** Returns the settings of the directory that acts. Throws 404. */
export async function actingDirectory(scope: Pick<Scope, 'db' | 'team' | 'actor'>): Promise<queries.DirectorySettings> {
  const { actor } = scope;
  if (actor.type !== 'directory') throw new Error('the actor is not a directory');
  const found = await scope.db.first(queries.settingsOf, { team: scope.team, id: actor.id });
  if (!found) throw noResource('directory');
  return found;
}

/**
 * Locks the memberships of the team, before any row of a user. A deactivation locks the connection of the directory first, as a sign-in does, because
 * it may end the sessions through the connection.
 */
async function lockedDirectory(scope: Scope, deactivates = false): Promise<queries.DirectorySettings> {
  const { connection_id: connection } = deactivates ? await actingDirectory(scope) : { connection_id: null };
  if (connection !== null) await scope.db.all(lockConnection, { team: scope.team, id: connection });
  await scope.db.all(lockMembers, { team: scope.team });
  return actingDirectory(scope);
}

const stateOf = (user: User): UserState => ({
  userName: user.user_name,
  externalId: user.external_id ?? undefined,
  active: user.active,
  email: user.email ?? undefined,
  details: user.attributes,
});

/** Returns the columns of a user. An address that cannot be one is kept as it was sent. */
function valuesOf({ userName, externalId, active, email, details }: UserState, at: Date) {
  return {
    userName,
    key: userKey(userName),
    externalId: externalId ?? null,
    email: email ?? null,
    emailKey: email === undefined ? null : userKey(email),
    attributes: JSON.stringify(details),
    active,
    at,
  };
}

async function orTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (violates(error, 'scim_user_name_once')) throw notUnique('Another user of the directory has this `userName`.');
    if (violates(error, 'scim_user_external_once')) throw notUnique('Another user of the directory has this `externalId`.');
    if (violates(error, 'scim_user_account_once')) throw notUnique('A user of another directory has this member.');
    throw error;
  }
}

/**
 * Creates a user. A user who was deleted with this name or external identifier is restored. Throws 400, 409 `uniqueness`; the result is refused if a
 * member has the address and the domain is not verified.
 */
export async function createUser(dirs: Directories, scope: Scope, change: UserChange): Promise<Changed> {
  const state = changedUser({}, change);
  const directory = await lockedDirectory(scope);
  const of = { team: scope.team, directory: directory.id };
  const values = valuesOf(state, scope.now);
  const known = await scope.db.all(userQueries.usersNamed, { ...of, key: values.key, externalId: values.externalId });
  const [earlier] = known;
  if (earlier?.status === 'conflict' && known.length === 1) return readmit(dirs, scope, directory, earlier, state);
  if (known.some((one) => one.deleted_at === null)) throw notUnique('The directory has a user with this `userName` or `externalId`.');
  if (earlier) return revive(dirs, scope, directory, earlier, state);
  const made = await orTaken(scope.db.first(userQueries.insertUser, { ...of, ...values, id: randomUUIDv7(), most: maxUsers }));
  if (!made) throw problems.forbidden(`A directory has at most ${maxUsers} users, deactivated ones included.`);
  const user = await entered(dirs, scope, directory, made);
  if (user.status === 'conflict') return { refused: 'conflict' };
  await recordAudit(scope, userProvisioned, user.id, accountData(directory, user));
  return { user };
}

/** Admits an active user. Links an inactive one with a member who has the address, and suspends the membership. */
async function entered(dirs: Directories, scope: Scope, directory: queries.DirectorySettings, user: User): Promise<User> {
  if (user.active) return admit(dirs, scope, directory, user);
  const known = await linkWaiting(dirs, scope, directory, user);
  if (known.status === 'linked') await deactivate(dirs, scope, directory, known);
  return known;
}

/** Tries again to admit a user whose address a member had. The member may have left, or the domain may be verified now. */
async function readmit(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  earlier: User,
  state: UserState,
): Promise<Changed> {
  const stored = await store(scope, directory, earlier, state);
  const user = await entered(dirs, scope, directory, stored);
  return user.status === 'conflict' ? { refused: 'conflict' } : { user };
}

/** Undoes the deletion of a user. */
async function revive(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  earlier: User,
  state: UserState,
): Promise<Changed> {
  const stored = await store(scope, directory, earlier, state);
  const back = (await scope.db.first(userQueries.markDeleted, { team: scope.team, id: stored.id, at: null })) ?? stored;
  const user = state.active ? await activate(dirs, scope, directory, back) : back;
  await carryProfile(dirs, scope, user);
  await recordAudit(scope, userProvisioned, user.id, accountData(directory, user));
  return { user };
}

async function store(scope: Scope, directory: queries.DirectorySettings, { id }: User, state: UserState): Promise<User> {
  const of = { team: scope.team, directory: directory.id, id };
  const stored = await orTaken(scope.db.first(userQueries.updateUser, { ...of, ...valuesOf(state, scope.now) }));
  if (!stored) throw noResource('user');
  return stored;
}

const accountData = (directory: queries.DirectorySettings, user: User) => ({
  directoryId: directory.id,
  ...(user.account_id === null ? {} : { userId: user.account_id }),
});

/** Locks a user after the memberships. Throws 404, 412. */
async function lockedUser(
  scope: Scope,
  given: string,
  expect: VersionCheck,
  deactivates: boolean,
): Promise<{ directory: queries.DirectorySettings; user: User }> {
  if (!isUuid(given)) throw noResource('user');
  const directory = await lockedDirectory(scope, deactivates);
  const user = await scope.db.first(userQueries.lockUser, { team: scope.team, directory: directory.id, id: given.toLowerCase() });
  if (!user) throw noResource('user');
  expect(user.version);
  return { directory, user };
}

/**
 * Changes a user: with `whole`, attributes that the change omits lose their value, except `active`. `active: false` suspends the membership in the same
 * transaction. Throws 400, 404, 409 `uniqueness`, 412. The result is refused for the owner. It is also refused for a waiting user if a member has the
 * address and its domain is not verified.
 */
export async function changeUser(
  dirs: Directories,
  scope: Scope,
  id: string,
  { change, whole }: { change: UserChange; whole: boolean },
  expect: VersionCheck,
): Promise<Changed> {
  const { directory, user: found } = await lockedUser(scope, id, expect, change.get('active') === false);
  const before = stateOf(found);
  const state = changedUser(whole ? { active: before.active } : before, change);
  const changed = changedNames(before, state);
  if (changed.length === 0) return { user: found };
  const user = found.active && !state.active ? await linkWaiting(dirs, scope, directory, found) : found;
  if (user.status === 'conflict') return { refused: 'conflict' };
  if (user.active && !state.active && (await deactivate(dirs, scope, directory, user)) === 'owner kept') return { refused: 'owner' };
  let now = await store(scope, directory, user, state);
  if (!user.active && state.active) now = await activate(dirs, scope, directory, now);
  else if (state.active && now.status === 'pending') now = await admit(dirs, scope, directory, now);
  if (now.status === 'conflict') throw addressTaken();
  await carryProfile(dirs, scope, now);
  if (user.active && !state.active) await noticeSurge(dirs, scope, directory);
  await recordAudit(scope, userChanged, user.id, { ...accountData(directory, now), changed });
  return { user: now };
}

function changedNames(before: UserState, after: UserState): string[] {
  const own = (['userName', 'externalId', 'active', 'email'] as const).filter((name) => before[name] !== after[name]);
  const names = new Set([...Object.keys(before.details), ...Object.keys(after.details)]);
  const [old, fresh] = [new Map(Object.entries(before.details)), new Map(Object.entries(after.details))];
  return [...own, ...[...names].filter((name) => old.get(name) !== fresh.get(name))];
}

/**
 * Deletes a user: the membership is suspended at once, and a job removes it after the delay of the directory. A user who never joined is deleted at once.
 * Throws 404, 409 `uniqueness`, 412; returns a refusal as {@link changeUser} does.
 */
export async function deleteUser(
  dirs: Directories,
  scope: Scope,
  id: string,
  expect: VersionCheck,
): Promise<'owner' | 'conflict' | undefined> {
  const { directory, user: found } = await lockedUser(scope, id, expect, true);
  const user = found.active ? await linkWaiting(dirs, scope, directory, found) : found;
  if (user.status === 'conflict') return 'conflict';
  const one = { team: scope.team, id: user.id };
  if (user.active && (await deactivate(dirs, scope, directory, user)) === 'owner kept') return 'owner';
  if (user.account_id === null) scope.db.send(userQueries.deleteUser, one);
  else {
    await scope.db.first(userQueries.setActive, { ...one, active: false, at: scope.now });
    await scope.db.first(userQueries.markDeleted, { ...one, at: scope.now });
    await noticeSurge(dirs, scope, directory);
  }
  await recordAudit(scope, userDeprovisioned, user.id, accountData(directory, user));
  return undefined;
}
