import { violates } from '../platform/database/errors.ts';
import { pipelined } from '../platform/database/pipelined.ts';
import { record, recordAudit } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import * as queries from './directory-group-queries.ts';
import { groupCreated, groupDeleted, groupMembersChanged, groupMembersRemoved, groupUpdated } from './events.ts';
import { deleteGroup, lockGroup } from './queries.ts';

// Groups that a directory manages. The domain of directories decides who may call these functions.

/** Creates a group of a directory. Returns false if a group of the team has the name. */
export async function createDirectoryGroup(scope: Scope, group: { id: string; directory: string; name: string }): Promise<boolean> {
  const made = await scope.db.first(queries.insertGroup, { team: scope.team, ...group, at: scope.now });
  if (made) await record(scope, groupCreated, group.id, { name: group.name });
  return made !== undefined;
}

/** Renames a group of a directory. Throws the error of `taken` if a group of the team has the name. */
export async function renameDirectoryGroup(scope: Scope, { id, name }: { id: string; name: string }, taken: () => Error): Promise<void> {
  await scope.db.first(queries.renameGroup, { team: scope.team, id, name, at: scope.now }).catch((error: unknown) => {
    throw violates(error, 'access_group_name') ? taken() : error;
  });
  await record(scope, groupUpdated, id, { name });
}

/** Deletes a group of a directory with all shares to it. */
export async function deleteDirectoryGroup(scope: Scope, { id, name }: { id: string; name: string }): Promise<void> {
  await pipelined([() => scope.db.all(deleteGroup, { team: scope.team, id }), () => record(scope, groupDeleted, id, { name })]);
}

type MembersChange = { id: string; name: string; directory: string; added: readonly string[]; removed: readonly string[] };

/** Adds and removes members as sets, with one event. Waits for members who are claiming a task of the group. */
export async function changeDirectoryGroupMembers(scope: Scope, { id, name, directory, added, removed }: MembersChange): Promise<void> {
  const of = { team: scope.team, group: id };
  if (added.length + removed.length === 0) return;
  await scope.db.all(lockGroup, { team: scope.team, id });
  const dropped = removed.length === 0 ? [] : await scope.db.all(queries.dropMembers, { ...of, users: removed });
  const made = added.length === 0 ? [] : await scope.db.all(queries.addMembers, { ...of, users: added, by: directory, at: scope.now });
  if (dropped.length > 0) await recordAudit(scope, groupMembersRemoved, id, { name, userIds: dropped.map((row) => row.user_id) });
  if (dropped.length + made.length > 0) await record(scope, groupMembersChanged, id, { name, added: made.length, removed: dropped.length });
}

/** Adds a new member of the team to the groups in which the directory already lists the person. */
export async function joinDirectoryGroups(scope: Scope, user: string, directory: string, groups: readonly string[]): Promise<void> {
  if (groups.length > 0) await scope.db.all(queries.addToGroups, { team: scope.team, user, groups, by: directory, at: scope.now });
}

/** Turns the groups of a directory into groups of the team. Their members and shares stay. */
export function releaseDirectoryGroups(scope: Scope, directory: string): void {
  scope.db.send(queries.releaseGroups, { team: scope.team, directory, at: scope.now });
}
