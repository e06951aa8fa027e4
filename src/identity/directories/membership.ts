import {
  type EmailAddress,
  changeManagedPerson,
  changeOwner,
  endSessionsThrough,
  hasEnd,
  managerContacts,
  parseEmail,
  personByEmail,
  provisionMember,
  teamStatements,
} from '#accounts';
import { joinDirectoryGroups } from '#access';
import { changeMembership, pendingInvitation, sendInvitation, withdrawInvitation } from '#teams';
import { domainOfTeam } from '#sso';
import { newTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { Problem } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Directories } from './context.ts';
import { ownerKept, surgeNoticed, userActivated, userDeactivated, userLinked } from './events.ts';
import { directoryMail } from './mails.ts';
import * as queries from './queries.ts';
import { directoryProblems } from './problems.ts';
import { notUnique } from './scim/errors.ts';
import * as groupQueries from './scim/group-queries.ts';
import * as userQueries from './scim/user-queries.ts';

// The effects of a directory on memberships. The caller must hold the lock of the members (`lockMembers`).

type User = userQueries.UserRow;

/** The outcome of a request to deactivate a user: an owner stays. */
export type Deactivation = 'done' | 'owner kept';

const dataOf = (directory: Pick<queries.DirectorySettings, 'id'>, user: Pick<User, 'account_id'>) => ({
  directoryId: directory.id,
  ...(user.account_id === null ? {} : { userId: user.account_id }),
});

const rank: readonly string[] = ['viewer', 'member', 'admin'];

/** Returns the role of a user by the role groups that they belong to: the highest one. */
export function roleBy(
  directory: Pick<queries.DirectorySettings, 'role_groups' | 'default_role' | 'may_give_admin'>,
  groups: ReadonlySet<string>,
): 'admin' | 'member' | 'viewer' {
  const roles = directory.role_groups.filter(({ groupId }) => groups.has(groupId)).map(({ role }) => role);
  const highest = roles.toSorted((a, b) => rank.indexOf(b) - rank.indexOf(a))[0] ?? directory.default_role;
  return highest === 'admin' && !directory.may_give_admin ? 'member' : highest;
}

export async function groupsOf(scope: Scope, user: string): Promise<string[]> {
  return (await scope.db.all(groupQueries.groupsOfUser, { team: scope.team, user })).map((row) => row.group_id);
}

/**
 * Gives the members among these users the roles of their groups. The owner, guests and auditors keep the role. Without `mayGiveAdmin`, administrators
 * keep it too.
 */
export async function applyRoles(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  users: readonly string[],
): Promise<void> {
  if (directory.role_groups.length === 0 || users.length === 0) return;
  const { team } = scope;
  const { linked, memberships } = await pipelined({
    linked: () => scope.db.all(groupQueries.linkedAmong, { team, users }),
    memberships: () =>
      scope.db.all(groupQueries.membershipsIn, { team, users, groups: directory.role_groups.map(({ groupId }) => groupId) }),
  });
  const groupsBy = Map.groupBy(memberships, ({ user_id: id }) => id);
  const userOf = new Map(linked.map(({ id, account_id: account }) => [account, id]));
  for (const member of await scope.db.all(teamStatements.lockMemberRows, { team, ids: [...userOf.keys()] })) {
    const groups = groupsBy.get(userOf.get(member.id) ?? '') ?? [];
    const role = roleBy(directory, new Set(groups.map((row) => row.group_id)));
    if (member.role === role || member.role === 'owner' || hasEnd(member.role) || (member.role === 'admin' && !directory.may_give_admin))
      continue;
    await changeMembership(dirs.accounts, scope, member, { role, isActive: member.status === 'active' });
  }
}

const ownedDomain = ({ db, team }: Scope, emailKey: string) =>
  db.first(domainOfTeam, { team, domain: emailKey.slice(emailKey.indexOf('@') + 1) });

/** Returns the member with the address of a user, and whether the team has verified its domain. */
async function memberWithAddress(scope: Scope, email: EmailAddress) {
  const { db, team } = scope;
  const { owned, member } = await pipelined({
    owned: () => ownedDomain(scope, email.key),
    member: () => db.first(teamStatements.memberByEmail, { team, emailKey: email.key }),
  });
  return { isOwned: owned !== undefined, member: member && (await db.first(teamStatements.findMember, { team, id: member.id })) };
}

/**
 * Gives a new or waiting user a membership. If the team has verified the domain of the address, the person is found or created and joins at once.
 * Otherwise an invitation is mailed, whether or not there is a person. A member with the address is linked as {@link linkByAddress} says. Throws 409
 * `uniqueness` if another user has the person, also after an administrator removed the person.
 */
export async function admit(dirs: Directories, scope: Scope, directory: queries.DirectorySettings, user: User): Promise<User> {
  const { team } = scope;
  const email = parseEmail(user.email ?? user.user_name);
  if (!email) return user;
  const { isOwned, member } = await memberWithAddress(scope, email);
  if (member) return linkByAddress(dirs, scope, directory, user, { isOwned, member });
  // Outside of the verified domains, only addresses that a directory of the team has sent tell who was removed.
  const person = isOwned ? await scope.db.first(personByEmail, { emailKey: email.key }) : undefined;
  const earlier = person
    ? await scope.db.first(userQueries.userOfAccount, { team, account: person.id })
    : await scope.db.first(userQueries.withdrawnWithAddress, { team, emailKey: email.key });
  if (earlier && earlier.id !== user.id)
    throw notUnique(
      'An administrator removed the person with this address from the team. Ask an administrator to invite the person again.',
    );
  const role = roleBy(directory, new Set(await groupsOf(scope, user.id)));
  if (!isOwned) return invited(dirs, scope, directory, user, email, role);
  const { givenName: firstName, familyName: lastName, preferredLanguage, locale } = user.attributes;
  await dropInvitation(scope, user);
  const account = await provisionMember(scope, { email, firstName, lastName, language: preferredLanguage ?? locale, role });
  const linked = await link(scope, directory, user, account);
  await scope.db.all(userQueries.conflictOthers, { team, emailKey: email.key, except: user.id });
  const joined = await scope.db.first(teamStatements.findMember, { team, id: account });
  const mail = directoryMail(joined?.locale, { kind: 'welcome' });
  await queueMail(scope.db, { to: email.address, team, ...mail });
  return linked;
}

type AddressMatch = { isOwned: boolean; member: teamStatements.MemberRow };

/**
 * Links a user with the member who has the address, if the team has verified its domain. Otherwise the user waits in `conflict` for an administrator.
 * So does a user with the address of the owner, a guest or an auditor. The owner links their own account, and guests and auditors have no groups.
 */
async function linkByAddress(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  user: User,
  { isOwned, member }: AddressMatch,
): Promise<User> {
  if (!isOwned || member.role === 'owner' || hasEnd(member.role)) return conflict(scope, user);
  return linkMember(dirs, scope, directory, user, member.id);
}

/** Links a waiting user with a member who has the address, such as one who joined without the invitation. See {@link linkByAddress}. */
export async function linkWaiting(dirs: Directories, scope: Scope, directory: queries.DirectorySettings, user: User): Promise<User> {
  if (user.account_id !== null) return user;
  const email = parseEmail(user.email ?? user.user_name);
  const { isOwned = false, member } = email ? await memberWithAddress(scope, email) : {};
  return member ? linkByAddress(dirs, scope, directory, user, { isOwned, member }) : user;
}

/**
 * Links a user with a member of the team, who gets the role of their groups. Throws 409 `uniqueness` if another user has the member, and
 * `user_not_linkable` for a guest or an auditor.
 */
export async function linkMember(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  user: User,
  account: string,
): Promise<User> {
  if (await scope.db.first(userQueries.userOfAccount, { team: scope.team, account }))
    throw notUnique('A user of a directory has this address already.');
  const member = await scope.db.first(teamStatements.findMember, { team: scope.team, id: account });
  if (hasEnd(member?.role))
    throw directoryProblems.user_not_linkable('A directory cannot manage a guest or an auditor. Change the role of the member first.');
  const linked = await link(scope, directory, user, account, member?.status === 'disabled');
  await applyRoles(dirs, scope, directory, [user.id]);
  return linked;
}

async function link(scope: Scope, directory: queries.DirectorySettings, user: User, account: string, suspended = false): Promise<User> {
  const linked = await scope.db.first(userQueries.linkUser, { team: scope.team, id: user.id, account, suspended, at: scope.now });
  if (!linked) throw new Error('the locked user does not exist');
  await joinDirectoryGroups(scope, account, directory.id, await groupsOf(scope, user.id));
  await recordAudit(scope, userLinked, user.id, dataOf(directory, linked));
  return linked;
}

async function conflict(scope: Scope, user: User): Promise<User> {
  return (await scope.db.first(userQueries.markConflict, { team: scope.team, id: user.id })) ?? user;
}

/** Withdraws the invitation of a waiting user, unless another active user waits for it too. */
async function dropInvitation(scope: Scope, { id, invitation_id: invitation }: User): Promise<void> {
  const { team } = scope;
  if (invitation === null || (await scope.db.first(userQueries.sharesInvitation, { team, id, invitation }))?.shared) return;
  await withdrawInvitation(scope, invitation);
}

/** Whether a directory may use a pending invitation: it gives a role that the directory may give. */
const isUsable = (role: string, { may_give_admin: mayGiveAdmin }: queries.DirectorySettings): boolean =>
  role === 'member' || role === 'viewer' || (role === 'admin' && mayGiveAdmin);

/**
 * Mails an invitation, or waits for a pending one. With an invitation to another role the user is in `conflict`. Beyond the limits of invitations the
 * user waits without one.
 */
async function invited(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  user: User,
  email: EmailAddress,
  role: 'admin' | 'member' | 'viewer',
): Promise<User> {
  const { team } = scope;
  const waiting = await scope.db.first(pendingInvitation, { team, emailKey: email.key });
  if (waiting && !isUsable(waiting.role, directory)) return conflict(scope, user);
  if (waiting && waiting.id === user.invitation_id) return user;
  await dropInvitation(scope, user);
  const made =
    waiting ??
    (await scope.db
      .attempt((db) =>
        sendInvitation(dirs.accounts, { ...scope, db }, email, { role, endsAt: null, sponsor: null, access: [] }, undefined).then(
          ({ value }) => value,
        ),
      )
      .catch((error: unknown) => {
        if (error instanceof Problem) return undefined;
        throw error;
      }));
  return (await scope.db.first(userQueries.markInvited, { team, id: user.id, invitation: made?.id ?? null })) ?? user;
}

/**
 * Suspends the membership of a user: sessions, tokens, API clients and invitations end at the next request on each node. Other teams of the person stay.
 * An owner is kept unless the directory names a successor. Call it before the user is stored as inactive.
 */
export async function deactivate(dirs: Directories, scope: Scope, directory: queries.DirectorySettings, user: User): Promise<Deactivation> {
  const { team } = scope;
  if (user.status === 'linked' && user.account_id !== null) {
    const [member] = await scope.db.all(teamStatements.lockMemberRows, { team, ids: [user.account_id] });
    if (member?.role === 'owner' && !(await passOwnership(dirs, scope, directory, member))) return 'owner kept';
    const role = member?.role === 'owner' ? 'admin' : member?.role;
    if (member?.status === 'active' && role !== undefined)
      await changeMembership(dirs.accounts, scope, { ...member, role }, { role, isActive: false });
  } else if (user.invitation_id !== null) {
    await dropInvitation(scope, user);
    await scope.db.first(userQueries.markInvited, { team, id: user.id, invitation: null });
  }
  await recordAudit(scope, userDeactivated, user.id, dataOf(directory, user));
  return 'done';
}

/** Whether a member may own the team or receive the work of another: active, and the membership has no end. */
export const maySucceed = ({ status, role, has_ended: hasEnded }: teamStatements.MemberRow): boolean =>
  status === 'active' && !hasEnd(role) && !hasEnded;

/**
 * Makes the successor that the team named the owner, if the owner created all valid tokens of the directory. Otherwise the sessions through the directory end, and the managers are notified once a day. The
 * caller has locked the connection of the directory.
 */
async function passOwnership(
  dirs: Directories,
  scope: Scope,
  directory: queries.DirectorySettings,
  owner: teamStatements.MemberRow,
): Promise<boolean> {
  const { team } = scope;
  const { owner_successor_id: successorId } = directory;
  const [successor] =
    successorId === null || successorId === owner.id ? [] : await scope.db.all(teamStatements.lockMemberRows, { team, ids: [successorId] });
  // An administrator with a token could otherwise take the team.
  const tokens = await scope.db.first(queries.ownerHoldsTokens, { team, directory: directory.id, owner: owner.id });
  if (successor && maySucceed(successor) && tokens?.held) {
    await changeOwner(dirs.accounts, scope, owner, successor);
    return true;
  }
  const { throttle } = dirs.accounts;
  if (directory.connection_id !== null) await endSessionsThrough(dirs.accounts, scope, directory.connection_id, { account: owner.id });
  await recordAudit(scope, ownerKept, owner.id, { directoryId: directory.id });
  if (await throttle.take(scope.db, throttle.notice(owner.id, 'directory keeps owner')))
    await mailManagers(scope, { kind: 'ownerKept', owner: `${owner.first_name} ${owner.last_name}`, directory: directory.name });
  return false;
}

export async function mailManagers(scope: Scope, notice: Parameters<typeof directoryMail>[1]): Promise<void> {
  for (const { email, locale } of await scope.db.all(managerContacts, { team: scope.team }))
    await queueMail(scope.db, { to: email, team: scope.team, ...directoryMail(locale, notice) });
}

/**
 * Restores the membership of a deactivated user; old sessions stay invalid. A member suspended by an administrator stays suspended.
 * Throws 409 `uniqueness` for a user removed by an administrator.
 */
export async function activate(dirs: Directories, scope: Scope, directory: queries.DirectorySettings, user: User): Promise<User> {
  if (user.status === 'withdrawn')
    throw notUnique('An administrator removed this user from the team. Ask an administrator to invite the user again.');
  await recordAudit(scope, userActivated, user.id, dataOf(directory, user));
  if (user.status !== 'linked' || user.account_id === null) return admit(dirs, scope, directory, user);
  const [member] = await scope.db.all(teamStatements.lockMemberRows, { team: scope.team, ids: [user.account_id] });
  if (member?.status === 'disabled' && !user.is_suspended)
    await changeMembership(dirs.accounts, scope, member, { role: member.role, isActive: true });
  return user;
}

/** Changes name and address of a managed person, as {@link changeManagedPerson} says. */
export async function carryProfile(dirs: Directories, scope: Scope, user: User): Promise<void> {
  if (user.status !== 'linked' || user.account_id === null) return;
  const email = parseEmail(user.email ?? user.user_name);
  const { givenName: firstName, familyName: lastName } = user.attributes;
  const to = { email, firstName, lastName };
  const moved = await changeManagedPerson(
    dirs.accounts,
    scope,
    user.account_id,
    to,
    async (key) => (await ownedDomain(scope, key)) !== undefined,
  );
  if (moved) await queueMail(scope.db, { to: moved.email, team: scope.team, ...directoryMail(moved.locale, { kind: 'address' }) });
}

const hourMs = 3_600_000;
const surge = { least: 10, share: 0.2 };

/** Notifies the managers once an hour if more than ten users, and more than a fifth, were deactivated within an hour. */
export async function noticeSurge(dirs: Directories, scope: Scope, directory: queries.DirectorySettings): Promise<void> {
  const { team, now } = scope;
  const since = new Date(now.getTime() - hourMs);
  // A surge begins an hour before its notice.
  const before = new Date(since.getTime() - hourMs);
  const counted = await scope.db.first(userQueries.countActive, { team, directory: directory.id, since });
  if (!counted) return;
  const { deactivated, active } = counted;
  if (deactivated <= surge.least || deactivated <= surge.share * (deactivated + active)) return;
  const token = newTeamToken(team);
  if (!(await scope.db.first(queries.recordSurge, { team, id: directory.id, since, before, hash: tokenHash(token) }))) return;
  await recordAudit(scope, surgeNoticed, directory.id, { users: deactivated });
  const restoreLink = `${dirs.accounts.settings.baseUrl}/restore-users#token=${token}`;
  await mailManagers(scope, { kind: 'surge', users: deactivated, directory: directory.name, link: restoreLink });
}
