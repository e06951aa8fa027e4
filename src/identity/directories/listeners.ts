import { hasEnd, memberJoined, memberRemoved, teamStatements } from '#accounts';
import { joinDirectoryGroups } from '#access';
import { memberReactivated, memberRoleChanged, memberSuspended } from '#teams';
import { domainOfTeam } from '#sso';
import { on } from '../../platform/journal/listeners.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { userLinked } from './events.ts';
import { groupsOf, roleBy } from './membership.ts';
import * as queries from './queries.ts';
import * as userQueries from './scim/user-queries.ts';

const domainOf = (emailKey: string): string => emailKey.slice(emailKey.indexOf('@') + 1);

/**
 * Links the user of a directory who joined, with groups and role: by the invitation, or by an address with a verified domain. Other users with the
 * address are in `conflict`, and all of them if the member is a guest or an auditor. A member who joins by a request of the directory is linked there.
 */
export const linksJoined = on(memberJoined, async (scope, { targetId: account, data: { invitationId, role } }) => {
  const { db, team, actor } = scope;
  if (actor.type === 'directory') return;
  const emailKey = (await db.first(teamStatements.addressOf, { team, id: account }))?.email_key ?? null;
  const users = await db.all(userQueries.lockJoined, { team, account, invitation: invitationId ?? null, emailKey });
  if (users.length === 0) return;
  const isOwned = emailKey !== null && (await db.first(domainOfTeam, { team, domain: domainOf(emailKey) })) !== undefined;
  const isLinkable = (user: (typeof users)[number]) =>
    !hasEnd(role) && role !== 'owner' && (user.status === 'withdrawn' || user.is_invited || isOwned);
  const linked = users.find(isLinkable);
  for (const { id, status } of users) if (id !== linked?.id && status === 'pending') await db.first(userQueries.markConflict, { team, id });
  if (linked) await linkNewMember(scope, linked, { account, role });
});

async function linkNewMember(
  scope: Scope,
  user: { id: string; directory_id: string },
  { account, role }: { account: string; role: string },
): Promise<void> {
  const { db, team, now: at } = scope;
  await db.all(userQueries.linkJoined, { team, id: user.id, account, at });
  const directory = await db.first(queries.settingsOf, { team, id: user.directory_id });
  const groups = await groupsOf(scope, user.id);
  await joinDirectoryGroups(scope, account, user.directory_id, groups);
  await recordAudit(scope, userLinked, user.id, { directoryId: user.directory_id, userId: account });
  const wanted = directory && directory.role_groups.length > 0 ? roleBy(directory, new Set(groups)) : role;
  if (wanted === role) return;
  await db.first(teamStatements.updateMember, {
    team,
    id: account,
    role: wanted,
    status: 'active',
    endsAt: null,
    sponsor: null,
    extended: false,
    at,
  });
  await record(scope, memberRoleChanged, account, { from: role, to: wanted });
}

/** A guest or an auditor who becomes a member again joins the groups of the directory. */
export const joinsGroupsAgain = on(memberRoleChanged, async (scope, { targetId: account, data: { from, to } }) => {
  if (!hasEnd(from) || hasEnd(to)) return;
  const user = await scope.db.first(userQueries.userOfAccount, { team: scope.team, account });
  if (user?.status === 'linked') await joinDirectoryGroups(scope, account, user.directory_id, await groupsOf(scope, user.id));
});

/** A former member stays away until a new invitation. */
export const withdrawsRemoved = on(memberRemoved, async ({ db, team, now: at }, { targetId: account }) => {
  db.send(userQueries.withdrawUser, { team, account, at });
});

/** A suspension by an administrator stays until an administrator ends it. */
export const notesSuspension = on(memberSuspended, async ({ db, team, actor }, { targetId: account }) => {
  if (actor.type !== 'directory') db.send(userQueries.storeSuspension, { team, account, suspended: true });
});
export const notesReactivation = on(memberReactivated, async ({ db, team }, { targetId: account }) => {
  db.send(userQueries.storeSuspension, { team, account, suspended: false });
});
