import { memberJoined, memberRemoved, teamStatements } from '#accounts';
import { joinDirectoryGroups } from '#access';
import { memberReactivated, memberRoleChanged, memberSuspended } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { userLinked } from './events.ts';
import { roleBy } from './membership.ts';
import * as queries from './queries.ts';
import * as groupQueries from './scim/group-queries.ts';
import * as userQueries from './scim/user-queries.ts';

/** Links a user of a directory at the acceptance of an invitation, with groups and role. */
export const linksJoined = on(memberJoined, async (scope, { targetId: account, data: { invitationId, role } }) => {
  const { db, team, now: at } = scope;
  for (const user of await db.all(userQueries.linkJoined, { team, account, invitation: invitationId ?? null, at })) {
    const directory = await db.first(queries.settingsOf, { team, id: user.directory_id });
    const groups = (await db.all(groupQueries.groupsOfUser, { team, user: user.id })).map((row) => row.group_id);
    await joinDirectoryGroups(scope, account, user.directory_id, groups);
    await recordAudit(scope, userLinked, user.id, { directoryId: user.directory_id, userId: account });
    const wanted = directory && directory.role_groups.length > 0 ? roleBy(directory, new Set(groups)) : role;
    if (wanted === role || role === 'owner') continue;
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
});

/** A former member stays away until a new invitation. */
export const withdrawsRemoved = on(memberRemoved, async ({ db, team, now: at }, { targetId: account }) => {
  db.send(userQueries.withdrawUser, { team, account, at });
});

/** A suspension by an administrator stays until an administrator ends it. */
export const notesSuspension = on(memberSuspended, async ({ db, team, actor }, { targetId: account }) => {
  if (actor.type !== 'directory') db.send(userQueries.noteSuspension, { team, account, suspended: true });
});
export const notesReactivation = on(memberReactivated, async ({ db, team }, { targetId: account }) => {
  db.send(userQueries.noteSuspension, { team, account, suspended: false });
});
